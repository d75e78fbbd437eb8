/** The fairness check of a finished game. It treats every field of the server's response as untrusted.
 *
 * The uniform random number of each chance event is recomputed from the seed. The published outcomes must partition the
 * interval from 0 to 1 in the order of their labels, and the recorded outcome must be the one that the random number
 * selects. The game is replayed by its rules (see game-rules.js): what the server reports of each step and of the result
 * must be the same, and so must the table and the choices that this browser was shown during the game. terms-check.js
 * compares the game with the terms that were agreed on.
 */

import { checkKeys, checkCommitment, checkResult, checkSeat, checkSent, isEqual } from "./terms-check.js";
import { byLabel, payoffsOfResignation } from "./game-view.js";
import { t } from "./language.js";
import { sampledOutcome, randomNumberOf } from "./random-numbers.js";
import { PROTOCOL, isAsShown, commitmentOf, digestOfTable } from "./commitment.js";
import { POSITION } from "./snapshots.js";

const SUM_TOLERANCE = 1e-9; // of the sum of the probabilities
const TOLERANCE = 1e-12; // of one probability or payoff
const HEX_BYTES = /^(?:[0-9a-f]{2})+$/;

/**
 * List the objections to a finished game. The list is empty if the game was fair.
 * @param {Page.View} view
 * @param {Page.StoredCommitment} [stored]
 * @param {Page.GameRules} [rules] the rules of the game, with the game that was replayed by them
 */
export function findObjections(view, stored = commitmentOf(view.id), rules = null) {
  /** @type {{ step: number | null, sentence: string }[]} */
  const found = [];
  /**
   * @param {string} sentence
   * @param {number} [step]
   */
  const addObjection = (sentence, step = null) => found.push({ step, sentence });
  if (!isSeedRevealed(view.fairness)) {
    addObjection(t`The server has not revealed its seed.`);
    return found;
  }
  if (rules && !rules.isExpected)
    addObjection(t`The rules that the server sends are not the ones that were promised before the game.`);
  checkKeys(view, addObjection);
  checkCommitment(view, stored, rules, addObjection);
  checkSeat(view, stored, addObjection);
  checkSent(view, stored, addObjection);
  checkResult(view, addObjection);
  new LogChecker(view, stored, rules?.replay ?? null, addObjection).check();
  return found;
}

/**
 * Return whether the server has revealed the seed.
 * @param {Api.FairnessView} fairness
 */
export function isSeedRevealed(fairness) {
  return [fairness?.seed, fairness?.hash, fairness?.number].every(
    (digits) => typeof digits === "string" && HEX_BYTES.test(digits),
  );
}

/** Checks that each step of a log follows from the one before. */
class LogChecker {
  /**
   * @param {Page.View} view
   * @param {Page.StoredCommitment} stored
   * @param {Page.Replay | null} replay
   * @param {Page.Objection} addObjection
   */
  constructor(view, stored, replay, addObjection) {
    this.view = view;
    this.stored = stored;
    this.replay = replay;
    this.addObjection = addObjection;
    this.isSorted = (stored?.version ?? view.fairness.protocol) === PROTOCOL;
  }

  check() {
    const { view, replay } = this;
    if (view.number !== view.log.length) this.addObjection(t`There are too few or too many steps.`, view.log.length);
    if (!isPosition(view.start, this.moment(0))) this.addObjection(t`The game did not start as the rules require.`);
    for (const [step, entry] of view.log.entries()) {
      const objection = this.findObjection(entry, step);
      if (objection) this.addObjection(objection, step);
    }
    this.checkEnd();
    if (replay) this.checkTerms(replay);
    if (replay && this.stored?.views) this.checkShown(replay);
  }

  /**
   * Return the position and the possible steps after some steps, by the rules. Without rules, and after a step that they
   * do not allow, it is as the server reports it.
   * @param {number} length
   * @returns {Page.Moment}
   */
  moment(length) {
    return this.replay?.moments[length] ?? reportedMoment(this.view, length);
  }

