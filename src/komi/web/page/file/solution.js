/** Optimal play of a game, from the table in this file or the solver: the values of states, of actions, and policies; see
 * `komi.exporting.page_table`. */

const UNSTORED = -1; // the value follows from those of the successors
const UNIFORM = -2; // in a table of actions: any of them
const NO_PLIES = -1;
const ROUNDING = 3; // units by which values of actions can differ by rounding

/**
 * A column of whole numbers, as the file stores it: the lowest bytes of all, then the next bytes, and so on.
 * @typedef {{ at: number, rows: number, bytes: number, least: number }} StoredColumn
 */

/**
 * Optimal play, in ascending order of the keys of states.
 * @typedef {{ keys: Float64Array, values: Float64Array, actions: Int16Array, plies: Float64Array | null }} OptimalPlay
 */

/**
 * The actions of a policy by the fields on which they depend.
 * @typedef {{ index: StateIndex, actions: Float64Array | Int16Array }} Policy
 */

/** The rows of a table, by the states that they are about. */
class StateIndex {
  /**
   * @param {{ lows: number[], sizes: number[], keys?: StoredColumn, fields?: number[] }} stored
   * @param {Uint8Array} data
   * @param {Float64Array} [keys] of all states, if they are not in the file
   */
  constructor({ lows, sizes, keys: differences, fields = [...lows.keys()] }, data, keys) {
    this.lows = lows;
    this.sizes = sizes;
    this.fields = fields; // the indices of those that make the key
    this.keys = keys ?? columnOf(differences, data);
    for (let i = 1; !keys && i < this.keys.length; i++) this.keys[i] += this.keys[i - 1];
  }

  /**
   * Return the index of a state in the table, or -1.
   * @param {any} state
   */
  indexOf(state) {
    const fields = flat(state);
    let key = 0;
    for (let i = 0; i < this.fields.length; i++) {
      const value = fields[this.fields[i]] - this.lows[i];
      if (value < 0 || value >= this.sizes[i]) return -1;
      key = key * this.sizes[i] + value;
    }
    let [low, high] = [0, this.keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.keys[middle] < key) low = middle + 1;
      else high = middle;
    }
    return this.keys[low] === key ? low : -1;
  }
}

export class Solution {
  /**
   * @param {import("../translated-game.js").Game} game
   * @param {any} table what the file says of the table
   * @param {Uint8Array} data the columns of the table
   * @param {OptimalPlay} [play] from the solver, if it is not in the file
   */
  constructor(game, table, data, play) {
    const read = (/** @type {StoredColumn} */ column) => columnOf(column, data);
    const readValues = (/** @type {StoredColumn} */ column) =>
      read(column).map((units) => (units === UNSTORED ? NaN : units * table.unit + table.least));
    this.game = game;
    this.table = table;
    this.states = new StateIndex(table.states, data, play?.keys);
    this.sets = table.sets ? new StateIndex(table.sets, data) : this.states; // what players observe
    /** @type {Float64Array[]} */
    this.values = play ? [play.values] : table.values.map(readValues); // by seat, counted from the mover
    /** @type {Float64Array[] | null} */
    this.worths = table.worths ? table.worths.map(readValues) : null; // by the number of the action in the order of the rules
    this.plies = play ? play.plies : table.plies && read(table.plies);
    this.choices = play ? play.actions : read(table.choices);
    this.tolerance = ROUNDING * table.unit;
    this.sign = table.aim === "least" ? -1 : 1;
    /** @type {Record<string, Policy | Float64Array[]>} */
    this.policies = Object.fromEntries(
      Object.entries(table.policies).map(([name, stored]) => [
        name,
        Array.isArray(stored)
          ? stored.map(read)
          : stored
            ? { index: new StateIndex(stored.index, data), actions: read(stored.actions) }
            : { index: this.states, actions: this.choices },
      ]),
    );
  }

