/** A game in this file: its log, the opponent's moves, and what the page shows of it, as a server does. */

import { outcomesOf, payoffsOfResignation, viewOf } from "../game-view.js";
import { drawSeat, randomNumberOf, sampledOutcome } from "../random-numbers.js";
import { Replay } from "../replay.js";
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
 * @property {{ label: string, by: Page.Line["by"] }[]} log
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
    /** @type {Promise<void> | null} */
    this.advancing = null;
    const { hides } = rules.game;
    this.replay = new Replay(rules.game, saved.seat, this.isAtOneDevice && !hides, this.isAtOneDevice && hides);
    this.replay.follow(saved.log.map(({ label }) => label));
    if (this.replay.labels.length < saved.log.length) throw new RangeError("The game does not follow the rules.");
  }

  get table() {
    return this.replay.table;
  }

  get isAtOneDevice() {
    return this.saved.names !== null;
  }

  get now() {
    return this.replay.moments.at(-1);
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
   * @param {Page.Line["by"]} by
   */
  enter(label, by) {
    this.replay.follow([...this.replay.labels, label]);
    if (this.replay.labels.length === this.number) throw new RangeError(`${label} is not possible.`);
    this.saved.log.push({ label, by });
  }

  /**
   * Play chance events and the opponents' actions until a person must act, or the game is over.
   * @param {(state: any) => number | Promise<number>} choose the action of an opponent
   * @returns {Promise<void>} that of the play in progress, if there is one
   */
  advance(choose) {
    this.advancing ??= this.playOn(choose).finally(() => {
      this.advancing = null;
    });
    return this.advancing;
  }

  /** @param {(state: any) => number | Promise<number>} choose */
  async playOn(choose) {
    while (!this.isOver && !this.isPersonsTurn) {
      if (this.now.waiting === "event") {
        const outcomes = outcomesOf(this.now);
        this.enter(outcomes[sampledOutcome(outcomes, this.luck(this.number))][0], "chance");
      } else {
        const action = await choose(this.table.state);
        if (!this.isOver) this.enter(this.rules.game.label(this.table.state, action), "computer"); // nobody has resigned
      }
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
    this.replay.follow(this.saved.log.map(({ label }) => label));
    return true;
  }

  /** @param {number} entry */
  luck(entry) {
    return randomNumberOf(this.saved.seed, this.saved.number, entry);
  }

  /** Return the payoffs by seat on the scale of probabilities, and in points; null while the game runs. */
  payoffs() {
    const { resigned } = this.saved;
    if (resigned !== null) return payoffsOfResignation(this.rules.game, resigned);
    return this.isOver ? { payoffs: this.now.results, points: this.now.points } : null;
  }

  /** Return the game as the page shows it. */
  view() {
    const { saved, rules, replay } = this;
    const { mode, resigned } = saved;
    replay.turn();
    const company = this.isAtOneDevice ? "device" : null;
    const log = saved.log.map(({ label, by }, entry) => ({
      label,
      by,
      luck: by === "chance" ? this.luck(entry) : null,
    }));
    return {
      id: saved.id,
      game: rules.catalog.name,
      face: rules.catalog.face,
      solved: rules.catalog.solved,
      searched: !rules.catalog.solved,
      rules: rules.rules,
      mode,
      opponent: { name: saved.opponent, title: titleOf(rules.catalog, saved.opponent) },
      names: saved.names,
      company,
      ...viewOf({ ...replay.terms, moments: replay.moments }, { mode, company, you: saved.seat, log, resigned }),
      first: 0,
      clock: null,
      fairness: {
        hash: hashOf(saved.seed),
        number: saved.number,
        numbers: null,
        seed: this.isOver ? saved.seed : null,
        lot: saved.lot,
        protocol: PROTOCOL,
        source: rules.catalog.source,
      },
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
 * @param {Api.CatalogGameView} catalog
 * @param {string} name
 */
const titleOf = ({ opponents }, name) => opponents.find((one) => one.name === name)?.title ?? name;