  /**
   * Return the first objection to a step, or null.
   * @param {Page.Line} entry
   * @param {number} step
   */
  findObjection(entry, step) {
    const [before, after] = [this.moment(step), this.moment(step + 1)];
    if (entry.number !== step) return t`the steps are not numbered consecutively.`;
    if (this.stored && !isAsShown(entry, this.stored))
      return t`it differs from what this browser was shown during the game.`;
    if (entry.seat !== before.seat) return t`it was another seat's turn.`;
    if (before.waiting === null) return t`the game was already over.`;
    if (!["action", "event"].includes(entry.kind)) return t`it is neither an action nor an event.`;
    if (entry.kind !== before.waiting)
      return entry.kind === "action"
        ? t`a chance event is missing before it.`
        : t`there was no chance event at this point.`;
    const objection =
      entry.kind === "event" ? this.findEventObjection(entry, step, before) : this.findActionObjection(entry, before);
    if (objection) return objection;
    if (!isEqual([entry.state, entry.observer, entry.mover], [after.position.state, after.seat, after.mover]))
      return t`the position is not the one after ${entry.label}.`;
    if (!isPosition(entry, after)) return t`the table does not show the current position.`;
    const { keeps, scores, gained, revealed, laid = null } = after.entry;
    const isTold = isEqual(
      [entry.keeps, entry.scores, entry.gained, entry.revealed, entry.laid ?? null],
      [keeps, scores, gained, revealed, laid],
    );
    return isTold ? null : t`its consequences are not those of the rules.`;
  }

  /**
   * @param {Page.Line} entry
   * @param {number} step
   * @param {Page.Moment} before
   */
  findEventObjection(entry, step, before) {
    const { seed, number } = this.view.fairness;
    const luck = randomNumberOf(seed, number, step);
    if (entry.by !== "chance") return t`chance was not drawn from the seed.`;
    if (entry.luck !== luck) return t`its random number does not follow from the seed.`;
    const objection = findOutcomesObjection(entry);
    if (objection) return objection;
    const reported = entry.outcomes.map(([label, probability], i) => ({ label, probability, after: entry.afters[i] }));
    if (this.isSorted && reported.some(({ label }, i) => i > 0 && label < reported[i - 1].label))
      return t`the possible outcomes are not in the order of their names.`;
    const expected = this.isSorted ? [...before.events].sort(byLabel) : before.events;
    const isMatch =
      expected.length === reported.length &&
      expected.every(
        ({ label, probability }, i) => label === reported[i].label && isClose(probability, reported[i].probability),
      );
    if (!isMatch) return t`the probabilities are not those of the game.`;
    const { label, after } = reported[sampledOutcome(entry.outcomes, luck)];
    if (label !== entry.label) return t`the random number ${luck.toFixed(6)} selects ${label}, not ${entry.label}.`;
    const isAfter = isEqual(after, { state: entry.state, observer: entry.observer });
    const areAfters = expected.every((event, i) => isEqual(event.after, reported[i].after));
    return isAfter && areAfters ? null : t`the position is not the one after ${label}.`;
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Moment} before
   */
  findActionObjection(entry, before) {
    if (entry.by !== expectedPlayer(this.view, entry.seat)) return t`it was not made by the player whose turn it was.`;
    if (entry.luck !== null || entry.outcomes || entry.afters) return t`an action has no random number.`;
    return before.labels.includes(entry.label) ? null : t`${entry.label} was not legal.`;
  }

  checkEnd() {
    const { view } = this;
    const { payoffs, stopped, resigned, points, score } = view.result;
    const end = this.moment(view.log.length);
    if (!isPosition(view, end) || view.mover !== null)
      this.addObjection(t`The final position is not the one after the last step.`);
    if (resigned !== null) {
      this.checkResignation(end);
    } else if (end.isPending) {
      this.addObjection(t`a chance event is missing before it.`, view.log.length);
    } else if (end.waiting !== null) {
      this.addObjection(
        stopped
          ? t`The game was stopped although no position had occurred three times.`
          : t`The game was ended before it was decided.`,
        view.log.length,
      );
    } else if (
      stopped !== end.isStopped ||
      !areClose([payoffs, points, [score]], [end.results, end.points, [end.score]])
    ) {
      this.addObjection(t`The result is not that of the last step.`);
    }
  }

  /**
   * Check a resignation: computer opponents never resign.
   * @param {Page.Moment} end
   */
  checkResignation(end) {
    const { view, replay } = this;
    const { payoffs, points, resigned, stopped } = view.result;
    if (resigned !== view.you && !view.names)
      this.addObjection(t`The opponent resigned, but computer opponents never resign.`);
    const isSeat = view.company === "link" ? Number.isInteger(resigned) && resigned in payoffs : resigned === view.you;
    if (view.names && !isSeat) this.addObjection(t`No player at the table has resigned.`);
    if (replay && end.waiting === null) this.addObjection(t`The game was already over when a player resigned.`);
    const { players } = view;
    const expected = payoffsOfResignation({ isChance: true, range: [0, 1], ...replay, players }, resigned);
    if (stopped || !areClose([payoffs, points], [expected.payoffs, replay ? expected.points : points]))
      this.addObjection(t`The result does not match the resignation.`);
  }

