/** Another device: a code that makes it the same person, or a name and a password; signing out, and leaving this one. */

import { accountForms } from "./account.js";
import {
  createDeviceCode,
  deviceCodeIsWaiting,
  findCodeOwner,
  joinDevice,
  leaveDevice,
  signOutOthers,
  withdrawDeviceCode,
} from "./api.js";
import { announce, confirmButton, element, pause } from "./dom.js";
import { t, tn } from "./language.js";
import { addressOf } from "./links.js";
import { confirmDeletion } from "./statistics.js";

const POLL_INTERVAL = 3000; // milliseconds
const SECOND = 1000;

/**
 * @param {HTMLElement} container
 * @param {string} code the code in the link, or ""
 * @param {AbortSignal} signal
 */
export async function showDevices(container, code, signal) {
  document.title = t`komi: another device`;
  if (code) history.replaceState(null, "", "#/device"); // it is valid once, and is no place to come back to
  const entering = codeEntry(code);
  const creating = codeCreation(signal);
  container.append(
    element("h1", {}, t`Another device`),
    element(
      "p",
      { class: "lead" },
      t`A browser is a person here, without e-mail. A code of six words makes another device the same person.`,
    ),
    ...(code ? [entering, creating] : [creating, entering]),
    section(
      "account-title",
      t`Name and password`,
      element("p", {}, t`If you like, sign in with a name and a password on any device, without a code.`),
      accountForms(),
    ),
    leaving(),
  );
}

/**
 * Create a section of the page.
 * @param {string} id
 * @param {string} title
 * @param {...Page.Child} children
 */
function section(id, title, ...children) {
  return element(
    "section",
    { class: "panel device", "aria-labelledby": id },
    element("h2", { id, tabindex: "-1" }, title),
    children,
  );
}

/**
 * Create the section in which this device shows a code.
 * @param {AbortSignal} signal
 */
function codeCreation(signal) {
  const status = element("p", { role: "status", class: "small" });
  const start = element("button", { type: "button", class: "primary" }, t`Create a code`);
  const shown = element("div", { class: "device-code", hidden: true });
  /** @param {string} sentence */
  const end = (sentence) => {
    shown.replaceChildren();
    shown.hidden = true;
    start.hidden = false;
    status.textContent = sentence;
  };
  start.addEventListener("click", async () => {
    status.textContent = "";
    try {
      const code = await createDeviceCode();
      start.hidden = true;
      shown.hidden = false;
      showCode(shown, code, end, signal);
    } catch (error) {
      status.textContent = error.message;
    }
  });
  return section(
    "create-title",
    t`Take your games to another device`,
    element(
      "p",
      {},
      t`The code is valid once, for ten minutes. Whoever has it can play in your name: show it to nobody else.`,
    ),
    start,
    shown,
    status,
  );
}

/**
 * Show a code until it is used, withdrawn or too old.
 * @param {HTMLElement} container
 * @param {Api.DeviceCodeResponse} code
 * @param {(sentence: string) => void} end
 * @param {AbortSignal} signal
 */
async function showCode(container, { words, qr, seconds }, end, signal) {
  const until = Date.now() + seconds * SECOND;
  const left = element("p", { class: "small", role: "timer" });
  const withdraw = element("button", { type: "button" }, t`Withdraw the code`);
  let isOver = false;
  /** @param {string} sentence */
  const finish = (sentence) => {
    isOver = true;
    end(sentence);
  };
  withdraw.addEventListener("click", () =>
    withdrawDeviceCode().then(
      () => finish(t`The code was withdrawn.`),
      (error) => finish(error.message),
    ),
  );
  const shown = element("p", { class: "device-words", lang: "zxx", tabindex: "-1" }, words.join(" "));
  container.append(
    element("img", { src: qr, alt: t`QR code with the link and the code`, width: 200, height: 200 }),
    element(
      "div",
      {},
      element("p", {}, t`Scan the picture with the other device, or open ${addressOf("#/device")} there and enter:`),
      shown,
      left,
      withdraw,
    ),
  );
  shown.focus();
  for (let polled = Date.now(); !isOver && !signal.aborted && container.isConnected; await pause(SECOND)) {
    const rest = Math.max(0, Math.ceil((until - Date.now()) / SECOND));
    left.textContent = t`Valid for ${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")} minutes`;
    if (rest === 0) return end(t`The code is too old now.`);
    if (Date.now() - polled < POLL_INTERVAL) continue;
    polled = Date.now();
    const waiting = await deviceCodeIsWaiting().catch(() => true);
    if (!waiting && !isOver) return finish(t`The code was used or withdrawn.`);
  }
}

