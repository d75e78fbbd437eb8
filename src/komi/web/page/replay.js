/** A game replayed by its rules, a module that `komi export GAME --to rules.js` writes: what the table shows before and
 * after each step, as `komi.play.table` and `komi.web.layout` compute it on an honest server. */

import { CHANCE, NO_EFFECT, keyOf } from "./translated-game.js";

/** @typedef {import("./translated-game.js").Game} Game */

const MAX_ENTRIES = 10000; // a longer game is a draw
const REPETITIONS = 3; // a position repeated this often, without chance events or hidden information, is a draw

/** A game replayed by its rules: a moment before the first step and after each one. */
export class Replay {
  /**
   * @param {Game} game
   * @param {number} viewer the seat from whose side the table is seen
   * @param {boolean} isAtOneDevice whether the table turns to the player to move while the game runs
   * @param {boolean} isTurning whether all steps are seen from the side of the player to move
   */
  constructor(game, viewer, isAtOneDevice, isTurning = false) {
    this.game = game;
    this.isAtOneDevice = isAtOneDevice;
    this.isTurning = isTurning || (isAtOneDevice && ("board" in game.module || "beside" in game.module));
    this.start(viewer);
  }

  /** @param {number} viewer */
  start(viewer) {
    this.viewer = viewer;
    this.table = new Table(this.game, viewer, this.isAtOneDevice);
    /** @type {string[]} */
    this.labels = [];
    this.moments = [this.table.moment(null)];
  }

  /**
   * Continue to the last of all steps of the game, or stop before one that the rules do not allow. Return the number of
   * moments that are as they were.
   * @param {string[]} labels
   */
  follow(labels) {
    const kept = this.labels.every((label, step) => label === labels[step]) ? this.moments.length : 0;
    if (kept === 0) this.start(this.viewer);
    for (const label of labels.slice(this.labels.length)) {
      const entry = this.table.enter(label);
      if (entry === null) break;
      this.labels.push(label);
      this.moments.push(this.table.moment(entry));
    }
    return kept;
  }

  /** At one device, turn the board to the player to move. Return whether it has turned. */
  turn() {
    const { labels, table, viewer } = this;
    if (!this.isTurning || table.seat === viewer) return false;
    this.start(table.seat);
    this.follow(labels);
    return true;
  }

  /** What never changes in the game. */
  get terms() {
    const { game } = this;
    const { module } = game;
    return {
      defaults: Object.fromEntries(
        module.Rules._fields.map((/** @type {string} */ name) => [name, module.RULES[name]]),
      ),
      players: game.players,
      objective: game.players === 1 || !game.isChance ? game.objective() : null,
      card: module.card
        ? [...module.card(game.rules)].map(([name, part]) => ({ name: String(name), part: String(part) }))
        : null,
      hides: game.hides,
      isChance: game.isChance,
      range: game.range,
    };
  }
}

/** The referee of one game; see `komi.play.table`. */
export class Table {
  /**
   * @param {Game} game
   * @param {number} viewer
   * @param {boolean} isAtOneDevice
   */
  constructor(game, viewer, isAtOneDevice) {
    this.game = game;
    this.viewer = viewer;
    this.isAtOneDevice = isAtOneDevice;
    this.state = game.module.start(game.rules);
    this.seat = 0;
    this.number = 0;
    /** @type {{ label: string, action: number } | null} */
    this.pending = null;
    this.rewards = Array(game.players).fill(0);
    this.positions = new Map(); // number of occurrences since the last chance event
    /** @type {any[]} */
    this.seen = Array(game.players).fill(null); // each seat's last observation
    this.update(true);
    this.observe();
  }

  get isOver() {
    return this.payoffs !== null;
  }

  /**
   * Enter a step and return its data, or null if the rules do not allow it.
   * @param {string} label
   */
  enter(label) {
    const { game, state, seat, pending } = this;
    const isEvent = this.events.length > 0;
    const action = pending ? pending.action : isEvent ? CHANCE : this.actions.get(label);
    const events = isEvent ? this.events : action === undefined ? [] : game.events(state, action);
    const event = isEvent ? events.find((each) => each.label === label) : events[0];
    if (!event || this.isOver) return null;
    const effect = isEvent ? NO_EFFECT : game.effect(state, action);
    const [isSeen, isPublic] = this.witnesses(action);
    let revealed = "";
    this.number++;
    if (!isEvent && events.length > 1) {
      this.pending = { label, action };
      [this.actions, this.events] = [new Map(), events];
    } else {
      if (game.module.reward) this.rewards[seat] += game.call("reward", state, action, event.after);
      if (game.module.revealed) revealed = String(game.call("revealed", state, action, event.after));
      this.pending = null;
      this.state = event.after;
      this.seat = (seat + event.passes) % game.players;
      this.update(isEvent);
    }
    this.observe();
    const gained = game.isScored ? this.rewards[0] : null;
    const isKnown = isSeen && (isPublic || !isEvent || this.seen[this.viewer] !== null);
    const laid = isEvent ? game.items(seat, "laid", label) : null;
    return { seat, kind: isEvent ? "event" : "action", label, ...effect, gained, revealed, laid, isKnown };
  }

