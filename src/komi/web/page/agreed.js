/** The part of the check that compares a finished game with its promise: what this browser agreed on, was shown and sent.
 *
 * Each function calls `object` with a sentence for whatever does not fit. promise.js keeps the promise.
 */

import { KNOWN } from "./chances.js";
import { t, tn } from "./language.js";
import { joined, seatByLot } from "./luck.js";
import { PROTOCOL, constantOf, hashOf } from "./promise.js";
import { bytesOf, hex, sha256 } from "./sha256.js";

const DELETED_NAME = "Deleted player"; // the server's name for a person who has deleted all data
const POSITION = ["state", "eyes", "written", "squares", "beside", "throw", "faces", "filled"];
/** @type {Record<string, string[]>} */
const KEYS = {
  view: [
    ...POSITION,
    "id",
    "game",
    "face",
    "solved",
    "rules",
    "mode",
    "opponent",
    "names",
    "company",
    "players",
    "you",
    "objective",
    "card",
    "number",
    "mover",
    "waiting",
    "actions",
    "events",
    "settled",
    "pending",
    "start",
    "first",
    "log",
    "result",
    "clock",
    "fairness",
  ],
  line: [
    ...POSITION,
    "keeps",
    "scores",
    "number",
    "seat",
    "kind",
    "label",
    "by",
    "mover",
    "luck",
    "outcomes",
    "afters",
    "gained",
  ],
  after: ["state", "eyes"],
  result: ["payoffs", "score", "stopped", "resigned", "late", "you"],
  clock: ["minutes", "seconds", "left"],
  opponent: ["name", "title"],
  fairness: ["hash", "number", "numbers", "seed", "lot", "protocol", "source"],
};

/**
 * Compare the game with the promise: the server's commitment, the numbers, the rules and the opponent.
 * @param {Page.View} view
 * @param {Page.StoredPromise} promise
 * @param {Page.Objection} object
 */
export function checkPromise(view, promise, object) {
  const { seed, hash } = view.fairness;
  if (hex(sha256(bytesOf(seed))) !== hash) object(t`The seed does not have the hash that is shown.`);
  checkNumbers(view, promise, object);
  if (!promise) return;
  if (promise.hash !== hash) object(t`The hash is not the one that this browser was shown before the game.`);
  if (promise.steps.length > view.log.length)
    object(t`Steps that this browser was shown are missing.`, view.log.length);
  const opponent = promise.version ? promise.opponent.name : promise.opponent;
  if (promise.game !== view.game || promise.mode !== view.mode || opponent !== view.opponent.name) {
    object(t`This is not the game that this browser requested.`);
  }
  const rules = promise.version ? promise.rules : { ...promise.allRules, ...promise.rules };
  if (
    promise.version ? !same(rules, view.rules) : Object.entries(rules).some(([name, rule]) => view.rules[name] !== rule)
  ) {
    object(t`The rules are not the ones that this browser requested.`);
  }
  if (promise.version) checkTerms(view, promise, object);
}

/**
 * Compare what only this version of the page promises.
 * @param {Page.View} view
 * @param {Page.StoredPromise} promise
 * @param {Page.Objection} object
 */
function checkTerms(view, promise, object) {
  const { fairness, clock, names } = view;
  if (fairness.protocol !== PROTOCOL) object(t`Chance events were not drawn with the agreed protocol.`);
  if (!KNOWN[view.game]?.outcomes && fairness.source !== promise.source)
    object(t`The source of the rules is not the one that was promised before the game.`);
  if (view.opponent.title !== promise.opponent.title)
    object(t`The opponent is ${view.opponent.title}, but this browser requested ${promise.opponent.title}.`);
  if (view.players !== (promise.players ?? view.players)) object(t`The number of seats is not the agreed one.`);
  if (view.company !== promise.company || Boolean(names) !== Boolean(promise.company))
    object(t`The players at the table are not the agreed ones.`);
  if (promise.names && !same(names, promise.names)) object(t`The names are not the agreed ones.`);
  if (!same(clock && { minutes: clock.minutes, seconds: clock.seconds }, promise.clock))
    object(t`The clock is not the agreed one.`);
  if (!promise.shown) return;
  const [before, now] = [promise.shown, constantOf(view)].map((shown) => ({ ...shown, names: null }));
  const isNamed =
    same(promise.shown.names?.length, names?.length) &&
    (names ?? []).every((name, seat) => [promise.shown.names[seat], DELETED_NAME].includes(name));
  if (!same(before, now) || !isNamed || view.face !== promise.face)
    object(t`The game is not shown as it was at the beginning.`);
}

