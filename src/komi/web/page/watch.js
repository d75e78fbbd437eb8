/** The page of a spectator, who watches a game in progress. */

import { readCatalog, readWatched } from "./api.js";
import { element, pause } from "./dom.js";
import { faceOf } from "./faces/faces.js";
import { ComputedGame } from "./game-rules.js";
import { t } from "./language.js";
import { SkipSignal } from "./motion.js";
import { snapshotAfter } from "./snapshots.js";
import { Table } from "./table.js";

const POLL_INTERVAL = 2000; // milliseconds
const NOT_BEGUN = 409; // the status of games that have not begun
const MAX_ANIMATED_STEPS = 12; // older steps are shown without animation

/**
 * @param {HTMLElement} container
 * @param {string} secret
 * @param {AbortSignal} signal
 */
export async function showWatched(container, secret, signal) {
  const computed = new ComputedGame(signal);
  const read = () => readAsSpectator(secret, computed);
  const [view, { games }] = await Promise.all([waitForStart(container, read, signal), readCatalog()]);
  if (!view) return;
  const game = games.find((one) => one.name === view.game);
  if (!game) throw new Error(t`This server does not offer ${view.game} any more.`);
  document.title = t`komi: watching ${game.title}`;
  const table = new Table(view, await faceOf(view), game, { send: () => {} });
  table.sidePanel.append(table.history.root);
  container.replaceChildren(
    element("p", { class: "notice" }, t`You are watching. Only the players at the table can move.`),
    table.root,
  );
  table.clocks?.run(signal);
  table.show(view.number);
  table.announceTurn([]);
  poll(table, read, signal);
}

/**
 * Read the game as spectators see it: all players by name, and no turn of their own.
 * @param {string} secret
 * @param {ComputedGame} computed
 * @returns {Promise<Page.View>}
 */
async function readAsSpectator(secret, computed) {
  const view = await computed.view(await readWatched(secret));
  return { ...view, company: "device", isSpectator: true, actions: [], events: [], decided: false };
}

/**
 * Wait until the game has begun. Return null if the user leaves the page first.
 * @param {HTMLElement} container
 * @param {() => Promise<Page.View>} read
 * @param {AbortSignal} signal
 */
async function waitForStart(container, read, signal) {
  while (!signal.aborted) {
    try {
      return await read();
    } catch (error) {
      if (error.status !== NOT_BEGUN && (error.status || container.childElementCount === 0)) throw error; // a network error: try again
      if (error.status && container.childElementCount === 0) {
        document.title = t`komi: watching`;
        container.append(
          element("h1", {}, t`The game has not begun yet`),
          element(
            "p",
            { class: "notice", role: "status" },
            t`A player is still missing. You will see the game here as soon as it begins.`,
          ),
        );
      }
    }
    await pause(POLL_INTERVAL);
  }
  return null;
}

/**
 * @param {Page.Table} table
 * @param {() => Promise<Page.View>} read
 * @param {AbortSignal} signal
 */
async function poll(table, read, signal) {
  while (!signal.aborted && !table.view.result) {
    await pause(POLL_INTERVAL);
    if (signal.aborted || document.visibilityState === "hidden") continue;
    try {
      const view = await read();
      if (!signal.aborted && (view.number !== table.view.number || view.result))
        await showNewEntries(table, view, signal);
    } catch {
      // The network comes back, or the next request fails as well.
    }
  }
}

/**
 * @param {Page.Table} table
 * @param {Page.View} view
 * @param {AbortSignal} signal
 */
async function showNewEntries(table, view, signal) {
  const first = Math.max(table.view.number, view.number - MAX_ANIMATED_STEPS);
  table.view = table.history.view = table.face.view = view;
  table.clocks?.update(view);
  const skip = new SkipSignal();
  const sentences = [];
  for (const entry of view.log.slice(first)) {
    if (signal.aborted) return;
    const before = snapshotAfter(view, entry.number);
    const after = snapshotAfter(view, entry.number + 1);
    sentences.push(table.sentence(entry));
    table.say(sentences.at(-1));
    await table.face.animate(entry, before, after, skip);
    table.show(entry.number + 1);
  }
  table.show(view.number);
  table.announceTurn(sentences);
}