  /**
   * Compare what never changes in a game, and the rules that no player changed, with the rules.
   * @param {Page.Replay} replay
   */
  checkTerms({ defaults, players, objective, card }) {
    const { view, stored } = this;
    if (!isEqual([view.players, view.objective, view.card], [players, objective, card]))
      this.addObjection(t`The game is not shown as its rules require.`);
    if (view.company === "device" && view.you !== this.moment(view.log.length).seat)
      this.addObjection(t`The game is not shown as its rules require.`);
    for (const [name, value] of Object.entries(defaults)) {
      if (stored?.changed && !stored.changed.includes(name) && view.rules[name] !== value)
        this.addObjection(t`“${name}” is ${view.rules[name]}, but by default it is ${value}.`);
    }
  }

  /**
   * Compare what this browser was shown during the game with what the rules offered, and what they hide.
   * @param {Page.Replay} replay
   */
  checkShown({ moments, hides }) {
    const { view, stored } = this;
    if (stored.shown && stored.hides !== hides) this.addObjection(t`The game is not shown as its rules require.`);
    for (const [number, digest] of stored.views) {
      if (!moments[number] || digest !== digestOfTable(moments[number].shown))
        this.addObjection(
          t`the table or the choices that this browser was shown before it are not those of the game.`,
          number,
        );
    }
    for (const [step, digest] of stored.steps.entries()) {
      if (digest === null && (!hides || (view.company !== "device" && moments[step + 1]?.entry.isKnown)))
        this.addObjection(t`it was hidden from this browser, but not by the rules.`, step);
    }
  }
}

/**
 * Return a moment of the game as the server reports it.
 * @param {Page.View} view
 * @param {number} length
 * @returns {Page.Moment}
 */
function reportedMoment(view, length) {
  const last = length >= view.log.length;
  const next = view.log[length];
  const entry = view.log[length - 1] ?? null;
  const { payoffs, points, score, stopped } = view.result;
  return {
    entry,
    seat: length > 0 ? entry?.observer : 0,
    mover: entry?.mover ?? null,
    waiting: last ? null : next.kind,
    isPending: false,
    isStopped: last && stopped,
    results: last ? payoffs : null,
    points: last ? points : null,
    score: last ? score : null,
    labels: last ? [] : [next.label],
    events: (next?.outcomes ?? []).map(([label, probability], i) => ({ label, probability, after: next.afters?.[i] })),
    position: length > 0 ? entry : view.start,
    shown: null,
  };
}

/**
 * Return whether a position is shown as it is at a moment.
 * @param {Page.Position} shown
 * @param {Page.Moment} moment
 */
function isPosition(/** @type {any} */ shown, { position }) {
  return POSITION.every((name) => isEqual(shown[name], position[name]));
}

/**
 * @param {number} one
 * @param {number} other
 */
const isClose = (one, other) => one === other || (typeof one === "number" && Math.abs(one - other) < TOLERANCE);
/**
 * Return whether lists of numbers or of nulls are equal but for rounding.
 * @param {(number[] | null)[]} some
 * @param {(number[] | null)[]} others
 */
const areClose = (some, others) =>
  some.every((each, i) =>
    each === null || others[i] === null
      ? each === others[i]
      : each.length === others[i].length && each.every((one, k) => isClose(one, others[i][k])),
  );

/**
 * Return who makes the actions of a seat, in the words of the log.
 * @param {Page.View} view
 * @param {number} seat
 */
function expectedPlayer({ you, names, company }, seat) {
  if (seat === you || company === "device") return "you";
  return names ? "friend" : "computer";
}

/**
 * Return the first objection to the published outcomes: each needs a position after it, and the probabilities must add up to 1.
 * @param {Page.Line} entry
 */
function findOutcomesObjection({ outcomes, afters }) {
  if (!Array.isArray(outcomes) || outcomes.length === 0) return t`the possible outcomes are missing.`;
  if (!Array.isArray(afters) || afters.length !== outcomes.length)
    return t`the positions after the possible outcomes are missing.`;
  const labels = new Set(outcomes.map(([label]) => label));
  if (labels.size < outcomes.length) return t`two possible outcomes have the same name.`;
  if (!outcomes.every(([, probability]) => probability > 0 && probability <= 1))
    return t`a probability is out of range.`;
  const sum = outcomes.reduce((all, [, probability]) => all + probability, 0);
  return Math.abs(sum - 1) > SUM_TOLERANCE ? t`the probabilities do not add up to 1.` : null;
}
