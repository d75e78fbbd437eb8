/** Looking on at a game of others, as it is played. */

import { readCatalog, readWatched } from "./api.js";
import { element, pause } from "./dom.js";
import { faceOf } from "./faces/faces.js";
import { t } from "./language.js";
import { Hurry } from "./motion.js";
import { momentAfter } from "./standing.js";
import { Table } from "./table.js";

const POLL_INTERVAL = 2000; // milliseconds
const NOT_BEGUN = 409; // what the server answers before
const MAX_SHOWN = 12; // steps that are shown one by one

/**
 * @param {HTMLElement} container
 * @param {string} secret
 * @param {AbortSignal} signal
 */
export async function showWatched(container, secret, signal) {
  const [view, { games }] = await Promise.all([begun(container, secret, signal), readCatalog()]);
  if (!view) return;
  const game = games.find((one) => one.name === view.game);
  if (!game) throw new Error(t`This server does not offer ${view.game} any more.`);
  document.title = t`komi: watching ${game.title}`;
  const table = new Table(view, await faceOf(view), game, { send: () => {} });
  table.beside.append(table.history.root);
  container.replaceChildren(
    element("p", { class: "notice" }, t`You are watching. Only the players at the table can move.`),
    table.root,
  );
  table.clocks?.run(signal);
  table.show(view.number);
  table.conclude([]);
  follow(table, secret, signal);
}

/**
 * Spectators see all players by name and have no turn.
 * @param {string} secret
 * @returns {Promise<Page.View>}
 */
const seen = async (secret) => ({ ...(await readWatched(secret)), company: "device", looksOn: true });

/**
 * The game once it has begun; nothing if the person has left before.
 * @param {HTMLElement} container
 * @param {string} secret
 * @param {AbortSignal} signal
 */
async function begun(container, secret, signal) {
  while (!signal.aborted) {
    try {
      return await seen(secret);
    } catch (error) {
      if (error.status !== NOT_BEGUN && (error.status || container.childElementCount === 0)) throw error; // the network comes back
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
 * @param {string} secret
 * @param {AbortSignal} signal
 */
async function follow(table, secret, signal) {
  while (!signal.aborted && !table.view.result) {
    await pause(POLL_INTERVAL);
    if (signal.aborted || document.visibilityState === "hidden") continue;
    try {
      const view = await seen(secret);
      if (!signal.aborted && (view.number !== table.view.number || view.result)) await happen(table, view, signal);
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
async function happen(table, view, signal) {
  const first = Math.max(table.view.number, view.number - MAX_SHOWN);
  table.view = table.history.view = table.face.view = view;
  table.clocks?.set(view);
  const hurry = new Hurry();
  const happened = [];
  for (const entry of view.log.slice(first)) {
    if (signal.aborted) return;
    const before = momentAfter(view, entry.number);
    const after = momentAfter(view, entry.number + 1);
    happened.push(table.sentence(entry));
    table.say(happened.at(-1));
    await table.face.happen(entry, before, after, hurry);
    table.show(entry.number + 1);
  }
  table.show(view.number);
  table.conclude(happened);
}