  /** Whether players do not see all of a state. */
  get hides() {
    return this.worths !== null;
  }

  /**
   * Return what the player to move observes.
   * @param {any} state
   */
  observation(state) {
    return this.hides ? this.game.call("view", state) : state;
  }

  /**
   * Return the value of a state: the expected payoff, or the expected rewards to come, given all of the state.
   * @param {any} state
   * @param {number} [seat] whose value, counted from the player to move
   * @returns {number}
   */
  value(state, seat = 0) {
    const { game, values } = this;
    if (game.call("over", state)) return game.payoffs(state)[seat];
    if (!values[seat]) return this.opposite(this.value(state));
    const index = this.states.indexOf(state);
    if (Number.isNaN(values[seat][index])) values[seat][index] = this.actionValue(state, this.choices[index], seat);
    return values[seat][index];
  }

  /**
   * Return the value of an action, or of a chance event.
   * @param {any} state
   * @param {number} action
   * @param {number} [seat] whose value, counted from the player to move
   */
  actionValue(state, action, seat = 0) {
    let value = 0;
    for (const [probability, after, passes] of this.game.call("outcomes", state, action))
      value += probability * (this.reward(state, action, after) + this.valueFor(after, seat - Number(passes)));
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
    const { players } = this.game;
    return this.value(state, ((seats % players) + players) % players);
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
    const best = this.choices[this.states.indexOf(state)];
    const row = this.sets.indexOf(this.observation(state));
    const all = [...game.actions(state)].map(([label, action], i) => {
      const worth = this.hides ? this.worths[i][row] : this.actionValue(state, action);
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
    const plies = isOver ? 0 : this.plies[this.states.indexOf(after)];
    if (share === 0.5 || plies === NO_PLIES) return { value: "draw", plies: null };
    return { value: share > 0.5 ? "win" : "loss", plies: plies + 1 };
  }

  /**
   * Choose the action of an opponent by what it observes.
   * @param {any} state
   * @param {string} opponent
   * @param {number | null} horizon how many plies ahead it sees, if it plays by that
   */
  choose(state, opponent, horizon) {
    const seen = this.observation(state);
    const legal = [...this.game.call("legal", seen)];
    const weights = this.weights(seen, legal, opponent, horizon);
    let left = Math.random() * weights.reduce((sum, weight) => sum + weight, 0);
    return legal.find((_, i) => weights[i] > 0 && (left -= weights[i]) <= 0);
  }

  /**
   * Return the weight of each legal action for an opponent: by a table, or in games without chance by the results within
   * its horizon.
   * @param {any} seen
   * @param {number[]} legal
   * @param {string} opponent
   * @param {number | null} horizon
   * @returns {number[]}
   */
  weights(seen, legal, opponent, horizon) {
    if (horizon !== null) {
      const scores = legal.map((action) => scoreOf(this.result(seen, action), horizon));
      const most = Math.max(...scores);
      return scores.map((score) => Number(score === most));
    }
    const policy = this.policies[opponent];
    if (Array.isArray(policy)) return legal.map((_, i) => policy[i][this.sets.indexOf(seen)]);
    const chosen = policy?.actions[policy.index.indexOf(seen)] ?? UNIFORM;
    return legal.map((action) => Number(chosen === UNIFORM || action === chosen));
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
 * @param {Uint8Array} data
 */
function columnOf({ at, rows, bytes, least }, data) {
  const numbers = new Float64Array(rows).fill(least);
  for (let byte = 0; byte < bytes; byte++) {
    const plane = data.subarray(at + byte * rows, at + (byte + 1) * rows);
    for (let i = 0; i < rows; i++) numbers[i] += plane[i] * 2 ** (8 * byte);
  }
  return numbers;
}

/**
 * Return the fields of a state, those of tuples one by one.
 * @param {any} state
 * @returns {number[]}
 */
const flat = (state) => [...state].flatMap((field) => (typeof field === "object" ? flat(field) : Number(field)));
