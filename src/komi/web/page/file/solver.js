/** A solver of games that see everything, for one player or for two who play against each other: it lists the states, and
 * solves their strongly connected components in reverse topological order by Gauss-Seidel sweeps.
 *
 * The values of two players are centered: that of the opponent is the negative, and coefficients of transitions are
 * probabilities, negative where the turn passes. In games without chance they are also discounted a little, so that the
 * value of a state contains the plies to the end.
 */

import { Game } from "../translated-game.js";

const PRECISION = 1e-12; // estimated error of values, relative to their range
const ROUNDING = 1e-15; // change of a value by rounding, relative to the range
const MAX_UPDATES = 3e9; // of values, one or two minutes
const DISCOUNT = 1 - 2 ** -30; // per ply
const NO_PLIES = -1; // in a draw
const REPORT_INTERVAL = 1 << 16; // states

/** @typedef {(stage: string, done: number, total: number) => void} Report */
/** @typedef {ReturnType<typeof explore>} Graph */

/**
 * Solve a game.
 * @param {string} source the rules in JavaScript
 * @param {Page.Rules} rules
 * @param {any} table what the file says of the states; see `solver` of `komi.exporting.page_table`
 * @param {Report} report
 * @returns {Promise<import("./solution.js").OptimalPlay>}
 */
export async function solve(source, rules, table, report) {
  const module = await import(`data:text/javascript,${encodeURIComponent(source + keyFunction(table))}`);
  const game = new Game(module, rules);
  const states = new States(module, table);
  const graph = explore(game, table, states, report);
  if (states.count < table.states) throw new Error("there are fewer states than in the file");
  return sorted(game, table, states, valuesOf(graph, componentsOf(graph), table, report));
}

/**
 * Return the source of a function that computes the key of a state: its fields as the digits of one number.
 * @param {{ fields: string[], lows: number[], sizes: number[] }} table
 */
function keyFunction({ fields, lows, sizes }) {
  const digits = fields.map((field, i) => `Number(state.${field}) - ${lows[i]}`);
  const key = digits.reduce((higher, digit, i) => `(${higher}) * ${sizes[i]} + ${digit}`);
  return `\nexport const $key = (state) => ${key};\n`;
}

/** States in the order in which they were found, with a hash table of their keys. */
class States {
  /**
   * @param {any} module
   * @param {{ states: number, lows: number[], sizes: number[] }} table
   */
  constructor(module, { states, lows, sizes }) {
    this.module = module;
    this.lows = lows;
    this.sizes = sizes;
    /** @type {(number | null)[]} */
    this.lengths = [...module.start(module.RULES)].map((field) => (typeof field === "object" ? field.length : null));
    this.count = 0;
    this.keys = new Float64Array(states);
    this.slots = new Int32Array(Math.max(16, 2 ** Math.ceil(Math.log2(1.5 * states)))); // index + 1; 0 in empty ones
    this.shift = Math.clz32(this.slots.length - 1);
  }

  /**
   * Return the slot of a key. Keys of one block of 16 have neighboring slots, because successors have similar keys.
   * @param {number} key
   */
  slotOf(key) {
    const { keys, slots, shift } = this;
    const block = Math.imul(key / 16 + key / 2 ** 36, 0x9e3779b1) >>> shift;
    let slot = (block & -16) | (key & 15);
    while (slots[slot] > 0 && keys[slots[slot] - 1] !== key) slot = (slot + 1) & (slots.length - 1);
    return slot;
  }

  /**
   * Return the index of a state, which is added if it is new.
   * @param {any} state
   */
  add(state) {
    const key = this.module.$key(state);
    const slot = this.slotOf(key);
    if (this.slots[slot] === 0) {
      if (this.count === this.keys.length) throw new Error("there are more states than in the file");
      this.keys[this.count] = key;
      this.slots[slot] = ++this.count;
    }
    return this.slots[slot] - 1;
  }

  /**
   * Return the state with an index.
   * @param {number} index
   */
  at(index) {
    const fields = new Array(this.sizes.length);
    let key = this.keys[index];
    for (let i = fields.length - 1; i >= 0; i--) {
      const higher = Math.floor(key / this.sizes[i]);
      fields[i] = key - higher * this.sizes[i] + this.lows[i];
      key = higher;
    }
    let first = 0;
    const nested = this.lengths.map((length) =>
      length === null ? fields[first++] : fields.slice(first, (first += length)),
    );
    return new this.module.State(...nested);
  }
}

