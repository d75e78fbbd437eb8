/** The fairness check of a finished game. It treats every field of the server's response as untrusted.
 *
 * The uniform random number of each chance event is recomputed from the seed. The published outcomes must partition the
 * interval from 0 to 1 in the order of their labels, the recorded outcome must be the one that the random number selects,
 * and the next position must be the one after that outcome. Games in built-in-rules.js are also checked against their
 * rules. terms-check.js compares the game with the terms that were agreed on.
 */

import { checkKeys, checkCommitment, checkResult, checkSeat, checkSent, isEqual } from "./terms-check.js";
import { BUILT_IN_RULES, builtInRules } from "./built-in-rules.js";
import { t } from "./language.js";
import { sampledOutcome, randomNumberOf } from "./random-numbers.js";
import { PROTOCOL, isAsShown, commitmentOf } from "./commitment.js";

const SUM_TOLERANCE = 1e-9; // of the sum of the probabilities
const PROBABILITY_TOLERANCE = 1e-12; // of one probability
const MAX_ENTRIES = 10000; // the server stops longer games, which make no progress
const MAX_REPETITIONS = 3;
const HEX_BYTES = /^(?:[0-9a-f]{2})+$/;
const OUT = "out"; // the label of a certain event in Red7
/** @type {{ written: string, squares: Page.Square[] | null }} */
const NOTHING_SHOWN = { written: "", squares: null };

/**
 * List the objections to a finished game. The list is empty if the game was fair.
 * @param {Page.View} view
 * @param {Page.StoredCommitment} [stored]
 */
export function findObjections(view, stored = commitmentOf(view.id)) {
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
  checkKeys(view, stored, addObjection);
  checkCommitment(view, stored, addObjection);
  checkSeat(view, stored, addObjection);
  checkSent(view, stored, addObjection);
  checkResult(view, addObjection);
  new LogChecker(view, stored, addObjection).check();
  return found;
}

/**
 * Return whether this page implements all rules of a game.
 * @param {string} game
 */
