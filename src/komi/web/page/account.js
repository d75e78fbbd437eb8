/** A name and a password: signing in with them, and setting, changing and removing them. */

import { readAccount, removeAccount, saveAccount, signIn } from "./api.js";
import { announce, element } from "./dom.js";
import { t } from "./language.js";

const MAX_NAME = 40; // characters
const MIN_PASSWORD = 10;
const MAX_PASSWORD = 200;

/** Create the content of the section, which changes with what is set. */
export function accountForms() {
  const content = element("div", { class: "account" });
  showForms(content);
  return content;
}

/**
 * Show the forms that apply now.
 * @param {HTMLElement} content
 * @param {string} [sentence] what was done
 */
async function showForms(content, sentence = "") {
  const status = element("p", { role: "status", class: "small" });
  const again = (/** @type {string} */ done) => showForms(content, done);
  try {
    const { name } = await readAccount();
    content.replaceChildren(...(name === null ? unset(again) : isSet(name, again)), status);
    status.textContent = sentence;
  } catch (error) {
    content.replaceChildren(status);
    status.textContent = error.message;
  }
}

/** @param {(done: string) => void} again */
function unset(again) {
  return [
    form(
      t`Sign in with a name and a password`,
      [element("p", { class: "small" }, t`What was played in this browser moves to the person who signs in.`)],
      [nameField(), passwordField("password", t`Password`, "current-password")],
      t`Sign in`,
      async ({ name, password }) => {
        await signIn(name, password);
        announce(t`You are signed in.`);
        location.hash = "#/games";
      },
    ),
    form(
      t`Set a name and a password`,
      [element("p", { class: "small" }, t`The name is for signing in; others do not see it.`)],
      [nameField(), newPasswordField(t`Password`)],
      t`Set`,
      async ({ name, password }) => {
        await saveAccount(name, password, "");
        again(t`Done. Sign in with this name and password on other devices.`);
      },
    ),
  ];
}

/**
 * @param {string} name
 * @param {(done: string) => void} again
 */
function isSet(name, again) {
  const present = () => passwordField("present", t`Present password`, "current-password");
  return [
    element("p", {}, t`You sign in as ${name}.`),
    form(
      t`Change the name or the password`,
      [],
      [nameField(name), present(), newPasswordField(t`New password`)],
      t`Change`,
      async (values) => {
        await saveAccount(values.name, values.password, values.present);
        again(t`Changed. Devices that are signed in stay signed in.`);
      },
    ),
    form(t`Remove the name and the password`, [], [present()], t`Remove`, async (values) => {
      await removeAccount(values.present);
      again(t`Removed. Devices that are signed in stay signed in.`);
    }),
  ];
}

/**
 * Create a form that opens when its title is pressed.
 * @param {string} title
 * @param {HTMLElement[]} above
 * @param {HTMLElement[]} fields
 * @param {string} label of the button
 * @param {(values: Record<string, string>) => Promise<void>} send
 */
function form(title, above, fields, label, send) {
  const problem = element("p", { role: "alert", class: "small" });
  const button = element("button", { type: "submit", class: "primary" }, label);
  const shown = element("form", { class: "field" }, above, fields, button, problem);
  shown.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.textContent = "";
    button.disabled = true;
    try {
      await send(/** @type {Record<string, string>} */ (Object.fromEntries(new FormData(shown))));
    } catch (error) {
      problem.textContent = error.message;
    }
    button.disabled = false;
  });
  return element("details", {}, element("summary", {}, title), shown);
}

/** @param {string} [value] */
function nameField(value = "") {
  const more = { autocapitalize: "none", spellcheck: "false", maxlength: MAX_NAME, value };
  return labelled(t`Name`, element("input", { name: "name", autocomplete: "username", required: true, ...more }));
}

/** @param {string} label */
function newPasswordField(label) {
  const hint = t`At least ${MIN_PASSWORD} characters; a few words are easy to remember. There is no e-mail: a forgotten password cannot be reset.`;
  const field = passwordField("password", label, "new-password", MIN_PASSWORD);
  return element("div", { class: "field" }, field, element("span", { class: "small" }, hint));
}

/**
 * @param {string} name
 * @param {string} label
 * @param {string} autocomplete
 * @param {number} [minlength]
 */
function passwordField(name, label, autocomplete, minlength = 1) {
  const more = { autocomplete, required: true, minlength, maxlength: MAX_PASSWORD };
  return labelled(label, element("input", { type: "password", name, ...more }));
}

/**
 * @param {string} label
 * @param {HTMLElement} field
 */
function labelled(label, field) {
  return element("label", { class: "field" }, element("span", {}, label), field);
}
