/** The rules of a game as a module of JavaScript, by which this browser replays finished games. */

import { readRules } from "./api.js";
import { RULE_HASHES } from "./rule-hashes.js";
import { hex, sha256, textBytes } from "./sha256.js";

const TIME_LIMIT = 60000; // milliseconds for the replay of a game
const IMPORT = /\bimport\b/; // a module that imports others is not fixed by its hash: it is not run
/** @type {Map<string, Promise<{ source: string, hash: string } | null>>} */
const modules = new Map(); // that have been read, by game

/**
 * Return the hash of the rules that a game is played by: of a built-in game the one in this page, of any other game that of
 * the module that the server sends now; null if the rules have no translation.
 * @param {string} game
 */
export async function hashOfRules(game) {
  return RULE_HASHES[game] ?? (await readModule(game))?.hash ?? null;
}

/**
 * Read the rules of a finished game and replay it by them. The result is null if the server sends no rules, or promised
 * none before the game; the replay is null if they are not those that were promised, or fail.
 * @param {Page.View} view
 * @param {Page.StoredCommitment | null} stored
 * @returns {Promise<Page.GameRules | null>}
 */
export async function rulesOf(view, stored) {
  const module = await readModule(view.game);
  const isBuiltIn = view.game in RULE_HASHES;
  const promised = RULE_HASHES[view.game] ?? (stored ? stored.translation : module?.hash);
  if (!module || !promised) return null;
  const isExpected = module.hash === promised;
  const isRun = isExpected && !IMPORT.test(module.source);
  return { ...module, isBuiltIn, isExpected, replay: isRun ? await replayed(module.source, view) : null };
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
 * Replay a game in a worker, within the time limit.
 * @param {string} source
 * @param {Page.View} view
 * @returns {Promise<Page.Replay | null>}
 */
async function replayed(source, { rules, log, you, company }) {
  /** @type {Worker | null} */
  let worker = null;
  try {
    worker = new Worker(new URL("./replay-worker.js", import.meta.url), { type: "module" });
    return await new Promise((resolve) => {
      setTimeout(() => resolve(null), TIME_LIMIT);
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = () => resolve(null);
      const labels = log.map(({ label }) => label);
      worker.postMessage({ source, rules, labels, viewer: you, isAtOneDevice: company === "device" });
    });
  } catch {
    return null; // the log cannot be read, or the browser has no workers
  } finally {
    worker?.terminate();
  }
}