export const hasBuiltInRules = (game) => Boolean(BUILT_IN_RULES[game]?.outcomes);

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
   * @param {Page.Objection} addObjection
   */
  constructor(view, stored, addObjection) {
    this.view = view;
    this.stored = stored;
    this.addObjection = addObjection;
    this.builtIn = builtInRules(view.game, view.rules);
    this.isSorted = (stored?.version ?? view.fairness.protocol) === PROTOCOL;
    this.seat = 0;
    this.state = view.start.state;
    this.pending = null;
    this.remainingCards = this.inCommittedOrder((this.builtIn?.cards ?? []).map((label) => ({ label }))).map(
      ({ label }) => label,
    );
    this.positions = new Map(); // number of occurrences since the last chance event
  }

  /**
   * Sort outcomes into the order in which they partition the unit interval: by label, or in older games in the order of the rules.
   * @template {{ label: string }} T
   * @param {T[]} outcomes
   */
  inCommittedOrder(outcomes) {
    return this.isSorted ? [...outcomes].sort(byLabel) : outcomes;
  }

  check() {
    const { view, builtIn } = this;
    if (view.number !== view.log.length) this.addObjection(t`There are too few or too many steps.`, view.log.length);
    if (
      builtIn?.start &&
      !(isEqual(builtIn.start(view.rules), this.state) && view.start.observer === 0 && this.isDisplayed(view.start))
    ) {
      this.addObjection(t`The game did not start as the rules require.`);
    }
    this.countPosition(true);
    for (const [step, entry] of view.log.entries()) {
      const objection = this.findObjection(entry, step);
      if (objection) this.addObjection(objection, step);
      this.advance(entry);
    }
    this.checkEnd();
  }

  /**
   * Return the first objection to a step, or null.
   * @param {Page.Line} entry
   * @param {number} step
   */
  findObjection(entry, step) {
    if (entry.number !== step) return t`the steps are not numbered consecutively.`;
    if (this.stored && !isAsShown(entry, this.stored))
      return t`it differs from what this browser was shown during the game.`;
    if (entry.seat !== this.seat) return t`it was another seat's turn.`;
    if (this.isOver() || (this.builtIn?.outcomes && this.isRepeated)) return t`the game was already over.`;
    if (!["action", "event"].includes(entry.kind)) return t`it is neither an action nor an event.`;
    if (!this.isDisplayed(entry)) return t`the table does not show the current position.`;
    return entry.kind === "event" ? this.findEventObjection(entry, step) : this.findActionObjection(entry, step);
  }

  /**
   * @param {Page.Line} entry
   * @param {number} step
   */
  findEventObjection(entry, step) {
    const { seed, number } = this.view.fairness;
    const luck = randomNumberOf(seed, number, step);
    if (entry.by !== "chance") return t`chance was not drawn from the seed.`;
    if (entry.luck !== luck) return t`its random number does not follow from the seed.`;
    const objection = findOutcomesObjection(entry);
    if (objection) return objection;
    if (
      !isEqual(
        entry.outcomes,
        this.inCommittedOrder(entry.outcomes.map(([label, probability]) => ({ label, probability }))).map(
          Object.values,
        ),
      )
    ) {
      return t`the possible outcomes are not in the order of their names.`;
    }
    const index = sampledOutcome(entry.outcomes, luck);
    const [label] = entry.outcomes[index];
    if (label !== entry.label) return t`the random number ${luck.toFixed(6)} selects ${label}, not ${entry.label}.`;
    if (!isEqual(entry.afters[index].state, entry.state) || entry.afters[index].observer !== entry.observer) {
      return t`the position is not the one after ${label}.`;
    }
    return this.findProbabilityObjection(entry, step, index);
  }

  /**
   * Compare the outcomes of an event with the built-in rules.
   * @param {Page.Line} entry
   * @param {number} step
   * @param {number} index
   */
  findProbabilityObjection(entry, step, index) {
    if (!this.builtIn) return null;
    if (this.builtIn.cards) return this.findCardObjection(entry, step);
    const possible = this.pending === null ? null : this.builtIn.outcomes(this.view.rules, this.state, this.pending);
    if (!possible || possible.length < 2) return t`there was no chance event at this point.`;
    const expected = this.inCommittedOrder(possible);
    const isMatch =
      expected.length === entry.outcomes.length &&
      expected.every(
        (outcome, i) =>
          outcome.label === entry.outcomes[i][0] &&
          Math.abs(outcome.probability - entry.outcomes[i][1]) < PROBABILITY_TOLERANCE,
      );
    if (!isMatch) return t`the probabilities are not those of the game.`;
    const { state, passes } = expected[index];
    const areStatesEqual = expected.every((outcome, i) =>
      isEqual(entry.afters[i], { state: outcome.state, observer: this.observerAfter(outcome.passes) }),
    );
    return areStatesEqual && this.isExpectedPosition(entry, state, passes)
      ? null
      : t`the position is not the one after ${entry.label}.`;
  }

  /**
   * @param {Page.Line} entry
   * @param {number} step
   */
  findCardObjection({ outcomes }, step) {
    const isDeal = step < this.builtIn.deals(this.view.rules);
    if (!isDeal && this.pending === null) {
      return outcomes.length === 1 && outcomes[0][0] === OUT ? null : t`there was no chance event at this point.`;
    }
    const isMatch =
      outcomes.length === this.remainingCards.length &&
      outcomes.every(
        ([card, probability], i) =>
          card === this.remainingCards[i] &&
          Math.abs(probability - 1 / this.remainingCards.length) < PROBABILITY_TOLERANCE,
      );
    return isMatch ? null : t`the probabilities do not match the remaining cards.`;
  }

  /**
   * @param {Page.Line} entry
   * @param {number} step
   */
  findActionObjection(entry, step) {
    const { view, builtIn, pending } = this;
    if (pending !== null || (builtIn?.cards && step < builtIn.deals(view.rules)))
      return t`a chance event is missing before it.`;
    if (entry.by !== expectedPlayer(view, entry.seat)) return t`it was not made by the player whose turn it was.`;
    if (entry.luck !== null || entry.outcomes || entry.afters) return t`an action has no random number.`;
    if (!builtIn?.outcomes) return null;
    const expected = builtIn.outcomes(view.rules, this.state, entry.label);
    if (!expected) return t`${entry.label} was not legal.`;
    const [{ state, passes }] = expected.length > 1 ? [{ state: this.state, passes: 0 }] : expected;
    return this.isExpectedPosition(entry, state, passes) ? null : t`the position is not the one after ${entry.label}.`;
  }

  /** @param {number} passes */
  observerAfter(passes) {
    return (this.seat + passes) % this.view.players;
  }

  /**
   * Return whether the displayed fields of a position or step match its state. Games without built-in rules are not checked.
   * @param {Page.Position & Partial<Page.Line>} position
   */
  isDisplayed({
    state,
    written,
    squares,
    beside,
    throw: thrown,
    faces,
    filled,
    keeps = null,
    scores = [],
    gained = null,
  }) {
    if (!this.builtIn?.outcomes) return true;
    const expected = this.builtIn.shown?.(this.view.rules, state) ?? NOTHING_SHOWN;
    return (
      isEqual({ written, squares }, expected) &&
      [beside, thrown, faces, filled, keeps, gained].every((each) => each === null) &&
      scores.length === 0
    );
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.State} state
   * @param {number} passes
   */
  isExpectedPosition(entry, state, passes) {
    const observer = this.observerAfter(passes);
    const isLast = entry.number === this.view.log.length - 1;
    return (
      isEqual(entry.state, state) &&
      entry.observer === observer &&
      (entry.mover === observer || (isLast && entry.mover === null))
    );
  }

  /**
   * Accept a step as reported and make its position the current one.
   * @param {Page.Line} entry
   */
  advance(entry) {
    const { view } = this;
    const isWaiting =
      entry.kind === "action" &&
      (this.builtIn?.outcomes
        ? (this.builtIn.outcomes(view.rules, this.state, entry.label)?.length ?? 0) > 1
        : view.log[entry.number + 1]?.kind === "event" &&
          entry.observer === entry.seat &&
          isEqual(entry.state, this.state));
    this.pending = isWaiting ? entry.label : null;
    if (entry.kind === "event") this.remainingCards = this.remainingCards.filter((card) => card !== entry.label);
    this.state = entry.state;
    this.seat = entry.observer;
    if (!isWaiting) this.countPosition(entry.kind === "event");
  }

  /** @param {boolean} afterChance */
  countPosition(afterChance) {
    if (afterChance) this.positions.clear();
    const position = JSON.stringify([this.seat, this.state]);
    this.positions.set(position, (this.positions.get(position) ?? 0) + 1);
    this.isRepeated = this.positions.get(position) >= MAX_REPETITIONS;
  }

  isOver() {
    return this.pending === null && Boolean(this.builtIn?.over?.(this.view.rules, this.state));
  }

  checkEnd() {
    const { view, builtIn } = this;
    const { payoffs, stopped, resigned } = view.result;
    if (
      !isEqual(view.state, this.state) ||
      view.observer !== this.seat ||
      view.mover !== null ||
      !this.isDisplayed(view)
    ) {
      this.addObjection(t`The final position is not the one after the last step.`);
    }
    if (this.pending !== null) this.addObjection(t`a chance event is missing before it.`, view.log.length);
    if (stopped && !this.isRepeated && view.log.length < MAX_ENTRIES) {
      this.addObjection(t`The game was stopped although no position had occurred three times.`);
    }
    if (resigned !== null) {
      this.checkResignation(resigned, payoffs);
      return;
    }
    if (!builtIn?.over) return;
    const moverFirst = builtIn.payoffs(view.rules, this.state);
    const expected = moverFirst.map((_, seat) =>
      stopped ? 1 / view.players : moverFirst[(seat - this.seat + view.players) % view.players],
    );
    if (!stopped && !this.isOver()) this.addObjection(t`The game was ended before it was decided.`, view.log.length);
    else if (!isEqual(payoffs, expected)) this.addObjection(t`The result is not that of the last step.`);
  }

  /**
   * Check a resignation: computer opponents never resign.
   * @param {number} resigned
   * @param {number[]} payoffs
   */
  checkResignation(resigned, payoffs) {
    const { view } = this;
    if (resigned !== view.you && !view.names)
      this.addObjection(t`The opponent resigned, but computer opponents never resign.`);
    if (this.isOver()) this.addObjection(t`The game was already over when a player resigned.`);
    const expected = payoffs.map((_, seat) => (seat === resigned ? 0 : 1 / (view.players - 1)));
    if (!isEqual(payoffs, expected)) this.addObjection(t`The result does not match the resignation.`);
  }
}

/**
 * @param {{ label: string }} one
 * @param {{ label: string }} other
 */
function byLabel({ label: one }, { label: other }) {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

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
