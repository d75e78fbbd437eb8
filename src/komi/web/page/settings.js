/** What this browser remembers: sound, colours, pace, light or dark, shortcuts. */

import { consentSwitch } from "./consent.js";
import { element } from "./dom.js";
import { readMe, rename } from "./api.js";

const KEY = "komi.settings";
const USUAL = { sound: true, colours: "usual", theme: "system", shortcuts: true, pace: "usual" };
const changed = new EventTarget();
let renamed = Promise.resolve(); // when the last change of name is kept

export const settings = { ...USUAL, ...remembered() };

/** Call when a setting has changed, for as long as the signal lasts. */
export function onSettings(listener, signal) {
  changed.addEventListener("change", listener, { signal });
}

export function change(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays.
  }
  applySettings();
  changed.dispatchEvent(new Event("change"));
}

/** Let the style sheets know. */
export function applySettings() {
  document.documentElement.dataset.colours = settings.colours;
  document.documentElement.dataset.theme = settings.theme;
}

/** The dialogue in which all this is set. */
export async function openSettings() {
  const dialog = element("dialog", { class: "sheet", "aria-labelledby": "settings-title" });
  dialog.append(
    element("h2", { id: "settings-title" }, "Settings"),
    nameField(),
    toggle("Sound", "Engines, dice, cards.", settings.sound, (on) => change("sound", on)),
    toggle("Yellow and blue", "In place of red and green, in words too.", settings.colours === "colour-blind", (on) =>
      change("colours", on ? "colour-blind" : "usual")),
    toggle("Shortcuts", "Single keys such as d for draw.", settings.shortcuts, (on) => change("shortcuts", on)),
    segments("pace", "Pace", [["usual", "Calm"], ["quick", "Quick"], ["instant", "At once"]]),
    segments("theme", "Appearance", [["system", "As the device"], ["light", "Light"], ["dark", "Dark"]]),
    consentSwitch(),
    element("button", { type: "button", class: "primary", onclick: () => dialog.close() }, "Done"),
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
  const field = element("input", { id: "name", maxlength: 40, autocomplete: "nickname", placeholder: "No name", disabled: true });
  const said = element("p", { class: "small", role: "status" });
  renamed.then(readMe).then((me) => {
    field.value = me.name ?? "";
    field.disabled = false;
  }, (error) => { said.textContent = error.message; });
  field.addEventListener("change", () => {
    renamed = rename(field.value.trim()).then(
      () => { said.textContent = "Kept."; },
      (error) => { said.textContent = error.message; });
  });
  return element("div", { class: "field" }, element("label", { for: "name" }, "Your name, or nothing"), field, said);
}

function toggle(title, meaning, on, whenChanged) {
  const box = element("input", { type: "checkbox", role: "switch", checked: on });
  box.addEventListener("change", () => whenChanged(box.checked));
  return element("label", { class: "toggle" }, box,
    element("span", {}, element("strong", {}, title), element("small", {}, meaning)));
}

/** One of a few values for a setting. */
function segments(name, title, values) {
  const choices = values.map(([value, called]) => {
    const radio = element("input", { type: "radio", name, value, checked: settings[name] === value });
    radio.addEventListener("change", () => change(name, value));
    return element("label", {}, radio, element("span", {}, called));
  });
  return element("fieldset", { class: "segments" }, element("legend", {}, title), choices);
}
