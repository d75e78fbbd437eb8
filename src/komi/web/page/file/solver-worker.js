/** A worker that solves the game of a page in one file. It posts its progress, and optimal play at the end. */

import { solve } from "./solver.js";

addEventListener("message", async ({ data: { source, rules, table } }) => {
  try {
    const play = await solve(source, rules, table, (stage, done, total) => postMessage({ stage, done, total }));
    const { keys, values, actions, plies } = play;
    const arrays = plies ? [keys, values, actions, plies] : [keys, values, actions];
    postMessage({ play }, { transfer: arrays.map(({ buffer }) => /** @type {ArrayBuffer} */ (buffer)) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
});