/** An array that grows. */
class Column {
  /** @param {Int16ArrayConstructor | Int32ArrayConstructor | Float64ArrayConstructor} type */
  constructor(type) {
    this.length = 0;
    this.array = new type(1024);
  }

  /** @param {number} number */
  push(number) {
    if (this.length === this.array.length) {
      const { array } = this;
      this.array = new /** @type {any} */ (array.constructor)(2 * array.length);
      this.array.set(array);
    }
    this.array[this.length++] = number;
  }
}

/**
 * Find the states by a depth-first search.
 * @param {Game} game
 * @param {any} table
 * @param {States} states modified in place
 * @param {Report} report
 * @returns the transitions in compressed sparse rows; outcomes of an action that lead to the same state are merged
 */
function explore(game, table, states, report) {
  const { module, rules } = game;
  const [firstAction, endAction, stack] = Array.from({ length: 3 }, () => new Int32Array(table.states));
  const [actions, constants, firstTransition] = [Int16Array, Float64Array, Int32Array].map((type) => new Column(type));
  const [targets, coefficients] = [Int32Array, Float64Array].map((type) => new Column(type));
  const latest = new Int32Array(table.states).fill(-1); // the latest transition to each state
  let height = 0;
  stack[height++] = states.add(module.start(rules));
  for (let visited = 0; height > 0; visited++) {
    if (visited % REPORT_INTERVAL === 0) report("finding states", visited, table.states);
    const index = stack[--height];
    const state = states.at(index);
    firstAction[index] = actions.length;
    for (const action of module.legal(rules, state)) {
      const first = targets.length;
      let [constant, staying] = [0, 0];
      for (const [probability, after, passes] of module.outcomes(rules, state, action)) {
        if (!(probability > 0)) continue;
        const coefficient = (table.hasPlies ? DISCOUNT : probability) * (passes % game.players === 0 ? 1 : -1);
        if (table.rewards) constant += probability * Number(module.reward(rules, state, action, after));
        if (module.over(rules, after)) {
          constant += coefficient * payoffOf(game, after, table.hasPlies);
          continue;
        }
        const known = states.count;
        const target = states.add(after);
        if (target === known) stack[height++] = target;
        if (target === index) staying += coefficient;
        else if (latest[target] >= first) coefficients.array[latest[target]] += coefficient;
        else {
          latest[target] = targets.length;
          targets.push(target);
          coefficients.push(coefficient);
        }
      }
      actions.push(action);
      constants.push(constant / (1 - staying));
      firstTransition.push(first);
      for (let i = first; staying !== 0 && i < targets.length; i++) coefficients.array[i] /= 1 - staying;
    }
    endAction[index] = actions.length;
  }
  firstTransition.push(targets.length);
  return {
    ...{ firstAction, endAction, actions: actions.array, constants: constants.array },
    ...{ firstTransition: firstTransition.array, targets: targets.array, coefficients: coefficients.array },
  };
}

/**
 * Return the centered payoff of the player to move in a state where the game is over.
 * @param {Game} game
 * @param {any} state
 * @param {boolean} hasPlies
 */
function payoffOf(game, state, hasPlies) {
  const payoff = game.payoffs(state)[0] - centerOf(game);
  return hasPlies ? Math.sign(payoff) : payoff;
}

/** @param {Game} game */
const centerOf = ({ players, range }) => (players === 2 ? (range[0] + range[1]) / 2 : 0);

/**
 * Find the strongly connected components, by Tarjan's algorithm.
 * @param {Graph} graph
 * @returns the states by components in reverse topological order, in each in depth-first postorder; and the components' ends
 */
