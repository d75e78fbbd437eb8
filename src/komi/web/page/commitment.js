/** The commitment scheme: what this browser stores about a game, so that the server cannot change anything afterwards.
 *
 * Before the game: the agreed terms (every rule, the seats, the opponent), the hash of the server's seed, and the
 * commitments to the players' numbers. During the game: the fields that never change, a digest of each step as it was
 * shown and of the table with the choices in each response, and the moves that this browser sent. The keys in the
 * browser's storage start with "komi.promise".
 */

import { t } from "./language.js";
import { hex, sha256, textBytes } from "./sha256.js";
import { HIDDEN, POSITION } from "./snapshots.js";

/** The version of the protocol that this page uses. Entries that an earlier protocol stored have no version. */
export const PROTOCOL = 2;

const MAX_STORED = 40;
const DIGEST_LENGTH = 16; // of a step's digest
const [WORDS, CONSONANTS, VOWELS] = [6, "bdfghjklmnprstvz", "aiou"]; // for digests that are compared aloud
const LIST_KEY = "komi.promises";
/** The fields of a view that change during a game and that the page shows. */
const TABLE = [
  ...POSITION.filter((name) => name !== "table"),
  "number",
  "mover",
  "waiting",
  "pending",
  "actions",
  "events",
  "decided",
];
const ADDED = ["table", "laid", "item"]; // fields that earlier versions did not digest: they count where they are not null
/** @type {Record<string, string>} */
const OPPONENT_TITLES = {
  __proto__: null,
  easy: "Easy",
  medium: "Medium",
  hard: "Hard",
  card: "Cheat sheet",
  learned: "Learned",
};
const ABORTED_KEY = "komi.aborted";
const DELETED_NAME = "Deleted player"; // the server's name for a person who has deleted all data
/** @type {Map<string, Page.StoredCommitment>} */
const memoryStore = new Map(); // for browsers without storage
let timesAborted = 0;

