/** A modal dialog with text, closed by a button, Escape, or a click outside it. */

import { element } from "./dom.js";
import { t } from "./language.js";

/**
 * @param {string} title
 * @param {...Page.Child} children
 */
export function openDialog(title, ...children) {
  /** @type {HTMLDialogElement} */
  const sheet = element(
    "dialog",
    { class: "sheet", "aria-labelledby": "sheet-title" },
    element("h2", { id: "sheet-title", tabindex: "-1", autofocus: true }, title),
    children,
    element("button", { type: "button", class: "primary", onclick: () => sheet.close() }, t`Done`),
  );
  sheet.addEventListener("close", () => sheet.remove());
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
  document.body.append(sheet);
  sheet.showModal();
}
