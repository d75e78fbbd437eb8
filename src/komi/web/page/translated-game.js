/** The rules of a game, a module that `komi export GAME --to rules.js` writes, with the labels, defaults and layouts of
 * `komi.rules.game` and `komi.web.layout`. */

export const CHANCE = -1; // the action at chance nodes
/**
 * The numbers that an item on the table has behind its text; see `komi.rules.table_items`.
 * @type {Record<string, number>}
 */
const NUMBERS = { card: 0, die: 0, token: 0, stack: 1, counter: 1, track: 2, square: 2 };
/**
 * The effect of a step that keeps no dice and writes no scores.
 * @type {{ keeps: number[] | null, scores: number[][] }}
 */
export const NO_EFFECT = { keeps: null, scores: [] };

export class Game {
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
   * Return whether all players see that an action is taken; in a chance node, whether all actions are open.
   * @param {any} state
   * @param {number} action
   */
  isOpen(state, action) {
    const stated = this.module.open_actions;
    if (typeof stated !== "function") return Boolean(stated);
    return action !== CHANCE && Boolean(this.call("open_actions", state, action));
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
    if (!elements || value < 0 || value >= 2 ** elements.length) return String(whole(value));
    const present = [...elements].filter((_, bit) => (BigInt(value) >> BigInt(bit)) & 1n);
    return present.join(" ") || "none";
  }

  /**
   * Return the fields of a state as the server shows them.
   * @param {any} state
   */
  shown(state) {
    const value = (/** @type {string} */ name) =>
      ["object", "bigint"].includes(typeof state[name]) || this.elements.has(name)
        ? this.text(name, state[name])
        : Number(state[name]);
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
    const item = this.itemOf(state, action);
    return { label, square, target, item, then: effect.keeps ? this.nextActions(state, action) : [], ...effect };
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
   * Return the position as the server shows it; `seats` is the offset of the viewer from the observer. `table` sees the
   * state from the side of the mover.
   * @param {any} state
   * @param {number} observer
   * @param {number} seats
   * @param {number} mover
   * @returns {any}
   */
  position(state, observer, seats, mover) {
    const { module } = this;
    if (state === null)
      return {
        state,
        observer,
        written: "",
        squares: null,
        beside: null,
        throw: null,
        faces: null,
        filled: null,
        table: null,
      };
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
      faces: this.faces(state),
      filled: module.filled ? numbers(this.call("filled", state)) : null,
      table: this.table(state, observer, module.turned ? mover : observer),
    };
  }

  /**
   * @param {any} state
   * @param {number} observer
   * @param {number} mover
   */
  table(state, observer, mover) {
    return this.items(mover, "table", this.turned(state, (mover - observer + this.players) % this.players));
  }

  /**
   * Return the items that `table` or `laid` yields, with the seats of their owners, or null without the part.
   * @param {number} mover
   * @param {"table" | "laid"} part
   * @param {any} given
   * @returns {Api.ItemView[] | null}
   */
  items(mover, part, given) {
    if (!this.module[part]) return null;
    return [...this.call(part, given)].map(([kind, place, owner, text, ...more]) => ({
      kind,
      place,
      owner: owner < 0 ? null : (mover + Number(owner)) % this.players,
      text,
      numbers: numbers(more.slice(0, numbersOf(kind, more))),
    }));
  }

  /**
   * Return the index of the item that means an action, or null.
   * @param {any} state
   * @param {number} action
   */
  itemOf(state, action) {
    if (!this.module.table || action === CHANCE) return null;
    const found = [...this.call("table", this.hides ? this.call("view", state) : state)].findIndex(
      ([kind, , , , ...more]) => more.length > numbersOf(kind, more) && Number(more.at(-1)) === action,
    );
    return found < 0 ? null : found;
  }

  /** @param {any} state */
  faces(state) {
    return this.module.faces ? numbers(this.call("faces", state)) : null;
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

/** @param {number} seats */
const passing = (seats) => [", same player", ", next player"][seats] ?? `, ${seats} seats on`;
/** @param {number | bigint | boolean} value */
const whole = (value) => (typeof value === "bigint" ? value : Number(value));
/** @param {Iterable<any>} values */
const numbers = (values) => [...values].map(Number);
/**
 * Return how many numbers an item has behind its text, before its action: a token can stand on a row and a column.
 * @param {string} kind
 * @param {any[]} more
 */
const numbersOf = (kind, more) => (kind === "token" && more.length > 1 ? 2 : NUMBERS[kind]);
/** @param {Iterable<any> | null} values */
const nullOr = (values) => values && numbers(values);

/**
 * Return a text that is the same for equal states and numbers.
 * @param {any} value
 * @returns {string}
 */
export const keyOf = (value) =>
  typeof value === "object" ? `(${[...value].map(keyOf).join()})` : String(whole(value));
