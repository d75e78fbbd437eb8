/** The check of a finished game: whether all chance in it followed from what was promised before.
 *
 * It takes nothing for granted that the server says of it. The luck of every chance event is worked out again from the
 * seed; the outcomes published with it must lie side by side from 0 to 1, in the order of their labels; what happened must
 * be the one that luck falls on, and the game must stand as it does after that one. Of the built-in games in chances.js the
 * page knows the rules by itself. Whether it is the game that was agreed on is in agreed.js.
 */

import { checkKeys, checkPromise, checkResult, checkSeat, checkSent, same } from "./agreed.js";
import { KNOWN } from "./chances.js";
import { t } from "./language.js";
import { sampledOutcome, luckOf } from "./luck.js";
import { PROTOCOL, isAsShown, promiseOf } from "./promise.js";

const ROUNDING = 1e-9; // of a sum of probabilities
const LAST_PLACES = 1e-12; // of one probability
const MAX_ENTRIES = 10000; // of a game that is stopped because it makes no progress
const REPETITIONS = 3;
const DIGITS = /^(?:[0-9a-f]{2})+$/;
const OUT = "out"; // of Red7: what is certain
/** @type {{ written: string, squares: Page.Square[] | null }} */
const NOTHING_SHOWN = { written: "", squares: null };

/**
 * What there is to say against a game that is over, each as {step, sentence}; nothing if it was fair.
 * @param {Page.View} view
 * @param {Page.StoredPromise} [promise]
 */
export function objections(view, promise = promiseOf(view.id)) {
  /** @type {{ step: number | null, sentence: string }[]} */
  const found = [];
  /**
   * @param {string} sentence
   * @param {number} [step]
   */
  const object = (sentence, step = null) => found.push({ step, sentence });
  if (!hasSeed(view.fairness)) {
    object(t`The server has not revealed its seed.`);
    return found;
  }
  checkKeys(view, promise, object);
  checkPromise(view, promise, object);
  checkSeat(view, promise, object);
  checkSent(view, promise, object);
  checkResult(view, object);
  new Chain(view, promise, object).check();
  return found;
}

/**
 * Whether this page knows all rules of a game by itself.
 * @param {string} game
 */
export const knowsRules = (game) => Boolean(KNOWN[game]?.outcomes);

/**
 * Whether the server has shown what chance was drawn from.
 * @param {Api.FairnessView} fairness
 */
export function hasSeed(fairness) {
  return [fairness?.seed, fairness?.hash, fairness?.number].every(
    (digits) => typeof digits === "string" && DIGITS.test(digits),
  );
}

/** The steps of a game, each following from the one before. */
class Chain {
  /**
   * @param {Page.View} view
   * @param {Page.StoredPromise} promise
   * @param {Page.Objection} object
   */
  constructor(view, promise, object) {
    this.view = view;
    this.promise = promise;
    this.object = object;
    this.known = KNOWN[view.game] ?? null;
    this.isSorted = (promise?.version ?? view.fairness.protocol) === PROTOCOL;
    this.seat = 0;
    this.state = view.start.state;
    this.pending = null;
    this.left = this.inOrder((this.known?.cards ?? []).map((label) => ({ label }))).map(({ label }) => label);
    this.positions = new Map(); // how often each has come since the last chance event
  }

  /**
   * Outcomes in the order in which they lie side by side: that of their labels, or in older games that of the rules.
   * @template {{ label: string }} T
   * @param {T[]} outcomes
   */
  inOrder(outcomes) {
    return this.isSorted ? [...outcomes].sort(byLabel) : outcomes;
  }

  check() {
    const { view, known } = this;
    if (view.number !== view.log.length) this.object(t`There are too few or too many steps.`, view.log.length);
    if (
      known?.start &&
      !(same(known.start(view.rules), this.state) && view.start.eyes === 0 && this.isShown(view.start))
    ) {
      this.object(t`The game did not start as the rules require.`);
    }
    this.see(true);
    for (const [step, entry] of view.log.entries()) {
      const against = this.against(entry, step);
      if (against) this.object(against, step);
      this.goOn(entry);
    }
    this.checkEnd();
  }

  /**
   * What there is to say against one step; the first of it.
   * @param {Page.Line} entry
   * @param {number} step
   */
  against(entry, step) {
    if (entry.number !== step) return t`the steps are not numbered consecutively.`;
    if (this.promise && !isAsShown(entry, this.promise))
      return t`it differs from what this browser was shown during the game.`;
    if (entry.seat !== this.seat) return t`it was another seat's turn.`;
    if (this.isOver() || (this.known?.outcomes && this.isRepeated)) return t`the game was already over.`;
    if (!["action", "event"].includes(entry.kind)) return t`it is neither an action nor an event.`;
    if (!this.isShown(entry)) return t`the table does not show the current position.`;
    return entry.kind === "event" ? this.againstEvent(entry, step) : this.againstAction(entry, step);
  }

