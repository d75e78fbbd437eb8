/** Handover of a shared device in a game with hidden information: hide the table until the next player has the device. */

import { element } from "./dom.js";
import { t } from "./language.js";

/**
 * Resolve when the named player confirms that they have the device, or when the user leaves the page.
 * @param {string} name
 * @param {AbortSignal} signal
 */
export function confirmHandover(name, signal) {
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
