/** A game replayed by its rules, a module that `komi export GAME --to rules.js` writes: what the table shows before and
 * after each step, as `komi.play.table` and `komi.web.layout` compute it on an honest server. */

const CHANCE = -1; // the action at chance nodes
const MAX_ENTRIES = 10000; // a longer game is a draw
const REPETITIONS = 3; // a position repeated this often, without chance events or hidden information, is a draw
/** @type {{ keeps: number[] | null, scores: number[][] }} */
const NO_EFFECT = { keeps: null, scores: [] };

/**
 * Replay a game. The result has what never changes, and a moment before the first step and after each one; it ends before
 * a step that the rules do not allow.
 * @param {any} module
 * @param {Page.Rules} values
 * @param {string[]} labels
 * @param {number} viewer the seat from whose side the table is seen
 * @param {boolean} isAtOneDevice whether the table turns to the player to move while the game runs
 * @returns {Page.Replay}
 */
export function replay(module, values, labels, viewer, isAtOneDevice) {
  const game = new Game(module, values);
  const table = new Table(game, viewer, isAtOneDevice);
  const moments = [table.moment(null)];
  for (const label of labels) {
    const entry = table.enter(label);
    if (entry === null) break;
    moments.push(table.moment(entry));
  }
  return {
    defaults: Object.fromEntries(module.Rules._fields.map((/** @type {string} */ name) => [name, module.RULES[name]])),
    players: game.players,
    objective: game.players === 1 || !game.isChance ? game.objective() : null,
    card: module.card
      ? [...module.card(game.rules)].map(([name, part]) => ({ name: String(name), part: String(part) }))
      : null,
    hides: game.hides,
    isChance: game.isChance,
    range: game.range,
    choices: table.choices(),
    moments,
  };
}

/** The rules of a game with the labels and defaults of `komi.rules.game`. */
class Game {
  /**
   * @param {any} module
   * @param {Page.Rules} values
   */
  constructor(module, values) {
    const fields = module.Rules._fields;
    if (String(Object.keys(values).sort()) !== String([...fields].sort()))
      throw new RangeError("these are other rules");
    this.module = module;
    this.rules = new module.Rules(...fields.map((/** @type {string} */ name) => values[name]));
    this.players = Number(this.constant("players", 2));
    const [lowest, highest] = this.constant("payoff_range", [0, 1]);
    this.isChance = lowest === 0 && highest === 1; // payoffs are on the scale of probabilities
    this.range = [lowest, highest];
    this.hides = "view" in module;
    this.isScored = this.players === 1 && "reward" in module && !this.objective().startsWith("chance");
    this.names = [...new Set([...this.constant("fields", module.State._fields)].map((name) => name.split("[")[0]))];
    this.elements = new Map(this.constant("elements", []));
  }

  /**
   * Return a part of the rules that is a value or a function of the rules.
   * @param {string} part
   * @param {any} otherwise
   */
  constant(part, otherwise) {
    const value = this.module[part] ?? otherwise;
    return typeof value === "function" ? value(this.rules) : value;
  }

  /**
   * Call a function of the rules on a state.
   * @param {string} part
   * @param {any} state
   * @param {any[]} more
   */
  call(part, state, ...more) {
    return this.module[part](this.rules, state, ...more);
  }

  objective() {
    const otherwise = this.isChance
      ? "reward" in this.module
        ? "expected total"
        : "chance of winning"
      : "expected payoff";
    return String(this.constant("objective", otherwise));
  }

  /**
   * @param {any} state
   * @param {number} action
   */
  label(state, action) {
    if (action === CHANCE) return "chance";
    return this.module.label ? String(this.call("label", state, action)) : this.module.actions[action];
  }

  /**
   * Return the legal actions by their labels.
   * @param {any} state
   * @returns {Map<string, number>}
   */
  actions(state) {
    return new Map([...this.call("legal", state)].map((action) => [this.label(state, action), action]));
  }