function componentsOf({ firstAction, endAction, firstTransition, targets }) {
  const { length } = firstAction;
  const [ranks, lows, next, path, waiting, finished] = Array.from({ length: 6 }, () => new Int32Array(length));
  /** @type {number[]} */
  const ends = [];
  let [height, queued, visited, done] = [0, 0, 0, 0];
  const enter = (/** @type {number} */ state) => {
    ranks[state] = lows[state] = ++visited;
    next[state] = firstTransition[firstAction[state]];
    path[height++] = waiting[queued++] = state;
  };
  enter(0);
  while (height > 0) {
    const state = path[height - 1];
    if (next[state] < firstTransition[endAction[state]]) {
      const target = targets[next[state]++];
      if (ranks[target] === 0) enter(target);
      else if (ranks[target] > 0) lows[state] = Math.min(lows[state], ranks[target]);
      continue;
    }
    finished[done++] = state;
    height--;
    if (lows[state] < ranks[state]) lows[path[height - 1]] = Math.min(lows[path[height - 1]], lows[state]);
    else {
      do
        ranks[waiting[--queued]] = -1 - ends.length; // from now on, the component
      while (waiting[queued] !== state);
      ends.push(visited - queued);
    }
  }
  const order = new Int32Array(length);
  const filled = Int32Array.from(ends, (_, component) => ends[component - 1] ?? 0);
  for (const state of finished) order[filled[-1 - ranks[state]]++] = state;
  return { order, ends };
}

/**
 * Compute the centered values and optimal actions, component by component. The sweeps over one end when the changes, which
 * shrink by a factor with each sweep, have an estimated sum below the precision.
 * @param {Graph} graph
 * @param {ReturnType<typeof componentsOf>} components
 * @param {any} table
 * @param {Report} report
 */
function valuesOf(graph, { order, ends }, table, report) {
  const { firstAction, endAction, actions, constants, firstTransition, targets, coefficients } = graph;
  const values = new Float64Array(order.length);
  const choices = new Int16Array(order.length);
  const sign = table.aim === "least" ? -1 : 1;
  const update = (/** @type {number} */ state) => {
    let [best, chosen] = [-Infinity, -1];
    for (let action = firstAction[state]; action < endAction[state]; action++) {
      let value = constants[action];
      for (let i = firstTransition[action]; i < firstTransition[action + 1]; i++)
        value += coefficients[i] * values[targets[i]];
      if (sign * value > best) [best, chosen] = [sign * value, action];
    }
    const change = Math.abs(sign * best - values[state]);
    values[state] = sign * best;
    choices[state] = actions[chosen];
    return change;
  };
  let [first, reported, updates] = [0, 0, 0];
  for (const end of ends) {
    let [last, factor, error] = [Infinity, 1, Infinity];
    while (error > PRECISION * table.range) {
      let change = 0;
      for (let i = first; i < end; i++) change = Math.max(change, update(order[i]));
      if (last < Infinity) factor = Math.max(change / last, factor / 2);
      last = change;
      const isExact = end - first === 1 || change <= ROUNDING * table.range;
      error = isExact ? 0 : factor < 1 ? (change * factor) / (1 - factor) : Infinity;
      updates += end - first;
      if (updates > MAX_UPDATES) throw new Error("the values converge too slowly");
    }
    first = end;
    if (first - reported >= REPORT_INTERVAL) report("solving", (reported = first), order.length);
  }
  return { values, choices };
}

/**
 * Return optimal play in ascending order of the keys.
 * @param {Game} game
 * @param {any} table
 * @param {States} states
 * @param {ReturnType<typeof valuesOf>} found
 * @returns {import("./solution.js").OptimalPlay}
 */
function sorted(game, { hasPlies }, states, found) {
  const keys = states.keys.slice().sort();
  const indices = Int32Array.from(keys, (key) => states.slots[states.slotOf(key)] - 1);
  const centered = Float64Array.from(indices, (index) => found.values[index]);
  const [center, most] = [centerOf(game), game.range[1]];
  const pliesOf = (/** @type {number} */ value) => Math.round(Math.log(Math.abs(value)) / Math.log(DISCOUNT));
  return {
    keys,
    values: centered.map((value) => center + (hasPlies ? Math.sign(value) * (most - center) : value)),
    actions: Int16Array.from(indices, (index) => found.choices[index]),
    plies: hasPlies ? centered.map((value) => (value === 0 ? NO_PLIES : pliesOf(value))) : null,
  };
}
