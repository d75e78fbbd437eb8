/** The part of the fairness check that compares a finished game with the stored commitment (see commitment.js): the terms
 * that this browser agreed to, the steps that it was shown, and the moves that it sent.
 *
 * Each function calls `addObjection` with a sentence for every mismatch.
 */

import { outcomeFor } from "./game-view.js";
import { t, tn } from "./language.js";
import { combineNumbers, drawSeat } from "./random-numbers.js";
import { PROTOCOL, hasSameFields, hashOf, sortKeys } from "./commitment.js";
import { POSITION } from "./snapshots.js";
import { bytesFromHex, hex, sha256 } from "./sha256.js";

/** @type {Record<string, string[]>} */
const KEYS = {
  view: [
    ...POSITION,
    "id",
    "game",
    "face",
    "solved",
    "searched",
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
    "decided",
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
    "revealed",
    "laid",
  ],
  after: ["state", "observer"],
  result: ["payoffs", "points", "score", "stopped", "resigned", "late", "you"],
  clock: ["minutes", "seconds", "left"],
  opponent: ["name", "title"],
  fairness: ["hash", "number", "numbers", "seed", "lot", "protocol", "source"],
};

/**
 * Compare the game with the stored commitment: the hash of the seed, the numbers, the rules and the opponent.
 * @param {Page.View} view
 * @param {Page.StoredCommitment} stored
 * @param {Page.GameRules | null} gameRules
 * @param {Page.Objection} addObjection
 */
export function checkCommitment(view, stored, gameRules, addObjection) {
  const { seed, hash } = view.fairness;
  if (hex(sha256(bytesFromHex(seed))) !== hash) addObjection(t`The seed does not have the hash that is shown.`);
  checkNumbers(view, stored, addObjection);
  if (!stored) return;
  if (stored.hash !== hash) addObjection(t`The hash is not the one that this browser was shown before the game.`);
  if (stored.steps.length > view.log.length)
    addObjection(t`Steps that this browser was shown are missing.`, view.log.length);
  const opponent = stored.version ? stored.opponent.name : stored.opponent;
  if (stored.game !== view.game || stored.mode !== view.mode || opponent !== view.opponent.name) {
    addObjection(t`This is not the game that this browser requested.`);
  }
  const rules = stored.version ? stored.rules : { ...stored.allRules, ...stored.rules };
  if (
    stored.version
      ? !isEqual(rules, view.rules)
      : Object.entries(rules).some(([name, rule]) => view.rules[name] !== rule)
  ) {
    addObjection(t`The rules are not the ones that this browser requested.`);
  }
  if (stored.version) checkAgreedTerms(view, stored, gameRules, addObjection);
}

/**
 * Compare the terms that only the current protocol version stores.
 * @param {Page.View} view
 * @param {Page.StoredCommitment} stored
 * @param {Page.GameRules | null} gameRules
 * @param {Page.Objection} addObjection
 */
function checkAgreedTerms(view, stored, gameRules, addObjection) {
  const { fairness, clock, names } = view;
  if (fairness.protocol !== PROTOCOL) addObjection(t`Chance events were not drawn with the agreed protocol.`);
  if (!gameRules && fairness.source !== stored.source)
    addObjection(t`The source of the rules is not the one that was promised before the game.`);
  if (view.opponent.title !== stored.opponent.title)
    addObjection(t`The opponent is ${view.opponent.title}, but this browser requested ${stored.opponent.title}.`);
  if (view.players !== (stored.players ?? view.players)) addObjection(t`The number of seats is not the agreed one.`);
  if (view.company !== stored.company || Boolean(names) !== Boolean(stored.company))
    addObjection(t`The players at the table are not the agreed ones.`);
  if (stored.names && !isEqual(names, stored.names)) addObjection(t`The names are not the agreed ones.`);
  if (!isEqual(clock && { minutes: clock.minutes, seconds: clock.seconds }, stored.clock))
    addObjection(t`The clock is not the agreed one.`);
  if (stored.shown && (!hasSameFields(view, stored) || view.face !== stored.face))
    addObjection(t`The game is not shown as it was at the beginning.`);
  if (stored.isAltered) addObjection(t`What this browser was shown before was altered during the game.`);
}

/**
 * Check that the number is the one that this browser drew, or follows from the numbers that the players had committed to.
 * @param {Page.View} view
 * @param {Page.StoredCommitment} stored
 * @param {Page.Objection} addObjection
 */
function checkNumbers(view, stored, addObjection) {
  const { number, numbers } = view.fairness;
  const isJoint = stored?.version ? stored.company === "link" : numbers !== null;
  if (!isJoint) {
    if (numbers !== null) addObjection(t`Other numbers were added to the number that this browser drew.`);
    if (stored && stored.number !== number) addObjection(t`The number is not the one that this browser drew.`);
    return;
  }
  if (!Array.isArray(numbers) || numbers.length !== view.players || view.company !== "link") {
    addObjection(t`There are not as many numbers as people at the table.`);
    if (!Array.isArray(numbers)) return;
  }
  if (combineNumbers(numbers) !== number) addObjection(t`The number does not follow from the players' numbers.`);
  const order = numbers.slice(1).map((each) => (view.fairness.protocol === 1 ? each : hashOf(each)));
  if (!isEqual(order, [...order].sort())) addObjection(t`The players' numbers are in the wrong order.`);
  if (!stored) return;
  if (!numbers.includes(stored.number))
    addObjection(t`The number that this browser drew is missing from the players' numbers.`);
  if (stored.version && !isEqual(numbers.map(hashOf), stored.hashes)) {
    addObjection(
      t`The numbers are not the ones to which the players had committed before this browser revealed its own.`,
    );
  }
}

