/** A game in this file: its log, the opponent's moves, and what the page shows of it, as `komi.web.game_views` does. */

import { drawSeat, randomNumberOf, sampledOutcome } from "../random-numbers.js";
import { Table, replay } from "../replay.js";
import { bytesFromHex, hex, sha256 } from "../sha256.js";

const PROTOCOL = 2;

/**
 * What the browser stores of a game.
 * @typedef {object} Saved
 * @property {string} id
 * @property {string} opponent
 * @property {string[] | null} names
 * @property {number} seat
 * @property {boolean} lot
 * @property {"normal" | "test"} mode
 * @property {string} seed
 * @property {string} number
 * @property {string} started
 * @property {{ label: string, by: string }[]} log
 * @property {number | null} resigned
 * @property {string | null} [start] a state of the sandbox
 */

/** @typedef {{ module: any, game: import("../translated-game.js").Game, catalog: Api.CatalogGameView, rules: Page.Rules }} Rules */

export class LiveGame {
  /**
   * @param {Rules} rules
   * @param {Saved} saved
   */
  constructor(rules, saved) {
    this.rules = rules;
    this.saved = saved;
    const { log } = saved;
    saved.log = [];
    this.replayAs(saved.seat);
    for (const { label, by } of log) this.enter(label, by);
  }

  /**
   * Replay the game from the side of a seat.
   * @param {number} viewer
   */
  replayAs(viewer) {
    const { game } = this.rules;
    this.viewer = viewer;
    this.table = new Table(game, viewer, this.isAtOneDevice);
    this.moments = [this.table.moment(null)];
    for (const { label } of this.saved.log) {
      const entry = this.table.enter(label);
      this.moments.push(this.table.moment(entry));
    }
  }

  get isAtOneDevice() {
    return this.saved.names !== null;
  }

  get now() {
    return this.moments.at(-1);
  }

  get number() {
    return this.saved.log.length;
  }

  get isOver() {
    return this.now.waiting === null || this.saved.resigned !== null;
  }

  /** Whether a person must act now, or enter the outcome of a chance event. */
  get isPersonsTurn() {
    const { waiting, mover } = this.now;
    if (this.isOver) return false;
    return waiting === "event" ? this.saved.mode === "test" : this.isAtOneDevice || mover === this.saved.seat;
  }

  /** Return the labels that are possible now. */
  get possible() {
    const { waiting, events, labels } = this.now;
    return this.isOver ? [] : waiting === "event" ? events.map(({ label }) => label) : labels;
  }

  /**
   * Add an entry to the log.
   * @param {string} label
   * @param {string} by
   */
  enter(label, by) {
    const entry = this.table.enter(label);
    if (entry === null) throw new RangeError(`${label} is not possible.`);
    this.moments.push(this.table.moment(entry));
    this.saved.log.push({ label, by });
  }

  /**
   * Play chance events and the opponent's actions until a person must act, or the game is over.
   * @param {(state: any) => number} choose the action of the opponent
   */
  advance(choose) {
    while (!this.isOver && !this.isPersonsTurn) {
      if (this.now.waiting === "event") {
        const outcomes = outcomesOf(this.now);
        this.enter(outcomes[sampledOutcome(outcomes, this.luck(this.number))][0], "chance");
      } else this.enter(this.rules.game.label(this.table.state, choose(this.table.state)), "computer");
    }
  }

  /**
   * Take back the last entry of a person, and all later ones.
   * @returns {boolean} whether there was one
   */
  takeBack() {
    const { log } = this.saved;
    const last =
      this.saved.resigned === null ? log.findLastIndex(({ by }) => by === "you" || by === "hand") : log.length;
    if (last < 0) return false;
    this.saved.log = log.slice(0, last);
    this.saved.resigned = null;
    this.replayAs(this.viewer);
    return true;
  }

  /** @param {number} entry */
  luck(entry) {
    return randomNumberOf(this.saved.seed, this.saved.number, entry);
  }

  /** Return the payoffs by seat on the scale of probabilities, and in points; null while the game runs. */
  payoffs() {
    const { game } = this.rules;
    const { resigned } = this.saved;
    if (resigned === null) return this.isOver ? { payoffs: this.now.results, points: this.now.points } : null;
    const payoffs = Array.from({ length: game.players }, (_, seat) => (seat === resigned ? 0 : 1 / (game.players - 1)));
    const [lowest, highest] = game.range;
    return { payoffs, points: game.isChance ? null : payoffs.map((share) => lowest + (highest - lowest) * share) };
  }

