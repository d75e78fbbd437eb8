/** Between two people who share a device and hide something from each other: nothing is shown until it has changed hands. */

import { element } from "./dom.js";
import { t } from "./language.js";

/**
 * Resolves when the person of that name says that they have the device, or the page of the game is left.
 * @param {string} name
 * @param {AbortSignal} signal
 */
export function curtain(name, signal) {
  /** @type {(resolve: (value: void) => void) => void} */
  const show = (resolve) => {
    /** @type {HTMLDialogElement} */
    const dialog = element(
      "dialog",
      { class: "curtain", "aria-labelledby": "curtain-title" },
      element("h2", { id: "curtain-title" }, t`Hand the device to ${name}`),
      element("p", {}, t`All other players should look away now.`),
      element("button", { type: "button", class: "primary large", onclick: () => dialog.close() }, t`I am ${name}`),
    );
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve();
    });
    signal.addEventListener("abort", () => dialog.close(), { once: true });
    document.body.append(dialog);
    dialog.showModal();
  };
  return new Promise(show);
}