/**
 * Check that this browser has the seat that it requested or that was drawn by lot.
 * @param {Page.View} view
 * @param {Page.StoredCommitment} stored
 * @param {Page.Objection} addObjection
 */
export function checkSeat(view, stored, addObjection) {
  const { seed, number, numbers, lot } = view.fairness;
  if (stored && lot !== (stored.seat === "either"))
    addObjection(t`The starting player was not chosen as this browser requested.`);
  if (view.company === "device") return; // all players use this browser
  if (stored?.seat === "next") {
    if (view.you !== (stored.next ?? view.you)) addObjection(t`This browser did not move on to the next seat.`);
    return;
  }
  const first = lot ? drawSeat(seed, number, view.players) : { first: 0, second: 1 % view.players }[stored?.seat];
  const expected =
    numbers && stored ? (first + numbers.indexOf(stored.number)) % view.players : numbers ? undefined : first;
  if (expected !== undefined && view.you !== expected) {
    addObjection(
      lot
        ? t`The draw for the starting player does not follow from the seed.`
        : t`This browser requested another seat.`,
    );
  }
}

/**
 * Check that the log contains exactly the moves that this browser sent.
 * @param {Page.View} view
 * @param {Page.StoredCommitment} stored
 * @param {Page.Objection} addObjection
 */
export function checkSent(view, stored, addObjection) {
  if (!stored?.version) return;
  const own = view.log.filter(({ by }) => by === "you");
  for (const { number, label } of own) {
    if (!stored.sent.some((one) => one.number === number && one.label === label))
      addObjection(t`this browser did not send ${label}.`, number);
  }
  for (const { number, label, refused } of stored.sent) {
    if (label !== null && !refused && !own.some((entry) => entry.number === number && entry.label === label))
      addObjection(t`this browser sent ${label}, which is missing.`, number);
  }
  const { resigned, late } = view.result;
  const isOwn = resigned !== null && !late && (view.company === "device" || resigned === view.you);
  const resignations = stored.sent.filter(({ label }) => label === null);
  if (isOwn && resignations.every(({ refused }) => refused))
    addObjection(t`This browser did not send your resignation.`);
  if (!isOwn && resignations.some(({ refused }) => !refused))
    addObjection(t`This browser sent your resignation, but the result does not show it.`);
}

/**
 * Report every field that the check does not cover.
 * @param {Page.View} view
 * @param {Page.Objection} addObjection
 */
export function checkKeys(view, addObjection) {
  /**
   * @param {object} one
   * @param {string[]} keys
   * @param {number} [step]
   */
  const check = (one, keys, step = null) => {
    for (const key of Object.keys(one ?? {})) {
      if (!keys.includes(key))
        addObjection(
          step === null
            ? t`The server reports “${key}”, which was not agreed.`
            : t`the server reports “${key}”, which was not agreed.`,
          step,
        );
    }
  };
  check(view, KEYS.view);
  for (const name of /** @type {const} */ (["result", "clock", "opponent", "fairness"])) check(view[name], KEYS[name]);
  check(view.start, POSITION);
  for (const [step, entry] of view.log.entries()) {
    check(entry, KEYS.line, step);
    for (const after of entry.afters ?? []) check(after, KEYS.after, step);
  }
}

/**
 * Check that a finished game offers no moves, and that the result matches its payoffs and steps.
 * @param {Page.View} view
 * @param {Page.Objection} addObjection
 */
export function checkResult(view, addObjection) {
  const { payoffs, score, resigned, late, you } = view.result;
  const isIdle = view.waiting === null && view.pending === null && view.decided === false && view.first === 0;
  if (!isIdle || view.actions.length > 0 || view.events.length > 0)
    addObjection(t`The server says that the game goes on, but it is over.`);
  if (payoffs.length !== view.players || you !== outcomeFor(payoffs, view.you))
    addObjection(t`The result does not match the payoffs.`);
  const gained = view.log.at(-1)?.gained ?? null;
  if (score !== (gained === null ? null : gained + payoffs[0]))
    addObjection(t`The score is not the one reached in the game.`);
  if (late && (resigned === null || !view.clock))
    addObjection(t`The server says that the game was lost on time, but there was no clock.`);
}

/**
 * List what this browser cannot verify, one sentence each. If there is anything, the verdict is not Yes.
 * @param {Page.View} view
 * @param {Page.StoredCommitment} stored
 * @param {Api.CatalogGameView} game
 * @param {Page.GameRules | null} gameRules
 */
export function reservations(view, stored, game, gameRules) {
  const refused = stored.refusals ?? 0;
  return [
    stored.version && stored.views
      ? ""
      : t`The game was started with an earlier version of komi, which did not store everything that was agreed and sent: that part is not checked.`,
    gameRules?.replay
      ? ""
      : t`Your browser does not have the rules of ${game.title}: you have to trust the server on what could happen, how likely it was, what followed and who won.`,
    stored.aborted > 0
      ? tn(
          stored.aborted,
          "Once before this game, the server saw this browser's number and then started no game, or lost it: it could have picked the luckier one.",
          "{0} times before this game, the server saw this browser's number and then started no game, or lost it: it could have picked the luckiest one.",
        )
      : "",
    refused > 0
      ? tn(
          refused,
          "The server refused {0} move that was legal: it could have refused an unlucky one.",
          "The server refused {0} moves that were legal: it could have refused unlucky ones.",
        )
      : "",
    view.result.late ? t`You have to trust the server that the time ran out.` : "",
  ].filter(Boolean);
}

/**
 * @param {unknown} one
 * @param {unknown} other
 */
export function isEqual(one, other) {
  return JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(other));
}
