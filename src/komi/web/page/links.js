/** Links to copy, each with its purpose. */

import { announce, element } from "./dom.js";
import { t } from "./language.js";

/**
 * Return the absolute URL of a path of this page, including the server's root path.
 * @param {string} path
 */
export const addressOf = (path) => new URL(path, document.baseURI).href;

/**
 * Create a read-only field with a link, and a button that copies it.
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
