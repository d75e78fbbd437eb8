/** Router: show the page that the URL fragment names. */

import { element } from "./dom.js";
import { t } from "./language.js";
import { pauseFor } from "./retry.js";
import { applySettings, openSettings } from "./settings.js";
import { showStart } from "./start.js";

const main = document.getElementById("main");
let current = new AbortController();
let hasNavigated = false; // on the first page, the browser sets the focus

async function show() {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const [page, ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  markPage(page === "statistics" || page === "games" ? page : "play");
  const container = element("div", { class: `page page-${page || "start"}` });
  try {
    const first = new MutationObserver(() => signal.aborted || attach(container)); // show the page as soon as it has content
    first.observe(container, { childList: true });
    await render(page, rest, container, signal);
    first.disconnect();
  } catch (error) {
    if (!signal.aborted) container.replaceChildren(...errorMessage(error));
    if (error.after !== undefined) showAgainAfter(error.after, signal);
  }
  if (signal.aborted) return;
  attach(container);
  if (hasNavigated) main.focus({ preventScroll: true });
  hasNavigated = true;
}

/**
 * Show the page again when the server can have recovered, unless another is shown by then.
 * @param {number} seconds
 * @param {AbortSignal} signal
 */
async function showAgainAfter(seconds, signal) {
  await pauseFor(seconds);
  if (!signal.aborted) show();
}

/**
 * Put a page into the document, if it is not there yet.
 * @param {HTMLElement} container
 */
function attach(container) {
  if (container.parentElement === main) return;
  main.replaceChildren(container);
  scrollTo(0, 0);
}

/**
 * @param {string} page
 * @param {string[]} rest
 * @param {HTMLElement} container
 * @param {AbortSignal} signal
 */
async function render(page, rest, container, signal) {
  if (page === "new") return (await import("./setup.js")).showSetup(container, rest[0], rest[1] ?? "", signal);
  if (page === "game") return (await import("./play.js")).showGame(container, rest[0], signal);
  if (page === "join") return (await import("./join.js")).showTable(container, rest[0], rest[1] ?? null, signal);
  if (page === "watch") return (await import("./watch.js")).showWatched(container, rest[0], signal);
  if (page === "sandbox") return (await import("./sandbox.js")).showSandbox(container, rest[0], rest[1] ?? "", signal);
  if (page === "shared") return (await import("./shared.js")).showShared(container, rest[0], signal);
  if (page === "puzzle") return (await import("./puzzle.js")).showPuzzle(container, rest[0], rest[1], signal);
  if (page === "puzzles") return (await import("./puzzles.js")).showPuzzles(container);
  if (page === "games") return (await import("./archive.js")).showArchive(container, signal);
  if (page === "class") return (await import("./classes.js")).showClasses(container, rest[0] ?? "", signal);
  if (page === "lobby") return (await import("./lobby.js")).showLobby(container, signal);
  if (page === "device") return (await import("./devices.js")).showDevices(container, rest[0] ?? "", signal);
  if (page === "statistics") return (await import("./statistics.js")).showStatistics(container, signal);
  return showStart(container, signal);
}

/** @param {string} current */
function markPage(current) {
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-page]"))) {
    if (link.dataset.page === current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** @param {Error} error */
function errorMessage(error) {
  document.title = "komi";
  return [
    element("h1", {}, t`That did not work`),
    element("p", { class: "notice", role: "alert" }, error.message),
    element(
      "div",
      { class: "row" },
      element("button", { type: "button", class: "primary", onclick: show }, t`Try again`),
      element("a", { class: "button", href: "#/" }, t`To the games`),
    ),
  ];
}

applySettings();
addEventListener("hashchange", show);
document.getElementById("settings").addEventListener("click", openSettings);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  const target = /** @type {HTMLElement} */ (main.querySelector(".actions, .shelves") ?? main);
  target.tabIndex = -1;
  target.focus();
});
show().then(async () => (await import("./offline.js")).keepForOffline());
