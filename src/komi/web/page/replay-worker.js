/** A worker that replays a game by its rules, and keeps it for the next steps. The rules' code has no access to the page here,
 * nor to the network: the server sends this file with a Content-Security-Policy of its own. */

import { Replay } from "./replay.js";
import { Game } from "./translated-game.js";

/** @type {Replay} */
let replay = null;

addEventListener("message", async ({ data: { source, rules, viewer, isAtOneDevice, labels, known } }) => {
  try {
    if (!replay) {
      const module = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
      replay = new Replay(new Game(module, rules), viewer, isAtOneDevice);
    }
    const same = replay.follow(labels);
    const kept = replay.turn() ? 0 : Math.min(same, known);
    postMessage({ ...replay.terms, choices: replay.table.choices(), kept, moments: replay.moments.slice(kept) });
  } catch {
    postMessage(null);
  }
});
