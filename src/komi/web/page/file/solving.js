/** The solution of the game in this file: stored in it, or computed in a worker while the page is open. */

import { Refusal } from "./refusal.js";
import { Solution } from "./solution.js";

const RETRY = 1; // seconds
const FAILURE =
  "This browser cannot solve the game, for lack of memory or time: you can play it without hints, review and opponents.";

export class Solver {
  /**
   * @param {import("./live-game.js").Rules} rules
   * @param {any} file the data of the file
   * @param {Uint8Array} data the columns of the table
   */
  constructor(rules, file, data) {
    this.rules = rules;
    this.file = file;
    this.progress = { stage: "finding states", done: 0, total: 0, error: /** @type {string | null} */ (null) };
    /** @type {Solution | null} */
    this.solved = file.table.solver ? null : new Solution(rules.game, file.table, data);
    if (!this.solved) this.run(data);
  }

  /**
   * Solve the game in a worker.
   * @param {Uint8Array} data
   */
  async run(data) {
    const { rules, file } = this;
    /** @type {Worker | null} */
    let worker = null;
    try {
      worker = new Worker(new URL("./solver-worker.js", import.meta.url), { type: "module" });
      const play = await new Promise((resolve, reject) => {
        worker.onerror = reject;
        worker.onmessage = ({ data: { play, error, ...progress } }) => {
          if (error) reject(error);
          if (play) resolve(play);
          Object.assign(this.progress, progress);
        };
        worker.postMessage({ source: file.source, rules: file.rules, table: file.table.solver });
      });
      this.solved = new Solution(rules.game, file.table, data, play);
    } catch {
      this.progress.error = FAILURE;
    } finally {
      worker?.terminate();
    }
  }

  /** Refuse a request that needs the solution while there is none. */
  check() {
    const { title } = this.rules.catalog;
    if (this.progress.error) throw new Refusal(500, this.progress.error);
    if (!this.solved) throw new Refusal(503, `${title} is still being solved; try again in a moment.`, null, RETRY);
  }

  get solution() {
    this.check();
    return this.solved;
  }

  /**
   * Return the progress, and whether the game can be played: alone, also without a solution.
   * @returns {Api.PreparationResponse}
   */
  preparation() {
    const ready = this.solved !== null || this.progress.error !== null;
    const playable = this.solved !== null || (ready && this.rules.game.players === 1);
    return { key: "solution", ...this.progress, ready, playable };
  }
}
