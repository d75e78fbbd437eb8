/** Calls for attention while the page is not in front: in its title, and as a notification of the browser if it is allowed. */

import { settings } from "./settings.js";

let title = ""; // without what calls for attention

/**
 * Show some words in the title until the user looks at the page again, and notify the user if they want that.
 * @param {string} words
 */
export function callAttention(words) {
  if (document.visibilityState === "visible") return;
  title = document.title.replace(/^\(.*?\) /, "");
  document.title = `(${words}) ${title}`;
  if (!settings.notifications || !("Notification" in globalThis) || Notification.permission !== "granted") return;
  try {
    const notification = new Notification(words, { body: title, tag: "komi" });
    notification.addEventListener("click", () => {
      focus();
      notification.close();
    });
  } catch {
    // Browsers on phones notify only by a service worker: there is the title.
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && title) document.title = document.title.replace(/^\(.*?\) /, "");
  title = "";
});
