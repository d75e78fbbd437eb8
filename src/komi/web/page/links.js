/** Links to copy, each with what it is for. */

import { announce, element } from "./dom.js";
import { t } from "./language.js";

/**
 * The address of a place of this page, whatever path the server is below.
 * @param {string} place
 */
export const addressOf = (place) => new URL(place, document.baseURI).href;

/**
 * A link in a field of its own, with a button that copies it.
 * @param {string} title
 * @param {string} address
 */
export function linkField(title, address) {
  const link = element("input", { readonly: true, "aria-label": title, value: address });
  const button = element("button", { type: "button", class: "primary" }, t`Copy the link`);
  button.addEventListener("click", async () => {
    link.select();
    try {
      await navigator.clipboard.writeText(address);
      button.textContent = t`Copied`;
      announce(t`Copied.`);
    } catch {
      button.textContent = t`Selected`;
    }
  });
  return element(
    "div",
    { class: "link" },
    element("strong", {}, title),
    element("div", { class: "link-row" }, link, button),
  );
}
