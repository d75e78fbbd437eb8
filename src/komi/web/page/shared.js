/** A shared finished game, read-only, step by step. */

import { readCatalog, readShared, reviewShared } from "./api.js";
import { element } from "./dom.js";
import { showEnding } from "./ending.js";
import { faceOf } from "./faces/faces.js";
import { ComputedGame } from "./game-rules.js";
import { t } from "./language.js";
import { Table } from "./table.js";
import { setupLink } from "./words.js";

/**
 * @param {HTMLElement} container
 * @param {string} secret
 * @param {AbortSignal} signal
 */
export async function showShared(container, secret, signal) {
  const [view, { games }] = await Promise.all([readWithNames(secret, signal), readCatalog()]);
  const game = games.find((one) => one.name === view.game);
  if (!game) throw new Error(t`This server does not offer ${view.game} any more.`);
  document.title = t`komi: a game of ${game.title}`;
  const whose = view.names
    ? t`Another player shared this game with you.`
    : t`Another player shared this game with you. You see it from their side: “You” is the person who played it.`;
  const table = new Table(view, await faceOf(view), game, { send: () => {} });
  table.root.classList.add("over");
  table.sidePanel.append(table.history.root);
  container.replaceChildren(element("p", { class: "notice" }, whose), table.root);
  table.show(view.number);
  table.announceTurn([]);
  showEnding(table, view, game, signal, {
    load: () => reviewShared(secret),
    estimate: null,
    compare: null,
    first: element(
      "div",
      { class: "again" },
      element("a", { class: "button primary", href: setupLink(game, view.rules) }, t`Play ${game.title} yourself`),
    ),
  });
}

/**
 * Read a shared game. If people played together, all seats are shown by name.
 * @param {string} secret
 * @param {AbortSignal} signal
 */
async function readWithNames(secret, signal) {
  const view = await new ComputedGame(signal).view(await readShared(secret));
  return { ...view, isByName: Boolean(view.names) };
}