  /**
   * @param {Page.Line} entry
   * @param {number} step
   */
  againstEvent(entry, step) {
    const { seed, number } = this.view.fairness;
    const luck = luckOf(seed, number, step);
    if (entry.by !== "chance") return t`chance was not drawn from the seed.`;
    if (entry.luck !== luck) return t`its random number does not follow from the seed.`;
    const against = againstOutcomes(entry);
    if (against) return against;
    if (
      !same(
        entry.outcomes,
        this.inOrder(entry.outcomes.map(([label, probability]) => ({ label, probability }))).map(Object.values),
      )
    ) {
      return t`the possible outcomes are not in the order of their names.`;
    }
    const index = sampledOutcome(entry.outcomes, luck);
    const [label] = entry.outcomes[index];
    if (label !== entry.label) return t`the random number ${luck.toFixed(6)} selects ${label}, not ${entry.label}.`;
    if (!same(entry.afters[index].state, entry.state) || entry.afters[index].eyes !== entry.eyes) {
      return t`the position is not the one after ${label}.`;
    }
    return this.againstChances(entry, step, index);
  }

  /**
   * The chances as the page knows them.
   * @param {Page.Line} entry
   * @param {number} step
   * @param {number} index
   */
  againstChances(entry, step, index) {
    if (!this.known) return null;
    if (this.known.cards) return this.againstCards(entry, step);
    const possible = this.pending === null ? null : this.known.outcomes(this.view.rules, this.state, this.pending);
    if (!possible || possible.length < 2) return t`there was no chance event at this point.`;
    const expected = this.inOrder(possible);
    const fits =
      expected.length === entry.outcomes.length &&
      expected.every(
        (outcome, i) =>
          outcome.label === entry.outcomes[i][0] && Math.abs(outcome.probability - entry.outcomes[i][1]) < LAST_PLACES,
      );
    if (!fits) return t`the probabilities are not those of the game.`;
    const { state, passes } = expected[index];
    const areAfters = expected.every((outcome, i) =>
      same(entry.afters[i], { state: outcome.state, eyes: this.eyesAfter(outcome.passes) }),
    );
    return areAfters && this.isAfter(entry, state, passes)
      ? null
      : t`the position is not the one after ${entry.label}.`;
  }

  /**
   * @param {Page.Line} entry
   * @param {number} step
   */
  againstCards({ outcomes }, step) {
    const isDeal = step < this.known.deals(this.view.rules);
    if (!isDeal && this.pending === null) {
      return outcomes.length === 1 && outcomes[0][0] === OUT ? null : t`there was no chance event at this point.`;
    }
    const fits =
      outcomes.length === this.left.length &&
      outcomes.every(
        ([card, probability], i) => card === this.left[i] && Math.abs(probability - 1 / this.left.length) < LAST_PLACES,
      );
    return fits ? null : t`the probabilities do not match the remaining cards.`;
  }

  /**
   * @param {Page.Line} entry
   * @param {number} step
   */
  againstAction(entry, step) {
    const { view, known, pending } = this;
    if (pending !== null || (known?.cards && step < known.deals(view.rules)))
      return t`a chance event is missing before it.`;
    if (entry.by !== maker(view, entry.seat)) return t`it was not made by the player whose turn it was.`;
    if (entry.luck !== null || entry.outcomes || entry.afters) return t`an action has no random number.`;
    if (!known?.outcomes) return null;
    const expected = known.outcomes(view.rules, this.state, entry.label);
    if (!expected) return t`${entry.label} was not legal.`;
    const [{ state, passes }] = expected.length > 1 ? [{ state: this.state, passes: 0 }] : expected;
    return this.isAfter(entry, state, passes) ? null : t`the position is not the one after ${entry.label}.`;
  }

  /** @param {number} passes */
  eyesAfter(passes) {
    return (this.seat + passes) % this.view.players;
  }