/**
 * Create the section in which a code of another device is entered, and confirmed before it is used.
 * @param {string} code
 */
function codeEntry(code) {
  const status = element("p", { role: "status", class: "small" });
  const field = element("input", {
    id: "code",
    maxlength: 80,
    value: code.replaceAll("-", " "),
    required: true,
    autocomplete: "off",
    autocapitalize: "none",
    autocorrect: "off",
    spellcheck: "false",
  });
  const question = element("div", { class: "device-question", hidden: true });
  const form = element(
    "form",
    { class: "field" },
    element("label", { for: "code" }, t`The six words`),
    field,
    element("button", { type: "submit", class: "primary" }, t`Check the code`),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    status.textContent = "";
    question.hidden = true;
    try {
      askBeforeJoining(question, field.value, await findCodeOwner(field.value), status);
    } catch (error) {
      status.textContent = error.message;
    }
  });
  return section(
    "enter-title",
    t`Enter a code from another device`,
    element("p", {}, t`Create the code there, under Settings, Another device.`),
    form,
    question,
    status,
  );
}

/**
 * Say what joining does, and join if the user agrees.
 * @param {HTMLElement} container
 * @param {string} code
 * @param {Api.CodeOwnerResponse} owner
 * @param {HTMLElement} status
 */
function askBeforeJoining(container, code, { name, games }, status) {
  const count = tn(games, "{0} game", "{0} games");
  const join = element("button", { type: "button", class: "primary" }, t`Join`);
  join.addEventListener("click", async () => {
    join.disabled = true;
    try {
      await joinDevice(code);
      announce(t`This device has joined.`);
      location.hash = "#/games";
    } catch (error) {
      status.textContent = error.message;
      join.disabled = false;
    }
  });
  const cancel = element("button", { type: "button" }, t`Cancel`);
  cancel.addEventListener("click", () => {
    container.hidden = true;
  });
  container.replaceChildren(
    element(
      "p",
      {},
      element(
        "strong",
        {},
        name === null
          ? t`The code is that of a person without a name: ${count}.`
          : t`The code is that of ${name}: ${count}.`,
      ),
    ),
    element(
      "p",
      {},
      t`This device becomes the same person. The games that were begun here move to it for good, and both devices see all of them. If other devices share the games of this one, they must join as well.`,
    ),
    element(
      "p",
      {},
      t`Join only if you have just created this code yourself: who has sent it to you would see your games.`,
    ),
    element("div", { class: "row" }, join, cancel),
  );
  container.hidden = false;
  join.focus();
}

/** Create the section with which a person leaves this device, or deletes everything. */
function leaving() {
  const status = element("p", { role: "status", class: "small" });
  const leave = () =>
    leaveDevice().then(
      () => {
        status.textContent = t`Done. This browser is a new person.`;
      },
      (error) => {
        status.textContent = error.message;
      },
    );
  const signOut = () =>
    signOutOthers().then(
      () => {
        status.textContent = t`Done. This is your only device now.`;
      },
      (error) => {
        status.textContent = error.message;
      },
    );
  return section(
    "leave-title",
    t`Sign out and leave`,
    element(
      "p",
      {},
      t`If you have lost a device, sign out all others here: each of them becomes a new person, without your games.`,
    ),
    element(
      "p",
      {},
      t`Leave this device if others use it: your games stay on your other devices. Without another device or a password, nobody can open them again.`,
    ),
    element(
      "div",
      { class: "row" },
      confirmButton(t`Sign out all other devices`, t`Sign them out`, signOut, { class: "" }),
      confirmButton(t`Leave this device`, t`Leave for good`, leave, { class: "" }),
      element(
        "button",
        { type: "button", class: "danger", onclick: () => confirmDeletion(status) },
        t`Delete everything …`,
      ),
    ),
    status,
  );
}
