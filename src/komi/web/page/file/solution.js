/** Optimal play of a game, from the table in this file: the values of states, of actions, and the table's policies. */

const UNSTORED = 0; // a state whose value follows from those of its successors
const UNIFORM = -2; // in a table of actions: any of them
const NO_PLIES = -1;
const ROUNDING = 3; // units by which values of actions can differ by rounding

/**
 * A column of whole numbers, as the file stores it: the lowest bytes of all, then the next bytes, and so on.
 * @typedef {{ at: number, bytes: number, least: number }} StoredColumn
 */

export class Solution {
  /**
   * @param {import("../translated-game.js").Game} game
   * @param {any} table what the file says of the table
   * @param {Uint8Array} data the columns of the table
   */
  constructor(game, table, data) {
    const read = (/** @type {StoredColumn} */ column) => columnOf(column, table.states, data);
    this.game = game;
    this.table = table;
    this.keys = read(table.keys);
    for (let i = 1; i < this.keys.length; i++) this.keys[i] += this.keys[i - 1];
    this.values = read(table.values);
    this.plies = table.plies && read(table.plies);
    this.choices = read(table.choices);
    this.tolerance = ROUNDING * table.unit;
    this.sign = table.aim === "least" ? -1 : 1;
    /** @type {Record<string, Float64Array>} */
    this.policies = Object.fromEntries(
      Object.entries(table.policies).map(([name, column]) => [name, read(/** @type {StoredColumn} */ (column))]),
    );
    /** @type {Map<string, number>} */
    this.computed = new Map(); // values that are not stored, by the state's fields
  }

  /**
   * Return the index of a state in the table, or -1.
   * @param {any} state
   */
  indexOf(state) {
    const fields = flat(state);
    const { lows, sizes } = this.table;
    let key = 0;
    for (let i = 0; i < fields.length; i++) {
      const value = fields[i] - lows[i];
      if (value < 0 || value >= sizes[i]) return -1;
      key = key * sizes[i] + value;
    }
    let [low, high] = [0, this.keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.keys[middle] < key) low = middle + 1;
      else high = middle;
    }
    return this.keys[low] === key ? low : -1;
  }

  /**
   * Return the value of a state to the player to move: the expected payoff, or the expected rewards to come.
   * @param {any} state
   * @returns {number}
   */
  value(state) {
    const { game, table } = this;
    if (game.call("over", state)) return game.payoffs(state)[0];
    const index = this.indexOf(state);
    if (index >= 0 && this.values[index] !== UNSTORED) return (this.values[index] - 1) * table.unit + table.least;
    const key = flat(state).join();
    let value = this.computed.get(key);
    if (value === undefined) {
      const values = [...game.call("legal", state)].map((action) => this.sign * this.actionValue(state, action));
      value = this.sign * Math.max(...values);
      this.computed.set(key, value);
    }
    return value;
  }

  /**
   * Return the value of an action, or of a chance event, to the player to move.
   * @param {any} state
   * @param {number} action
   */
  actionValue(state, action) {
    let value = 0;
    for (const [probability, after, passes] of this.game.call("outcomes", state, action))
      value += probability * (this.reward(state, action, after) + this.valueFor(after, -Number(passes)));
    return value;
  }

  /**
   * @param {any} state
   * @param {number} action
   * @param {any} after
   */
  reward(state, action, after) {
    return this.table.rewards ? Number(this.game.call("reward", state, action, after)) : 0;
  }

  /**
   * Return the value of a state to the seat that is some seats on from the player to move.
   * @param {any} state
   * @param {number} seats
   */
  valueFor(state, seats) {
    const value = this.value(state);
    return seats % this.game.players === 0 ? value : this.opposite(value);
  }

  /** @param {number} value */
  opposite(value) {
    return this.game.range[0] + this.game.range[1] - value;
  }

  /**
   * Return the legal actions with their values, best first.
   * @param {any} state
   * @returns {Api.ActionValueView[]}
   */
  actions(state) {
    const { game } = this;
    const best = this.choices[this.indexOf(state)];
    const all = [...game.actions(state)].map(([label, action]) => {
      const worth = this.actionValue(state, action);
      return { label, worth, ...this.result(state, action), isBest: action === best };
    });
    const isFirst = (/** @type {(typeof all)[0]} */ one, /** @type {(typeof all)[0]} */ other) =>
      scoreOf(other) - scoreOf(one) ||
      (Math.abs(one.worth - other.worth) > this.tolerance ? this.sign * (other.worth - one.worth) : 0) ||
      Number(other.isBest) - Number(one.isBest);
    return all.sort(isFirst).map(({ isBest, ...action }) => action); // eslint-disable-line no-unused-vars
  }

  /**
   * Return the result of an action with the plies to the end, in games without chance.
   * @param {any} state
   * @param {number} action
   * @returns {Pick<Api.ActionValueView, "value" | "plies">}
   */
  result(state, action) {
    if (!this.plies) return { value: null, plies: null };
    const [[, after, passes]] = this.game.call("outcomes", state, action);
    const isOver = this.game.call("over", after);
    const share = this.game.results([this.valueFor(after, -Number(passes))])[0];
    const plies = isOver ? 0 : this.plies[this.indexOf(after)];
    if (share === 0.5 || plies === NO_PLIES) return { value: "draw", plies: null };
    return { value: share > 0.5 ? "win" : "loss", plies: plies + 1 };
  }

  /**
   * Choose the action of an opponent: by a table, or in games without chance by the results within its horizon.
   * @param {any} state
   * @param {string} opponent
   * @param {number | null} horizon how many plies ahead it sees, if it plays by that
   * @returns {number}
   */
  choose(state, opponent, horizon) {
    const legal = [...this.game.call("legal", state)];
    if (horizon !== null) {
      const scores = legal.map((action) => scoreOf(this.result(state, action), horizon));
      const most = Math.max(...scores);
      return any(legal.filter((_, i) => scores[i] === most));
    }
    const action = this.policies[opponent]?.[this.indexOf(state)] ?? UNIFORM;
    return action === UNIFORM ? any(legal) : action;
  }
}

/**
 * Return the score of an action by its result: early wins are best, early losses worst; 0 beyond the horizon.
 * @param {Pick<Api.ActionValueView, "value" | "plies">} result
 * @param {number} [horizon]
 */
function scoreOf({ value, plies }, horizon = Infinity) {
  if (!value || value === "draw" || plies > horizon) return 0;
  return value === "win" ? 1 / plies : -1 / plies;
}

/**
 * Decode a column.
 * @param {StoredColumn} column
 * @param {number} length
 * @param {Uint8Array} data
 */
function columnOf({ at, bytes, least }, length, data) {
  const numbers = new Float64Array(length).fill(least);
  for (let byte = 0; byte < bytes; byte++) {
    const plane = data.subarray(at + byte * length, at + (byte + 1) * length);
    for (let i = 0; i < length; i++) numbers[i] += plane[i] * 2 ** (8 * byte);
  }
  return numbers;
}

/**
 * @param {number[]} actions
 */
const any = (actions) => actions[Math.floor(Math.random() * actions.length)];
/**
 * Return the fields of a state, those of tuples one by one.
 * @param {any} state
 * @returns {number[]}
 */
const flat = (state) => [...state].flatMap((field) => (typeof field === "object" ? flat(field) : Number(field)));