/**
 * Check that the number is the one that this browser drew, or is made of those that the players had committed to.
 * @param {Page.View} view
 * @param {Page.StoredPromise} promise
 * @param {Page.Objection} object
 */
function checkNumbers(view, promise, object) {
  const { number, numbers } = view.fairness;
  const isTogether = promise?.version ? promise.company === "link" : numbers !== null;
  if (!isTogether) {
    if (numbers !== null) object(t`Other numbers were added to the number that this browser drew.`);
    if (promise && promise.number !== number) object(t`The number is not the one that this browser drew.`);
    return;
  }
  if (!Array.isArray(numbers) || numbers.length !== view.players || view.company !== "link") {
    object(t`There are not as many numbers as people at the table.`);
    if (!Array.isArray(numbers)) return;
  }
  if (joined(numbers) !== number) object(t`The number does not follow from the players' numbers.`);
  const order = numbers.slice(1).map((each) => (view.fairness.protocol === 1 ? each : hashOf(each)));
  if (!same(order, [...order].sort())) object(t`The players' numbers are in the wrong order.`);
  if (!promise) return;
  if (!numbers.includes(promise.number))
    object(t`The number that this browser drew is missing from the players' numbers.`);
  if (promise.version && !same(numbers.map(hashOf), promise.hashes)) {
    object(t`The numbers are not the ones to which the players had committed before this browser revealed its own.`);
  }
}

/**
 * Check that this browser has the seat that it requested or that was drawn by lot.
 * @param {Page.View} view
 * @param {Page.StoredPromise} promise
 * @param {Page.Objection} object
 */
export function checkSeat(view, promise, object) {
  const { seed, number, numbers, lot } = view.fairness;
  if (promise && lot !== (promise.seat === "either"))
    object(t`The starting player was not chosen as this browser requested.`);
  if (view.company === "device") return; // all seats are this browser's
  const first = lot ? seatByLot(seed, number, view.players) : { first: 0, second: 1 % view.players }[promise?.seat];
  const expected =
    numbers && promise ? (first + numbers.indexOf(promise.number)) % view.players : numbers ? undefined : first;
  if (expected !== undefined && view.you !== expected) {
    object(
      lot
        ? t`The draw for the starting player does not follow from the seed.`
        : t`This browser requested another seat.`,
    );
  }
}

/**
 * Check that this browser sent each move that is recorded as its own, and that each move it sent is recorded.
 * @param {Page.View} view
 * @param {Page.StoredPromise} promise
 * @param {Page.Objection} object
 */
export function checkSent(view, promise, object) {
  if (!promise?.version) return;
  const own = view.log.filter(({ by }) => by === "you");
  for (const { number, label } of own) {
    if (!promise.sent.some((one) => one.number === number && one.label === label))
      object(t`this browser did not send ${label}.`, number);
  }
  for (const { number, label, refused } of promise.sent) {
    if (label !== null && !refused && !own.some((entry) => entry.number === number && entry.label === label))
      object(t`this browser sent ${label}, which is missing.`, number);
  }
  const { resigned, late } = view.result;
  const isOwn = resigned !== null && !late && (view.company === "device" || resigned === view.you);
  const given = promise.sent.filter(({ label }) => label === null);
  if (isOwn && given.length === 0) object(t`This browser did not send your resignation.`);
  if (!isOwn && given.some(({ refused }) => !refused))
    object(t`This browser sent your resignation, but the result does not show it.`);
}