  /** Return the game as the page shows it. */
  view() {
    const { saved, rules, isOver } = this;
    if (this.isAtOneDevice && this.viewer !== this.now.seat) this.replayAs(this.now.seat);
    const { players, objective, card } = replay(rules.module, rules.rules, [], this.viewer, this.isAtOneDevice);
    const { now } = this;
    const isPersons = this.isPersonsTurn;
    const ended = saved.resigned !== null && { mover: null, waiting: null, pending: null, ...now.position };
    const events = saved.mode === "test" && !isOver ? this.events() : [];
    return {
      id: saved.id,
      game: rules.catalog.name,
      face: rules.catalog.face,
      solved: true,
      searched: false,
      rules: rules.rules,
      mode: saved.mode,
      opponent: { name: saved.opponent, title: titleOf(rules.catalog, saved.opponent) },
      names: saved.names,
      company: this.isAtOneDevice ? "device" : null,
      players,
      you: this.viewer,
      objective,
      card,
      ...now.shown,
      ...ended,
      actions: isPersons ? now.shown.actions : [],
      decided: isPersons && now.shown.decided,
      events,
      start: this.moments[0].position,
      first: 0,
      log: saved.log.map((_, number) => this.line(number)),
      result: this.result(),
      clock: null,
      fairness: {
        hash: hashOf(saved.seed),
        number: saved.number,
        numbers: null,
        seed: isOver ? saved.seed : null,
        lot: saved.lot,
        protocol: PROTOCOL,
        source: rules.catalog.source,
      },
    };
  }

  /** Return the outcomes that a person can enter now. */
  events() {
    const { game } = this.rules;
    const faces = (/** @type {any} */ state) => (game.module.faces ? [...game.call("faces", state)].map(Number) : null);
    return this.table.events.map(({ label, probability, after }) => ({ label, probability, faces: faces(after) }));
  }

  /**
   * Return a line of the log.
   * @param {number} number
   */
  line(number) {
    const [before, after] = [this.moments[number], this.moments[number + 1]];
    const { label, by } = this.saved.log[number];
    const { isKnown, ...entry } = after.entry; // eslint-disable-line no-unused-vars
    const isEvent = entry.kind === "event";
    const sorted = [...before.events].sort(byLabel);
    return {
      number,
      ...entry,
      label,
      by,
      mover: after.mover,
      luck: by === "chance" ? this.luck(number) : null,
      outcomes: isEvent ? outcomesOf(before) : null,
      afters: this.isOver && isEvent ? sorted.map((event) => event.after) : null,
      ...after.position,
    };
  }

  /** @returns {Api.ResultView | null} */
  result() {
    const found = this.payoffs();
    if (!found) return null;
    const { resigned } = this.saved;
    return {
      ...found,
      score: resigned === null ? this.now.score : null,
      stopped: resigned === null && this.now.isStopped,
      resigned,
      late: false,
      you: outcomeFor(found.payoffs, this.viewer),
    };
  }
}

/**
 * Draw the seat of a new game.
 * @param {Api.GameRequest} request
 * @param {string} seed
 * @param {number} players
 */
export function seatOf({ seat, names, number }, seed, players) {
  if (names) return 0;
  if (seat === "either") return drawSeat(seed, number, players);
  return seat === "first" ? 0 : 1 % players;
}

/**
 * Return the hash of a seed.
 * @param {string} seed
 */
export const hashOf = (seed) => hex(sha256(bytesFromHex(seed)));

/**
 * Return the outcomes of the chance event at a moment, in the order in which they partition the interval from 0 to 1.
 * @param {Page.Moment} moment
 * @returns {[string, number][]}
 */
const outcomesOf = ({ events }) => [...events].sort(byLabel).map(({ label, probability }) => [label, probability]);

/**
 * @param {{ label: string }} one
 * @param {{ label: string }} other
 */
const byLabel = ({ label: one }, { label: other }) => (one === other ? 0 : one < other ? -1 : 1);

/**
 * @param {Api.CatalogGameView} catalog
 * @param {string} name
 */
const titleOf = ({ opponents }, name) => opponents.find((one) => one.name === name)?.title ?? name;

/**
 * Return how the game has ended for a seat.
 * @param {number[]} payoffs
 * @param {number} seat
 * @returns {Api.ResultView["you"]}
 */
function outcomeFor(payoffs, seat) {
  if (payoffs[seat] === 1) return "won";
  if (payoffs[seat] === 0) return "lost";
  if (payoffs.length > 1 && new Set(payoffs).size === 1) return "drew";
  const winners = payoffs.filter((payoff) => payoff > 0);
  return winners.length > 1 && new Set(winners).size === 1 ? "shared" : "got";
}
