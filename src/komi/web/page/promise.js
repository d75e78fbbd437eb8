/** What this browser keeps of a game, so that nothing can be changed afterwards.
 *
 * Before the game: the promise, all that the game is agreed on to be: the rules, each one, the seats, the opponent, the
 * hash of the server's seed, and the commitments to the players' numbers. During the game: what stayed the same from its
 * first view on, a digest of each step as it was shown, and all that was sent.
 */

import { hex, sha256, textBytes } from "./sha256.js";

/** The version of the protocol that this page plays by; what is kept of a game of an earlier one has no version. */
export const PROTOCOL = 2;

const MAX_KEPT = 40;
const DIGITS = 16; // of a step's digest
const LIST = "komi.promises";
const HIDDEN = "hidden";
/** @type {Record<string, string>} */
const TITLES = { __proto__: null, easy: "Easy", medium: "Medium", hard: "Hard", card: "Cheat sheet" };
const ABORTED = "komi.aborted";
/** @type {Map<string, Page.StoredPromise>} */
const inMemory = new Map(); // for browsers that keep nothing
let timesAborted = 0;

/** 16 bytes from this browser's own chance, in hex. */
export function drawNumber() {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

/**
 * The commitment to a number: SHA-256 of its hexadecimal digits.
 * @param {string} number
 */
export const hashOf = (number) => hex(sha256(textBytes(number)));

/**
 * Resolve all that is agreed on before a game of the catalog, each rule included; `company` is as in the view of a game.
 * @param {Api.CatalogGameView} game
 * @param {Partial<Page.Options>} options
 * @param {string | null} [company]
 * @returns {Page.Terms}
 */
export function termsOf(
  game,
  { rules, opponent = null, seat, mode = "normal", names = null, clock = null },
  company = names && "device",
) {
  const all = { ...Object.fromEntries(game.rules.map((rule) => [rule.name, rule.default])), ...rules };
  const isUsual = game.rules.every((rule) => all[rule.name] === rule.default);
  return {
    game: game.name,
    face: game.face,
    source: game.source,
    rules: all,
    mode,
    seat,
    company,
    clock,
    players: all.players ?? (isUsual ? game.players : null), // of a rule file under other rules only the server knows
    opponent: { name: opponent ?? "", title: titleOf(opponent ?? "") },
    names: names?.map((name, seat) => name || `Player ${seat + 1}`) ?? null,
  };
}

/**
 * Before the game: keep the terms, the hash that was shown, and the number that was drawn; `hashes` are the commitments of
 * all at a table of friends. A game has the id of the commitment that it began with.
 * @param {string} id
 * @param {string} hash
 * @param {string} number
 * @param {Page.Terms & { isHost?: boolean }} terms
 * @param {string[]} [hashes]
 */
export function keepPromise(id, hash, number, terms, hashes = null) {
  write(id, {
    version: PROTOCOL,
    hash,
    number,
    hashes,
    ...terms,
    shown: null,
    steps: [],
    sent: [],
    aborted: aborted(),
  });
}

/**
 * Count the games that the server did not begin after it had seen this browser's number, since the last that it began.
 * @param {boolean} isBegun
 */
export function keepBegun(isBegun) {
  timesAborted = isBegun ? 0 : aborted() + 1;
  try {
    localStorage.setItem(ABORTED, String(timesAborted));
  } catch {
    // It is counted for as long as the page is open.
  }
}

/** Return that count. */
function aborted() {
  try {
    return Number(localStorage.getItem(ABORTED)) || timesAborted;
  } catch {
    return timesAborted;
  }
}

/**
 * At a table of friends whose seats are all taken: keep all commitments, before this browser reveals its number.
 * @param {string} id
 * @param {string[]} hashes
 */
export function keepHashes(id, hashes) {
  write(id, { ...promiseOf(id), hashes });
}

/**
 * During the game: what has been shown so far; `hides` says that its states are not shown to all alike.
 * @param {Page.View} view
 * @param {boolean} hides
 */
export function keepSteps(view, hides) {
  const promise = promiseOf(view.id);
  if (!promise || ((promise.shown ?? promise.allRules) && promise.steps.length >= view.log.length)) return;
  if (promise.version) promise.shown ??= constantOf(view);
  else promise.allRules ??= view.rules;
  for (const entry of view.log.slice(promise.steps.length)) {
    promise.steps.push(entry.label === HIDDEN ? null : digest(entry, hides, promise));
  }
  promise.hides = hides;
  write(view.id, promise);
}

/**
 * Keep a move that is about to be sent, or a resignation, whose label is null.
 * @param {string} id
 * @param {number} number
 * @param {string | null} label
 */
export function keepSent(id, number, label) {
  const promise = promiseOf(id);
  if (!promise?.version) return;
  const again = promise.sent.find((one) => one.number === number && one.label === label);
  if (again) again.refused = false;
  else promise.sent.push({ number, label, refused: false });
  write(id, promise);
}

/**
 * Note that the server has refused a move or resignation, and said so.
 * @param {string} id
 * @param {number} number
 * @param {string | null} label
 */
export function keepRefused(id, number, label) {
  const promise = promiseOf(id);
  const refused = promise?.sent?.find((one) => one.number === number && one.label === label);
  if (!refused) return;
  refused.refused = true;
  write(id, promise);
}

/**
 * What is kept of a game; null if it was begun elsewhere.
 * @param {string} id
 * @returns {Page.StoredPromise | null}
 */
export function promiseOf(id) {
  try {
    return JSON.parse(localStorage.getItem(key(id))) ?? inMemory.get(id) ?? null;
  } catch {
    return inMemory.get(id) ?? null;
  }
}

/**
 * Whether chance was promised: what the server calls the game now is not asked.
 * @param {Page.View} view
 */
export const isPromised = (view) => view.mode !== "test" || (promiseOf(view.id)?.mode ?? "test") !== "test";

/**
 * Whether a step is as it was shown.
 * @param {Page.Line} entry
 * @param {Page.StoredPromise} promise
 */
export function isAsShown(entry, promise) {
  const shown = promise.steps[entry.number];
  return shown === null || shown === undefined || shown === digest(entry, promise.hides, promise);
}

/**
 * The title of an opponent, whatever the server says.
 * @param {string} opponent
 */
export const titleOf = (opponent) => TITLES[opponent] ?? opponent;

/**
 * What stays the same from the first view of a game to the last.
 * @param {Page.View} view
 */
export function constantOf({ face, solved, objective, card, names, players, fairness, clock }) {
  return {
    face,
    solved,
    objective,
    card,
    names,
    players,
    hash: fairness.hash,
    number: fairness.number,
    lot: fairness.lot,
    clock: clock && [clock.minutes, clock.seconds],
  };
}

/**
 * Digest the parts of a step that do not change after they are shown. If states are hidden, or each player at a shared
 * device sees the table from their own side, digest only what happened.
 * @param {Page.Line} entry
 * @param {boolean} hides
 * @param {Page.StoredPromise} promise
 */
function digest({ afters: _afters, luck: _luck, ...entry }, hides, { version, company }) {
  const { number, seat, kind, label, by, mover, state, outcomes } = entry;
  const happened = [number, seat, kind, label, by];
  const shown = hides
    ? happened
    : !version || company === "device"
      ? [...happened, mover, state, outcomes]
      : Object.entries(entry).sort(([one], [other]) => (one < other ? -1 : 1));
  return hex(sha256(textBytes(JSON.stringify(shown)))).slice(0, DIGITS);
}

/**
 * @param {string} id
 * @param {Page.StoredPromise} promise
 */
function write(id, promise) {
  inMemory.set(id, promise);
  try {
    const kept = [...new Set([...(JSON.parse(localStorage.getItem(LIST)) ?? []), id])];
    while (kept.length > MAX_KEPT) localStorage.removeItem(key(kept.shift()));
    localStorage.setItem(LIST, JSON.stringify(kept));
    localStorage.setItem(key(id), JSON.stringify(promise));
  } catch {
    // It is kept in memory, for as long as the page is open.
  }
}

/** @param {string} id */
const key = (id) => `komi.promise.${id}`;