/**
 * Object to every field that the check does not cover.
 * @param {Page.View} view
 * @param {Page.StoredPromise} promise
 * @param {Page.Objection} object
 */
export function checkKeys(view, promise, object) {
  /**
   * @param {object} one
   * @param {string[]} keys
   * @param {number} [step]
   */
  const check = (one, keys, step = null) => {
    for (const key of Object.keys(one ?? {})) {
      if (!keys.includes(key))
        object(
          step === null
            ? t`The server reports “${key}”, which was not agreed.`
            : t`the server reports “${key}”, which was not agreed.`,
          step,
        );
    }
  };
  check(view, promise ? KEYS.view : [...KEYS.view, "isByName"]); // as shared.js marks it
  for (const name of /** @type {const} */ (["result", "clock", "opponent", "fairness"])) check(view[name], KEYS[name]);
  check(view.start, POSITION);
  for (const [step, entry] of view.log.entries()) {
    check(entry, KEYS.line, step);
    for (const after of entry.afters ?? []) check(after, KEYS.after, step);
  }
}

/**
 * Check that a finished game offers no moves, and that the result agrees with its payoffs and its steps.
 * @param {Page.View} view
 * @param {Page.Objection} object
 */
export function checkResult(view, object) {
  const { payoffs, score, resigned, late, you } = view.result;
  const isIdle = view.waiting === null && view.pending === null && view.settled === false && view.first === 0;
  if (!isIdle || view.actions.length > 0 || view.events.length > 0)
    object(t`The server says that the game goes on, but it is over.`);
  if (payoffs.length !== view.players || you !== endOf(payoffs, view.you))
    object(t`The result does not match the payoffs.`);
  const gained = view.log.at(-1)?.gained ?? null;
  if (score !== (gained === null ? null : gained + payoffs[0]))
    object(t`The score is not the one reached in the game.`);
  if (late && (resigned === null || !view.clock))
    object(t`The server says that the game was lost on time, but there was no clock.`);
}

/**
 * Name the result for a seat, by the same rules as the server.
 * @param {number[]} payoffs
 * @param {number} seat
 */
function endOf(payoffs, seat) {
  if (payoffs[seat] === 1) return "won";
  if (payoffs[seat] === 0) return "lost";
  if (payoffs.length > 1 && payoffs.every((payoff) => payoff === payoffs[0])) return "drew";
  const winners = payoffs.filter((payoff) => payoff > 0);
  return winners.length > 1 && winners.every((payoff) => payoff === winners[0]) ? "shared" : "got";
}

/**
 * List what rests on the server's word alone, one sentence each; if there is any, the verdict is not Yes.
 * @param {Page.View} view
 * @param {Page.StoredPromise} promise
 * @param {Api.CatalogGameView} game
 */
export function reservations(view, promise, game) {
  const known = KNOWN[view.game];
  return [
    promise.version
      ? ""
      : t`The game was started with an earlier version of komi, which did not store everything that was agreed and sent: that part is not checked.`,
    known?.cards || known?.outcomes
      ? ""
      : t`Your browser does not have the rules of ${game.title}: you have to trust the server on what could happen, how likely it was, what followed and who won.`,
    known?.cards
      ? t`Of the rules of ${game.title}, your browser has only the deck: it checks every card, but you have to trust the server on what followed from a move and who won.`
      : "",
    promise.aborted > 0
      ? tn(
          promise.aborted,
          "Once before this game, the server saw this browser's number and then started no game: it could have picked the luckier one.",
          "{0} times before this game, the server saw this browser's number and then started no game: it could have picked the luckiest one.",
        )
      : "",
    view.result.late ? t`You have to trust the server that the time ran out.` : "",
  ].filter(Boolean);
}

/**
 * @param {unknown} one
 * @param {unknown} other
 */
export function same(one, other) {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/**
 * @param {unknown} value
 * @returns {unknown}
 */
function sorted(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}