  /**
   * Return the events of an action; outcomes that lead to the same state are merged.
   * @param {any} state
   * @param {number} action
   * @returns {Page.Event[]}
   */
  events(state, action) {
    /** @type {Map<string, Page.Event>} */
    const merged = new Map();
    for (const [probability, after, passes] of this.call("outcomes", state, action)) {
      if (!(probability > 0)) continue;
      const key = keyOf([after, passes]);
      const same = merged.get(key);
      if (same) same.probability += probability;
      else merged.set(key, { label: "", probability, after, passes: Number(passes) });
    }
    const events = [...merged.values()];
    if (events.length === 1 && action !== CHANCE)
      return [{ ...events[0], label: this.label(state, action), probability: 1 }];
    const changes = this.module.event ? new Map() : this.changes(state, events);
    const states = events.map(({ after }) => keyOf(after));
    return events.map((event, i) => {
      const isShared = states.indexOf(states[i]) !== states.lastIndexOf(states[i]);
      const name = this.module.event ? String(this.call("event", state, action, event.after)) : changes.get(states[i]);
      return { ...event, label: (name || this.label(state, action)) + (isShared ? passing(event.passes) : "") };
    });
  }

  /**
   * Return the default label of the event that leads to each state: the fields that change.
   * @param {any} state
   * @param {Page.Event[]} events
   */
  changes(state, events) {
    const passes = new Map(events.map((event) => [keyOf(event.after), event]));
    const all = [...passes.values()];
    const differing = this.names.filter((name) => new Set(all.map(({ after }) => keyOf(after[name]))).size > 1);
    const labels = all.map((event) => {
      const before = this.turned(state, event.passes);
      const changed = differing.filter((name) => keyOf(event.after[name]) !== keyOf(before[name]));
      return this.listed(event.after, changed.length > 0 ? changed : differing);
    });
    const isUnique = (/** @type {string} */ label) => labels.indexOf(label) === labels.lastIndexOf(label);
    const chosen = all.map(({ after }, i) => (isUnique(labels[i]) ? labels[i] : this.listed(after, differing)));
    return new Map([...passes.keys()].map((key, i) => [key, chosen[i]]));
  }

  /**
   * @param {any} state
   * @param {string[]} names
   */
  listed(state, names) {
    return names.map((name) => `${name} ${this.text(name, state[name])}`).join(" and ");
  }

  /**
   * Write the value of a field.
   * @param {string} name
   * @param {any} value
   * @returns {string}
   */
  text(name, value) {
    if (typeof value === "object") return [...value].map((each) => this.text(name, each)).join("/");
    const elements = this.elements.get(name);
    if (!elements || value < 0 || value >= 2 ** elements.length) return String(Number(value));
    const present = [...elements].filter((_, bit) => Math.floor(value / 2 ** bit) % 2 === 1);
    return present.join(" ") || "none";
  }

  /**
   * Return the fields of a state as the server shows them.
   * @param {any} state
   */
  shown(state) {
    const value = (/** @type {string} */ name) =>
      typeof state[name] === "object" || this.elements.has(name) ? this.text(name, state[name]) : Number(state[name]);
    return Object.fromEntries(this.names.map((name) => [name, value(name)]));
  }

  /**
   * Return a state as the player some seats on sees it.
   * @param {any} state
   * @param {number} seats
   */
  turned(state, seats) {
    for (let i = 0; this.module.turned && i < seats; i++) state = this.call("turned", state);
    return state;
  }

  /**
   * Return the payoffs of a state where the game is over, the mover's first.
   * @param {any} state
   */
  payoffs(state) {
    const seats = Array.from({ length: this.players }, (_, seat) => seat);
    if (this.players !== 2) return seats.map((seat) => this.call("payoff", state, seat));
    const mine = this.call("payoff", state, 0);
    return [mine, this.range[0] + this.range[1] - mine];
  }

  /**
   * Return the payoffs on the scale of probabilities: of points, whether they are a win, a draw or a loss.
   * @param {number[]} payoffs
   */
  results(payoffs) {
    const even = (this.range[0] + this.range[1]) / 2;
    return this.isChance ? payoffs : payoffs.map((payoff) => 0.5 + 0.5 * Math.sign(payoff - even));
  }