  /**
   * Update payoffs, actions and events after a step.
   * @param {boolean} isAfterChance
   */
  update(isAfterChance) {
    const { game, state, seat } = this;
    [this.actions, this.events, this.payoffs, this.isStopped] = [new Map(), [], null, false];
    if (game.call("over", state)) {
      this.payoffs = turn(game.payoffs(state), seat);
      return;
    }
    if (isAfterChance) this.positions.clear();
    const key = keyOf([state, seat]);
    this.positions.set(key, (this.positions.get(key) ?? 0) + 1);
    const isRepeated = !game.hides && this.positions.get(key) === REPETITIONS;
    if (isRepeated || this.number >= MAX_ENTRIES) {
      this.isStopped = true;
      this.payoffs = Array(game.players).fill(game.range[0] + (game.range[1] - game.range[0]) / game.players);
      return;
    }
    const actions = game.actions(state);
    if ([...actions.values()].includes(CHANCE)) this.events = game.events(state, CHANCE);
    else this.actions = actions;
  }

  /**
   * Return what the table shows now. `entry` is the step that led here.
   * @param {any} entry
   * @returns {Page.Moment}
   */
  moment(entry) {
    const { game, state, seat, viewer } = this;
    const mover = this.isOver ? null : seat;
    const waiting = this.isOver ? null : this.events.length > 0 ? "event" : "action";
    const current = this.isAtOneDevice ? seat : viewer; // the seat that sees the table while the game runs
    const isOwnView = game.hides && !this.isOver;
    const isActing = this.actions.size > 0 && seat === current;
    return {
      entry,
      seat,
      mover,
      waiting,
      isPending: this.pending !== null,
      isStopped: this.isStopped,
      results: this.payoffs && game.results(this.payoffs),
      points: game.isChance ? null : this.payoffs,
      score: this.payoffs && game.isScored ? this.rewards[0] + this.payoffs[0] : null,
      labels: [...this.actions.keys()],
      events: this.events.map(({ label, probability, after, passes }) => ({
        label,
        probability,
        after: { state: game.shown(after), observer: (seat + passes) % game.players },
        faces: game.faces(after),
      })),
      position: game.position(state, seat, offset(viewer, seat, game.players), seat),
      shown: {
        ...(isOwnView
          ? game.position(this.seen[current], current, 0, seat)
          : game.position(state, seat, offset(current, seat, game.players), seat)),
        number: this.number,
        mover,
        waiting,
        events: [],
        pending: this.pending && { label: this.pending.label },
        actions: isActing ? [...this.actions].map(([label, action]) => game.offer(state, label, action)) : [],
        decided: isActing && this.isDecided(),
      },
    };
  }

  /** Return the events of each legal action, with the states after them. */
  choices() {
    const { game, state } = this;
    const events = (/** @type {number} */ action) =>
      game.events(state, action).map(({ after, ...event }) => ({ ...event, state: game.shown(after) }));
    return Object.fromEntries([...this.actions].map(([label, action]) => [label, events(action)]));
  }

  /** Return whether only one action is left, and it ends the game. */
  isDecided() {
    const [action, ...others] = this.actions.values();
    return (
      others.length === 0 && this.game.events(this.state, action).every(({ after }) => this.game.call("over", after))
    );
  }

  /** Note what each seat sees of the current state, in a game with hidden information. */
  observe() {
    const { game, state, seat } = this;
    if (!game.hides || this.isOver) return;
    const isChoosing = this.actions.size > 0 || this.pending !== null;
    this.seen = this.seen.map((before, other) => {
      if (isChoosing && other === seat) return game.call("view", state);
      const isKnown = game.module.turned && (isChoosing || before !== null); // no player has a hand before all cards are dealt
      return isKnown ? this.observation(state, seat, other) : before;
    });
  }

  /**
   * Return what another seat sees of a state that the observer sees.
   * @param {any} state
   * @param {number} observer
   * @param {number} seat
   */
  observation(state, observer, seat) {
    const { game } = this;
    return game.call("view", game.turned(state, offset(seat, observer, game.players)));
  }

  /**
   * Return whether the viewer sees the next step, an action or an event after it, and whether all seats do.
   * @param {number} action
   */
  witnesses(action) {
    const { game, events, seat, viewer } = this;
    if (!game.hides) return [true, true];
    const isOpen = events.length < 2 && game.isOpen(this.state, action);
    const sees = this.seen.map((_, other) => {
      const isActing = other === seat && (events.length === 0 || this.pending !== null);
      return isActing || (events.length < 2 ? isOpen : this.distinguishes(other));
    });
    return [sees[viewer], !sees.includes(false)];
  }

  /**
   * Return whether a seat's observations after the possible events all differ.
   * @param {number} seat
   */
  distinguishes(seat) {
    const { game } = this;
    const found = new Set();
    for (const { after, passes } of this.events) {
      if (game.call("over", after)) continue; // all is known then
      const observer = (this.seat + passes) % game.players;
      if (seat !== observer && !game.module.turned) return false;
      const key = keyOf(this.observation(after, observer, seat));
      if (found.has(key)) return false;
      found.add(key);
    }
    return true;
  }
}

/**
 * @param {number} seat
 * @param {number} observer
 * @param {number} players
 */
const offset = (seat, observer, players) => (seat - observer + players) % players;
/**
 * Return the payoffs by seat.
 * @param {number[]} moverFirst
 * @param {number} mover
 */
const turn = (moverFirst, mover) => moverFirst.map((_, seat) => moverFirst[offset(seat, mover, moverFirst.length)]);
