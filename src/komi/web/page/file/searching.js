/** Search in place of a table: the opponents, hints and reviews of a game whose optimal play is not in the file; see
 * `komi.play.searching`. */

import { Table } from "../replay.js";

const HINT = { playouts: 20000, seconds: 2, exploration: 1 };
const REVIEW = { playouts: 5000, seconds: 1, exploration: 1 };
const MAX_REVIEW = 15; // seconds for all decisions of a game
const SIGNIFICANCE = 2; // standard errors that a loss must exceed to be reported
const RANDOM = "random";

/** @typedef {import("./searcher.js").Estimate} Estimate */
/** @typedef {import("./searcher.js").Limits} Limits */

export class Searching {
  /**
   * @param {import("../translated-game.js").Game} game
   * @param {any} file the data of the file
   */
  constructor(game, file) {
    this.game = game;
    this.opponents = file.searching.opponents;
    const { source, rules, searching: settings } = file;
    this.setup = { source, rules, settings, seed: crypto.getRandomValues(new Int32Array(1))[0] };
    /** @type {Worker | null} */
    this.worker = null;
    /** @type {Promise<any>} */
    this.last = Promise.resolve(); // the last search, after which the next begins
  }

  /**
   * Search in the worker, and return the estimates of the actions, that of the best one first.
   * @param {any} state
   * @param {Limits} limits
   * @returns {Promise<Estimate[]>}
   */
  search(state, limits) {
    const found = this.last.then(() => this.ask([...this.view(state)], limits));
    this.last = found.catch(() => {});
    return found;
  }

  /**
   * @param {any[]} observation
   * @param {Limits} limits
   * @returns {Promise<Estimate[]>}
   */
  ask(observation, limits) {
    const setup = this.worker ? null : this.setup;
    const worker = (this.worker ??= new Worker(new URL("./search-worker.js", import.meta.url), { type: "module" }));
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => {
        worker.terminate();
        this.worker = null;
        reject(new Error(message));
      };
      worker.postMessage({ setup, observation, limits });
    });
  }

  /**
   * Return the state as the player to move observes it.
   * @param {any} state
   */
  view(state) {
    return this.game.hides ? this.game.call("view", state) : state;
  }

  /**
   * Choose the action of an opponent: any one, by a policy of the rule file, or by a search.
   * @param {any} state
   * @param {string} opponent
   * @returns {Promise<number>}
   */
  async choose(state, opponent) {
    const { policy, isMixed, ...limits } = this.opponents[opponent];
    const observation = this.view(state);
    const legal = [...this.game.call("legal", observation)];
    if (policy === RANDOM || legal.length === 1) return any(legal);
    if (policy) return this.byPolicy(this.game.module.policies[policy], isMixed, observation, legal);
    const [best] = await this.search(state, limits);
    return best?.action ?? any(legal);
  }

  /**
   * Choose by a function (rules, state) -> action, or (rules, state, action) -> preference or weight.
   * @param {Function} policy
   * @param {boolean} isMixed whether it returns weights
   * @param {any} observation
   * @param {number[]} legal
   */
  byPolicy(policy, isMixed, observation, legal) {
    const { rules } = this.game;
    if (policy.length < 3) return Number(policy(rules, observation));
    const liked = legal.map((action) => Number(policy(rules, observation, action)));
    const most = Math.max(...liked);
    if (!isMixed) return any(legal.filter((_, i) => liked[i] === most));
    let rest = Math.random() * liked.reduce((sum, weight) => sum + weight, 0);
    return legal.find((_, i) => (rest -= liked[i]) < 0) ?? legal[liked.indexOf(most)];
  }

  /**
   * Return the estimates of the actions of the player to move, best first.
   * @param {Table} table
   * @param {Limits} [limits]
   * @returns {Promise<Api.EstimateView[]>}
   */
  async estimates({ state, actions }, limits = HINT) {
    const labels = new Map([...actions].map(([label, action]) => [action, label]));
    const found = await this.search(state, limits);
    return found.map(({ action, value, stderr }) => ({ label: labels.get(action), worth: value, stderr }));
  }

  /**
   * Return the decision of a seat that lost most by a search's estimate; null if no loss exceeds its error.
   * @param {import("./live-game.js").LiveGame} live
   * @param {number} seat
   * @returns {Promise<Api.EstimatedDecisionView | null>}
   */
  async costliest({ saved: { log } }, seat) {
    const seconds = Math.min(REVIEW.seconds, MAX_REVIEW / log.length);
    const table = new Table(this.game, seat, false);
    /** @type {Api.EstimatedDecisionView | null} */
    let worst = null;
    for (const [number, { label: chosen }] of log.entries()) {
      if (table.seat === seat && table.actions.size > 1) {
        const estimates = await this.estimates(table, { ...REVIEW, seconds });
        const [best, own] = [estimates[0], estimates.find(({ label }) => label === chosen)];
        const isJudged = own && own.stderr !== null && best.stderr !== null;
        const loss = isJudged ? Math.abs(best.worth - own.worth) : 0;
        const stderr = isJudged ? Math.hypot(own.stderr, best.stderr) : Infinity;
        if (loss > (worst?.loss ?? 0)) worst = { number, chosen, best: best.label, loss, stderr };
      }
      table.enter(chosen);
    }
    return worst && worst.loss > SIGNIFICANCE * worst.stderr ? worst : null;
  }
}

/** @param {number[]} actions */
const any = (actions) => actions[Math.floor(Math.random() * actions.length)];