/** Draw 16 random bytes in this browser, in hexadecimal digits. */
export function drawNumber() {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

/**
 * Return the commitment to a number: the SHA-256 of its hexadecimal digits.
 * @param {string} number
 */
export const hashOf = (number) => hex(sha256(textBytes(number)));

/**
 * Return the terms of a game of the catalog, including the default of each rule. `company` is as in the view of a game.
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
  const changed = game.rules.filter((rule) => all[rule.name] !== rule.default).map((rule) => rule.name);
  return {
    game: game.name,
    face: game.face,
    source: game.source,
    rules: all,
    changed,
    mode,
    seat,
    company,
    clock,
    translation: null, // set before the terms are stored
    players: all.players ?? (changed.length === 0 ? game.players : null), // for a rule file with changed rules, only the server knows
    opponent: { name: opponent ?? "", title: titleOf(opponent ?? "") },
    names: names?.map((name, seat) => name || `Player ${seat + 1}`) ?? null,
  };
}

/**
 * Store, before the game, the terms, the hash that was shown, and the number that was drawn. `hashes` are the commitments of
 * all players at a table of friends. The id of a game is that of its commitment. An id is used once: only a guest can take
 * a seat again at a table whose game has not begun.
 * @param {string} id
 * @param {string} hash
 * @param {string} number
 * @param {Page.Terms & { isHost?: boolean, key?: string | null, next?: number | null }} terms
 * @param {string[]} [hashes]
 */
export function storeCommitment(id, hash, number, terms, hashes = null) {
  const earlier = commitmentOf(id);
  if (earlier && (terms.isHost !== false || earlier.shown))
    throw new Error(t`The server has sent the commitment of an earlier game again: no game begins with it.`);
  write(id, {
    version: PROTOCOL,
    hash,
    number,
    hashes,
    ...terms,
    shown: null,
    steps: [],
    views: [],
    sent: [],
    aborted: abortedCount(),
  });
}

/**
 * Count the games that the server did not start after it had received this browser's number, or that vanished after their
 * beginning, since the last one that it started.
 * @param {boolean} isBegun
 */
export function recordStart(isBegun) {
  timesAborted = isBegun ? 0 : abortedCount() + 1;
  try {
    localStorage.setItem(ABORTED_KEY, String(timesAborted));
  } catch {
    // Without storage, the count lasts as long as the page is open.
  }
}

/**
 * Record that the server does not have a game that has begun: it counts as aborted, unless it was over.
 * @param {string} id
 */
export function recordVanished(id) {
  const stored = commitmentOf(id);
  if (!stored?.shown || stored.isOver) return;
  stored.isOver = true; // counted once
  write(id, stored);
  recordStart(false);
}

/**
 * Record that the user has removed a game, or all games without an id.
 * @param {string} [id]
 */
export function recordRemoval(id) {
  for (const each of id ? [id] : storedIds()) {
    const stored = commitmentOf(each);
    if (stored) write(each, { ...stored, isOver: true });
  }
}

/** Return the number of games in a row that the server did not start, or that vanished. */
function abortedCount() {
  try {
    return Number(localStorage.getItem(ABORTED_KEY)) || timesAborted;
  } catch {
    return timesAborted;
  }
}

/**
 * Store all commitments at a table of friends, before this browser reveals its number.
 * @param {string} id
 * @param {string[]} hashes
 */
export function storeHashes(id, hashes) {
  write(id, { ...commitmentOf(id), hashes });
}

/**
 * Store digests of the steps and of the table shown so far. `hides` is true if the game has hidden information.
 * @param {Page.View} view
 * @param {boolean} hides
 */
export function storeSteps(view, hides) {
  const stored = commitmentOf(view.id);
  if (!stored) return;
  const before = JSON.stringify(stored);
  if (stored.version) stored.shown ??= constantFields(view);
  else stored.allRules ??= view.rules;
  const steps = view.log.map((entry) => (entry.label === HIDDEN ? null : digest(entry, hides, stored)));
  const isSame = steps.every((step, i) => step === null || (stored.steps[i] ?? step) === step);
  if (!isSame || !hasSameFields(view, stored)) stored.isAltered = true;
  stored.steps.push(...steps.slice(stored.steps.length));
  stored.hides = hides;
  stored.isOver = Boolean(view.result);
  const shown = digestOfTable(view);
  const isNew = stored.views && !stored.isOver && !stored.views.some(([, each]) => each === shown);
  if (isNew) stored.views.push([view.number, shown]);
  if (JSON.stringify(stored) !== before) write(view.id, stored);
}

/**
 * Digest the table and the choices that a view shows.
 * @param {any} shown
 */
export const digestOfTable = (shown) =>
  digestOf([...TABLE, ...(shown.table ? ["table"] : [])].map((name) => sortKeys(shown[name])));

/**
 * Store a move that is about to be sent. A resignation has the label null.
 * @param {string} id
 * @param {number} number
 * @param {string | null} label
 */
export function storeSent(id, number, label) {
  const stored = commitmentOf(id);
  if (!stored?.version) return;
  const earlier = stored.sent.find((one) => one.number === number && one.label === label);
  if (earlier) earlier.refused = false;
  else stored.sent.push({ number, label, refused: false });
  write(id, stored);
}

/**
 * Record that the server has explicitly refused a move or resignation. `isLegal` is true if the game that it returned offers
 * the move.
 * @param {string} id
 * @param {number} number
 * @param {string | null} label
 * @param {boolean} isLegal
 */
export function markRefused(id, number, label, isLegal) {
  const stored = commitmentOf(id);
  const refused = stored?.sent?.find((one) => one.number === number && one.label === label);
  if (!refused) return;
  refused.refused = true;
  if (isLegal) stored.refusals = (stored.refusals ?? 0) + 1;
  write(id, stored);
}

/**
 * Read what is stored about a game, or null if it was started in another browser.
 * @param {string} id
 * @returns {Page.StoredCommitment | null}
 */
export function commitmentOf(id) {
  try {
    return JSON.parse(localStorage.getItem(key(id))) ?? memoryStore.get(id) ?? null;
  } catch {
    return memoryStore.get(id) ?? null;
  }
}

/**
 * Return whether the chance events are verifiable. The stored mode counts, in case the server now reports another one.
 * @param {Page.View} view
 */
export const isVerifiable = (view) => view.mode !== "test" || (commitmentOf(view.id)?.mode ?? "test") !== "test";

/**
 * Return whether a step is the same as when it was shown.
 * @param {Page.Line} entry
 * @param {Page.StoredCommitment} stored
 */
export function isAsShown(entry, stored) {
  const shown = stored.steps[entry.number];
  return shown === null || shown === undefined || shown === digest(entry, stored.hides, stored);
}

/**
 * Digest a finished game among friends: what all of them must have seen alike.
 * @param {Page.View} view
 */
export function digestOfGame({ game, rules, fairness, clock, log, result }) {
  const { hash, numbers, lot } = fairness;
  const steps = log.map(({ seat, label }) => [seat, label]);
  const { payoffs, resigned, late, stopped } = result;
  const agreed = [game, sortKeys(rules), hash, numbers, lot, clock && [clock.minutes, clock.seconds]];
  return sha256(textBytes(JSON.stringify([...agreed, steps, payoffs, resigned, late, stopped])));
}

/**
 * Return the digest of a finished game as pronounceable words, which players compare (D. Wilkerson, "Proquints", 2009).
 * @param {Page.View} view
 */
export function comparisonWords(view) {
  const digest = new DataView(digestOfGame(view).buffer);
  return Array.from({ length: WORDS }, (_, i) => {
    const bits = digest.getUint16(2 * i);
    const letters = [12, 10, 6, 4, 0].map((shift, k) =>
      k % 2 ? VOWELS[(bits >> shift) & 3] : CONSONANTS[(bits >> shift) & 15],
    );
    return letters.join("");
  }).join(" ");
}

/**
 * Return the title of an opponent, independently of the server.
 * @param {string} opponent
 */
export const titleOf = (opponent) => OPPONENT_TITLES[opponent] ?? opponent;

/**
 * Return the fields of a view that do not change during a game.
 * @param {Page.View} view
 */
function constantFields(view) {
  const { game, face, solved, objective, card, names, players, company, you, fairness, clock } = view;
  return {
    game,
    face,
    solved,
    objective,
    card,
    names,
    players,
    company,
    you: company === "device" ? null : you,
    rules: view.rules,
    mode: view.mode,
    opponent: view.opponent,
    hash: fairness.hash,
    number: fairness.number,
    lot: fairness.lot,
    clock: clock && [clock.minutes, clock.seconds],
  };
}

/**
 * Return whether the fields that do not change are those of the first view. A person may have deleted their data since.
 * @param {Page.View} view
 * @param {Page.StoredCommitment} stored
 */
export function hasSameFields(view, { shown }) {
  if (!shown || !view.fairness) return !shown;
  /** @type {any} */
  const { names, ...now } = constantFields(view);
  const isNamed =
    shown.names?.length === names?.length &&
    (names ?? []).every((/** @type {string} */ name, /** @type {number} */ seat) =>
      [shown.names[seat], DELETED_NAME].includes(name),
    );
  const isSame = Object.keys(now).every(
    (name) => !(name in shown) || digestOf(sortKeys(now[name])) === digestOf(sortKeys(shown[name])),
  );
  return isNamed && isSame;
}

/**
 * Digest the parts of a step that do not change after they are shown. If states are hidden, digest only what happened; if
 * each player at a shared device sees the table from their own side, leave out what depends on it. The observer is called
 * `eyes`, because earlier versions stored digests with this name.
 * @param {Page.Line} entry
 * @param {boolean} hides
 * @param {Page.StoredCommitment} stored
 */
function digest({ afters: _afters, luck: _luck, revealed, observer, ...entry }, hides, { version, company, views }) {
  const { number, seat, kind, label, by, mover, state, outcomes, keeps, scores, gained, written, faces, filled } =
    entry;
  const onTable = entry.table || entry.laid ? [sortKeys([entry.table, entry.laid])] : [];
  const happened = [number, seat, kind, label, by, ...(views ? [revealed] : [])]; // earlier versions stored no views
  const onEverySide = views ? [keeps, scores, gained, written, entry.throw, faces, filled, ...onTable] : [];
  const shown = hides
    ? happened
    : !version || company === "device"
      ? [...happened, mover, state, outcomes, ...onEverySide]
      : sortKeys({ ...entry, ...(views && { revealed }), eyes: observer });
  return digestOf(shown);
}

/** @param {unknown} value */
const digestOf = (value) => hex(sha256(textBytes(JSON.stringify(value)))).slice(0, DIGEST_LENGTH);

/**
 * Return a value whose objects have their keys in alphabetical order, without those of `ADDED` that are null.
 * @param {unknown} value
 * @returns {unknown}
 */
export function sortKeys(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => each !== null || !ADDED.includes(key))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, sortKeys(each)]),
  );
}

/**
 * @param {string} id
 * @param {Page.StoredCommitment} stored
 */
function write(id, stored) {
  memoryStore.set(id, stored);
  try {
    const ids = [...new Set([...storedIds(), id])];
    while (ids.length > MAX_STORED) localStorage.removeItem(key(ids.shift()));
    localStorage.setItem(LIST_KEY, JSON.stringify(ids));
    localStorage.setItem(key(id), JSON.stringify(stored));
  } catch {
    // Without storage, it is kept in memory as long as the page is open.
  }
}

/** @returns {string[]} */
function storedIds() {
  try {
    return JSON.parse(localStorage.getItem(LIST_KEY)) ?? [];
  } catch {
    return [...memoryStore.keys()];
  }
}

/** @param {string} id */
const key = (id) => `komi.promise.${id}`;
