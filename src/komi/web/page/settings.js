/** The settings of this browser: sound, colours, pace, theme, shortcuts. */

import { consentSwitch } from "./consent.js";
import { element } from "./dom.js";
import { readMe, rename } from "./api.js";
import { language, languages, setLanguage, t } from "./language.js";

const KEY = "komi.settings";
const DEFAULTS = {
  sound: true,
  notifications: false,
  colours: "usual",
  theme: "system",
  shortcuts: true,
  pace: "quick",
};
const changed = new EventTarget();
let renamed = Promise.resolve(); // resolves when the last change of the name is stored

export const settings = { ...DEFAULTS, ...remembered() };

/**
 * Call a listener when a setting has changed, until the signal is aborted.
 * @param {() => void} listener
 * @param {AbortSignal} signal
 */
export function onSettings(listener, signal) {
  changed.addEventListener("change", listener, { signal });
}

/**
 * @param {keyof typeof settings} name
 * @param {string | boolean} value
 */
export function change(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage, the settings last as long as the page is open.
  }
  applySettings();
  changed.dispatchEvent(new Event("change"));
}

/** Pass the settings to the style sheets. */
export function applySettings() {
  document.documentElement.dataset.colours = settings.colours;
  document.documentElement.dataset.theme = settings.theme;
}

/** Open the settings dialog. */
export async function openSettings() {
  const dialog = element("dialog", { class: "sheet", "aria-labelledby": "settings-title" });
  dialog.append(
    element("h2", { id: "settings-title" }, t`Settings`),
    nameField(),
    toggle(t`Sound`, t`Engines, dice, cards.`, settings.sound, (on) => change("sound", on)),
    toggle(t`Yellow and blue`, t`Instead of red and green, also in texts.`, settings.colours === "colour-blind", (on) =>
      change("colours", on ? "colour-blind" : "usual"),
    ),
    toggle(t`Shortcuts`, t`Single keys such as d for draw.`, settings.shortcuts, (on) => change("shortcuts", on)),
    "Notification" in globalThis && notifications(),
    segments("pace", t`Pace`, [
      ["usual", t`Calm`],
      ["quick", t`Quick`],
      ["instant", t`At once`],
    ]),
    languageField(),
    segments("theme", t`Appearance`, [
      ["system", t`Same as the device`],
      ["light", t`Light`],
      ["dark", t`Dark`],
    ]),
    consentSwitch(),
    element("a", { class: "button device-link", href: "#/device", onclick: () => dialog.close() }, t`Another device`),
    element("button", { type: "button", class: "primary", onclick: () => dialog.close() }, t`Done`),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

function nameField() {
  const field = element("input", {
    id: "name",
    maxlength: 40,
    autocomplete: "nickname",
    placeholder: t`No name`,
    disabled: true,
  });
  const status = element("p", { class: "small", role: "status" });
  renamed.then(readMe).then(
    (me) => {
      field.value = me.name ?? "";
      field.disabled = false;
    },
    (error) => {
      status.textContent = error.message;
    },
  );
  field.addEventListener("change", () => {
    renamed = rename(field.value.trim()).then(
      () => {
        status.textContent = t`Saved.`;
      },
      (error) => {
        status.textContent = error.message;
      },
    );
  });
  return element("div", { class: "field" }, element("label", { for: "name" }, t`Your name (optional)`), field, status);
}

/**
 * @param {string} title
 * @param {string} explanation
 * @param {boolean} on
 * @param {(on: boolean) => void} onChange
 */
function toggle(title, explanation, on, onChange) {
  const box = element("input", { type: "checkbox", role: "switch", checked: on });
  box.addEventListener("change", () => onChange(box.checked));
  return element(
    "label",
    { class: "toggle" },
    box,
    element("span", {}, element("strong", {}, title), element("small", {}, explanation)),
  );
}

/** Create the switch for notifications, for which the browser asks the user. */
function notifications() {
  const isOn = settings.notifications && Notification.permission === "granted";
  const label = toggle(t`Notifications`, t`When it is your turn while you look elsewhere.`, isOn, async (on) => {
    const isAllowed = on && (await Notification.requestPermission()) === "granted";
    change("notifications", isAllowed);
    label.querySelector("input").checked = isAllowed;
  });
  label.classList.add("notifications");
  return label;
}

/** Create the field that selects the language. */
function languageField() {
  const choices = element(
    "select",
    { id: "language", onchange: () => setLanguage(choices.value) },
    languages().map(([code, name]) =>
      element("option", { value: code, lang: code, selected: code === language }, name),
    ),
  );
  return element(
    "div",
    { class: "field", hidden: languages().length === 1 },
    element("label", { for: "language" }, t`Language`),
    choices,
  );
}

/**
 * Create a segmented control for a setting with a few values.
 * @param {"pace" | "theme"} name
 * @param {string} title
 * @param {[string, string][]} values
 */
function segments(name, title, values) {
  const choices = values.map(([value, label]) => {
    const radio = element("input", { type: "radio", name, value, checked: settings[name] === value });
    radio.addEventListener("change", () => change(name, value));
    return element("label", {}, radio, element("span", {}, label));
  });
  return element("fieldset", { class: "segments" }, element("legend", {}, title), choices);
}