  /**
   * Return the dice that an action keeps and the scores that it writes.
   * @param {any} state
   * @param {number} action
   */
  effect(state, action) {
    if (action === CHANCE) return NO_EFFECT;
    const kept = this.module.keeps ? this.call("keeps", state, action) : null;
    const scores = this.module.scores ? [...this.call("scores", state, action)] : [];
    return { keeps: kept && numbers(kept), scores: scores.map(numbers) };
  }

  /**
   * Return an action as the server offers it.
   * @param {any} state
   * @param {string} label
   * @param {number} action
   * @returns {Api.ActionView}
   */
  offer(state, label, action) {
    /** @type {any} */
    const effect = this.effect(state, action);
    const place = (/** @type {string} */ part) => (this.module[part] ? this.call(part, state, action) : null);
    const [square, target] = ["square", "target"].map(place).map((found) => found && numbers(found));
    return { label, square, target, then: effect.keeps ? this.nextActions(state, action) : [], ...effect };
  }

  /**
   * Return the labels of the same player's next actions, if the action has one outcome and keeps the turn.
   * @param {any} state
   * @param {number} action
   */
  nextActions(state, action) {
    const [event, ...others] = this.events(state, action);
    if (others.length > 0 || event.passes || this.call("over", event.after)) return [];
    return [...this.actions(event.after)].filter(([, next]) => next !== CHANCE).map(([label]) => label);
  }

  /**
   * Return the position as the server shows it; `seats` is the offset of the viewer from the observer.
   * @param {any} state
   * @param {number} observer
   * @param {number} seats
   * @returns {any}
   */
  position(state, observer, seats) {
    const { module } = this;
    if (state === null)
      return { state, observer, written: "", squares: null, beside: null, throw: null, faces: null, filled: null };
    const turned = this.turned(state, seats);
    return {
      state: this.shown(state),
      observer,
      written: module.write ? String(this.call("write", state)) : "",
      squares: module.board ? this.squares(turned) : null,
      beside: module.beside
        ? [...this.call("beside", turned)].map(([doing, whose, number]) => ({ doing, whose, number }))
        : null,
      throw: module.throw ? nullOr(this.call("throw", state)) : null,
      faces: module.faces ? numbers(this.call("faces", state)) : null,
      filled: module.filled ? numbers(this.call("filled", state)) : null,
    };
  }

  /** @param {any} state */
  squares(state) {
    const isDecided = this.module.decisive && this.call("over", state);
    const decisive = new Set(isDecided ? [...this.call("decisive", state)].map((place) => keyOf(numbers(place))) : []);
    return [...this.call("board", state)].map(([row, column, shows, tint]) => ({
      row,
      column,
      shows: String(shows),
      tint: Number(tint),
      decisive: decisive.has(keyOf([row, column])),
    }));
  }
}

/** The referee of one game; see `komi.play.table`. */
class Table {
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
    const [isSeen, isPublic] = this.witnesses();
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
    return { seat, kind: isEvent ? "event" : "action", label, ...effect, gained, revealed, isKnown };
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
      })),
      position: game.position(state, seat, offset(viewer, seat, game.players)),
      shown: {
        ...(isOwnView
          ? game.position(this.seen[current], current, 0)
          : game.position(state, seat, offset(current, seat, game.players))),
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

  /** Return whether the viewer sees the next step, and whether all seats do. */
  witnesses() {
    const { game, events, seat, viewer } = this;
    if (!game.hides) return [true, true];
    const sees = this.seen.map((_, other) => {
      const isActing = other === seat && (events.length === 0 || this.pending !== null);
      return isActing || (events.length < 2 ? Boolean(game.module.open_actions) : this.distinguishes(other));
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

/** @param {number} seats */
const passing = (seats) => [", same player", ", next player"][seats] ?? `, ${seats} seats on`;
/** @param {Iterable<any>} values */
const numbers = (values) => [...values].map(Number);
/** @param {Iterable<any> | null} values */
const nullOr = (values) => values && numbers(values);
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

/**
 * Return a text that is the same for equal states and numbers.
 * @param {any} value
 * @returns {string}
 */
const keyOf = (value) => (typeof value === "object" ? `(${[...value].map(keyOf).join()})` : String(Number(value)));
