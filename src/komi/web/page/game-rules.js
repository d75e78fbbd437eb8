/** The rules of a game as a module of JavaScript, by which this browser replays games in a worker. */

import { readRules } from "./api.js";
import { commitmentOf } from "./commitment.js";
import { viewOf } from "./game-view.js";
import { RULE_HASHES } from "./rule-hashes.js";
import { hex, sha256, textBytes } from "./sha256.js";

const CHECK_LIMIT = 60000; // milliseconds for the replay of a finished game
const VIEW_LIMIT = 2000; // milliseconds for the next steps of a game; after that, the page shows what the server reports
const IMPORT = /\bimport\b/; // a module that imports others is not fixed by its hash: it is not run
/** @type {Map<string, Promise<{ source: string, hash: string } | null>>} */
const modules = new Map(); // that have been read, by game

/**
 * Return the hash of the rules that a game is played by: of a built-in game the one in this page, of any other game that of
 * the module that the server sends now; null if the rules have no translation.
 * @param {string} game
 */
export async function hashOfRules(game) {
  const module = readModule(game); // requested before the game begins, which needs it at once
  return RULE_HASHES[game] ?? (await module)?.hash ?? null;
}

/**
 * Read the rules of a finished game and replay it by them. The result is null if the server sends no rules, or promised
 * none before the game; the replay is null if they are not those that were promised, or fail.
 * @param {Page.View} view
 * @param {Page.StoredCommitment | null} stored
 * @returns {Promise<Page.GameRules | null>}
 */
export async function rulesOf(view, stored) {
  const rules = await promisedRules(view.game, stored);
  if (!rules?.isRun) return rules && { ...rules, replay: null };
  const replayer = new Replayer();
  const replay = await within(CHECK_LIMIT, replayer.follow(rules.source, view), null);
  replayer.stop();
  return { ...rules, replay };
}

/** A game in progress. The page shows what follows from its steps by the rules, in place of what the server reports. */
export class ComputedGame {
  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.replayer = new Replayer();
    signal.addEventListener("abort", () => this.replayer.stop(), { once: true });
    /** @type {ReturnType<typeof promisedRules>} */
    this.rules = null;
    /** @type {Promise<Page.View>} */
    this.last = Promise.resolve(null);
    this.isLate = false;
  }

  /**
   * Return what the page shows in place of a response of the server, which it has as `received`. It is the response itself
   * where the rules are missing, fail, hide steps from this player, or take too long.
   * @param {Page.View} response
   * @returns {Promise<Page.View>}
   */
  async view(response) {
    const received = { ...response, received: response };
    if (this.isLate) return received;
    this.last = this.last.then(() => this.compute(received)).catch(() => received);
    const view = await within(VIEW_LIMIT, this.last, null);
    this.isLate = view === null;
    if (this.isLate) this.last.then(() => (this.isLate = false));
    return view ?? received;
  }

  /**
   * @param {Page.View} received
   * @returns {Promise<Page.View>}
   */
  async compute(received) {
    const stored = commitmentOf(received.id);
    const { rules, opponent, mode } = stored?.version ? stored : received;
    const game = { ...received, rules, opponent, mode, you: stored?.shown?.you ?? received.you };
    const { isRun, source } = (await (this.rules ??= promisedRules(game.game, stored))) ?? {};
    const replay = isRun && (await this.replayer.follow(source, game));
    if (replay?.moments.length !== game.log.length + 1 || (replay.hides && !received.result)) return received;
    const { resigned = null, late = false } = received.result || {};
    const view = { ...game, ...viewOf(replay, { ...game, resigned, late }), choices: replay.choices };
    return received.result && !view.result ? received : view;
  }
}

/** A worker that replays a game, and keeps it for its next steps. */
class Replayer {
  constructor() {
    /** @type {Page.Moment[]} */
    this.moments = [];
    try {
      this.worker = new Worker(new URL("./replay-worker.js", import.meta.url), { type: "module" });
    } catch {
      this.worker = null; // the browser has no workers
    }
  }

  /**
   * Replay the game up to its last step, or to one that the rules do not allow. The result is null if that fails.
   * @param {string} source
   * @param {Page.View} view
   * @returns {Promise<Page.Replay | null>}
   */
  async follow(source, { rules, you, company, log }) {
    if (!this.worker) return null;
    const data = await new Promise((resolve) => {
      this.worker.onmessage = ({ data }) => resolve(data);
      this.worker.onerror = () => resolve(null);
      const labels = log.map((entry) => entry?.label);
      const isAtOneDevice = company === "device";
      this.worker.postMessage({ source, rules, labels, viewer: you, isAtOneDevice, known: this.moments.length });
    });
    if (!data) return null;
    const { kept, moments, ...terms } = data;
    this.moments.splice(kept, Infinity, ...moments);
    return { ...terms, moments: this.moments };
  }

  stop() {
    this.worker?.terminate();
  }
}

/**
 * Read the rules of a game, and find out whether they are those that were promised and can be run.
 * @param {string} game
 * @param {Page.StoredCommitment | null} stored
 */
async function promisedRules(game, stored) {
  const module = await readModule(game);
  const promised = RULE_HASHES[game] ?? (stored ? stored.translation : module?.hash);
  if (!module || !promised) return null;
  const isExpected = module.hash === promised;
  return { ...module, isBuiltIn: game in RULE_HASHES, isExpected, isRun: isExpected && !IMPORT.test(module.source) };
}

/**
 * Read the module of a game. It is requested only once, unless that fails.
 * @param {string} game
 */
async function readModule(game) {
  if (!modules.has(game)) modules.set(game, requestModule(game));
  const module = await modules.get(game);
  if (!module) modules.delete(game);
  return module;
}

/** @param {string} game */
async function requestModule(game) {
  try {
    const { source } = await readRules(game);
    return { source, hash: hex(sha256(textBytes(source))) };
  } catch {
    return null;
  }
}

/**
 * Wait for a result, or return another one when the time is over. A timeout of `AbortSignal` is not slowed down.
 * @template T
 * @param {number} limit
 * @param {Promise<T>} result
 * @param {T} otherwise
 * @returns {Promise<T>}
 */
function within(limit, result, otherwise) {
  const late = new Promise((resolve) => {
    AbortSignal.timeout(limit).addEventListener("abort", () => resolve(otherwise), { once: true });
  });
  return Promise.race([result, late]);
}
