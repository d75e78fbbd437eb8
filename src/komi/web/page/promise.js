/** What this browser keeps of a game while it is played, so that nothing can be changed afterwards.
 *
 * Before the game: the hash that it was shown, the number that it drew, and what it asked for. During the game: a digest
 * of each step as it was shown.
 */

import { hex, sha256, textBytes } from "./sha256.js";

const MOST_KEPT = 40;
const DIGITS = 16; // of a step's digest
const LIST = "komi.promises";
const HIDDEN = "hidden";
const inMemory = new Map(); // for browsers that keep nothing

/** 16 bytes from this browser's own chance, in hex. */
export function drawNumber() {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

/** Before the game: what was shown, drawn and asked for; a game has the id of the commitment that it began with. */
export function keepPromise(id, hash, { game, rules, opponent, seat, mode, number }) {
  write(id, { hash, number, game, rules, opponent: opponent ?? "", seat, mode, allRules: null, steps: [] });
}

/** During the game: what has been shown so far; `hides` says that its states are not shown to all alike. */
export function keepSteps(view, hides) {
  const promise = promiseOf(view.id);
  if (!promise || (promise.allRules && promise.steps.length >= view.log.length)) return;
  promise.allRules ??= view.rules;
  for (const entry of view.log.slice(promise.steps.length)) {
    promise.steps.push(entry.label === HIDDEN ? null : digest(entry, hides));
  }
  promise.hides = hides;
  write(view.id, promise);
}

/** What is kept of a game; null if it was begun elsewhere. */
export function promiseOf(id) {
  try {
    return JSON.parse(localStorage.getItem(key(id))) ?? inMemory.get(id) ?? null;
  } catch {
    return inMemory.get(id) ?? null;
  }
}

/** Whether chance was promised: what the server calls the game now is not asked. */
export const isPromised = (view) => view.mode !== "test" || (promiseOf(view.id)?.mode ?? "test") !== "test";

/** Whether a step is as it was shown. */
export function isAsShown(entry, promise) {
  const shown = promise.steps[entry.number];
  return shown === null || shown === undefined || shown === digest(entry, promise.hides);
}

function digest({ number, seat, kind, label, by, mover, state, outcomes }, hides) {
  const shown = [number, seat, kind, label, by, ...(hides ? [] : [mover, state, outcomes])];
  return hex(sha256(textBytes(JSON.stringify(shown)))).slice(0, DIGITS);
}

function write(id, promise) {
  inMemory.set(id, promise);
  try {
    const kept = [...new Set([...(JSON.parse(localStorage.getItem(LIST)) ?? []), id])];
    while (kept.length > MOST_KEPT) localStorage.removeItem(key(kept.shift()));
    localStorage.setItem(LIST, JSON.stringify(kept));
    localStorage.setItem(key(id), JSON.stringify(promise));
  } catch {
    // It is kept in memory, for as long as the page is open.
  }
}

const key = (id) => `komi.promise.${id}`;