  /**
   * Whether a position, or a step, is drawn as it stands: of a game whose rules the page knows, nothing else is.
   * @param {Page.Position & Partial<Page.Line>} position
   */
  isShown({ state, written, squares, beside, throw: thrown, faces, filled, keeps = null, scores = [], gained = null }) {
    if (!this.known?.outcomes) return true;
    const expected = this.known.shown?.(this.view.rules, state) ?? NOTHING_SHOWN;
    return (
      same({ written, squares }, expected) &&
      [beside, thrown, faces, filled, keeps, gained].every((each) => each === null) &&
      scores.length === 0
    );
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.State} state
   * @param {number} passes
   */
  isAfter(entry, state, passes) {
    const eyes = this.eyesAfter(passes);
    const isLast = entry.number === this.view.log.length - 1;
    return (
      same(entry.state, state) && entry.eyes === eyes && (entry.mover === eyes || (isLast && entry.mover === null))
    );
  }

  /**
   * Accept the step as reported, and go on to the next.
   * @param {Page.Line} entry
   */
  goOn(entry) {
    const { view } = this;
    const isWaiting =
      entry.kind === "action" &&
      (this.known?.outcomes
        ? (this.known.outcomes(view.rules, this.state, entry.label)?.length ?? 0) > 1
        : view.log[entry.number + 1]?.kind === "event" && entry.eyes === entry.seat && same(entry.state, this.state));
    this.pending = isWaiting ? entry.label : null;
    if (entry.kind === "event") this.left = this.left.filter((card) => card !== entry.label);
    this.state = entry.state;
    this.seat = entry.eyes;
    if (!isWaiting) this.see(entry.kind === "event");
  }

  /** @param {boolean} afterChance */
  see(afterChance) {
    if (afterChance) this.positions.clear();
    const position = JSON.stringify([this.seat, this.state]);
    this.positions.set(position, (this.positions.get(position) ?? 0) + 1);
    this.isRepeated = this.positions.get(position) >= REPETITIONS;
  }

  isOver() {
    return this.pending === null && Boolean(this.known?.over?.(this.view.rules, this.state));
  }

  checkEnd() {
    const { view, known } = this;
    const { payoffs, stopped, resigned } = view.result;
    if (!same(view.state, this.state) || view.eyes !== this.seat || view.mover !== null || !this.isShown(view)) {
      this.object(t`The final position is not the one after the last step.`);
    }
    if (this.pending !== null) this.object(t`a chance event is missing before it.`, view.log.length);
    if (stopped && !this.isRepeated && view.log.length < MAX_ENTRIES) {
      this.object(t`The game was stopped although no position had occurred three times.`);
    }
    if (resigned !== null) {
      this.checkResigning(resigned, payoffs);
      return;
    }
    if (!known?.over) return;
    const paid = known.payoffs(view.rules, this.state);
    const expected = paid.map((_, seat) =>
      stopped ? 1 / view.players : paid[(seat - this.seat + view.players) % view.players],
    );
    if (!stopped && !this.isOver()) this.object(t`The game was ended before it was decided.`, view.log.length);
    else if (!same(payoffs, expected)) this.object(t`The result is not that of the last step.`);
  }

  /**
   * Only people resign: an opponent plays to the end.
   * @param {number} resigned
   * @param {number[]} payoffs
   */
  checkResigning(resigned, payoffs) {
    const { view } = this;
    if (resigned !== view.you && !view.names)
      this.object(t`The opponent resigned, but computer opponents never resign.`);
    if (this.isOver()) this.object(t`The game was already over when a player resigned.`);
    const expected = payoffs.map((_, seat) => (seat === resigned ? 0 : 1 / (view.players - 1)));
    if (!same(payoffs, expected)) this.object(t`The result does not match the resignation.`);
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
 * Who chooses at a seat, as the log calls them.
 * @param {Page.View} view
 * @param {number} seat
 */
function maker({ you, names, company }, seat) {
  if (seat === you || company === "device") return "you";
  return names ? "friend" : "computer";
}

/**
 * Whether outcomes are published, each with what follows from it, and lie side by side from 0 to 1.
 * @param {Page.Line} entry
 */
function againstOutcomes({ outcomes, afters }) {
  if (!Array.isArray(outcomes) || outcomes.length === 0) return t`the possible outcomes are missing.`;
  if (!Array.isArray(afters) || afters.length !== outcomes.length)
    return t`the positions after the possible outcomes are missing.`;
  const labels = new Set(outcomes.map(([label]) => label));
  if (labels.size < outcomes.length) return t`two possible outcomes have the same name.`;
  if (!outcomes.every(([, probability]) => probability > 0 && probability <= 1))
    return t`a probability is out of range.`;
  const sum = outcomes.reduce((all, [, probability]) => all + probability, 0);
  return Math.abs(sum - 1) > ROUNDING ? t`the probabilities do not add up to 1.` : null;
}
