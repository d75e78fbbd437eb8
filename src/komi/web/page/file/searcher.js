/** Monte Carlo tree search on the translated rules, as `komi.search.mcts` and `komi.search.ismcts` do it.
 *
 * Each player selects the action with the greatest upper confidence bound on what it receives itself, and chance is
 * sampled. Where something is hidden, the search gets an observation, each iteration begins in a state drawn for it, and a
 * node is what its player observes. Choices of the others are then learned in iterations of their own, from states that
 * are drawn again for what they observe.
 */

import { CHANCE, keyOf } from "../translated-game.js";

const MAX_PATH = 4096; // actions in the tree, chance moves included
const MAX_PLAYOUT = 10000; // actions and chance moves after which the players share the win
const CLOCK_INTERVAL = 15; // iterations between two readings of the clock: a power of two less one

/**
 * How a page searches: whether something is hidden, -1 if the only player minimizes, and the states with each observation
 * with their probabilities, where `deal` does not draw them.
 * @typedef {{ hidden: boolean, sign: number, sets: [any[], number][][] | null }} SearchSettings
 * @typedef {{ playouts: number, seconds: number, exploration: number }} Limits
 * @typedef {{ action: number, tried: number, sum: number, squares: number }} Edge
 * @typedef {{ visits: number, stamp: number, edges: Edge[] | null }} Node
 * @typedef {{ action: number, tried: number, value: number, stderr: number | null }} Estimate
 */

export class Searcher {
  /**
   * @param {import("../translated-game.js").Game} game
   * @param {SearchSettings} settings
   * @param {() => number} random
   */
  constructor(game, { hidden, sign, sets }, random) {
    const { module, rules } = game;
    this.game = game;
    this.random = random;
    this.isHidden = hidden;
    this.sign = sign;
    this.uniforms = module.deal ? module.deal.length - 2 : 0;
    this.sets = new Map(
      (sets ?? []).map((set) => {
        const states = set.map(([fields, probability]) => ({ state: new module.State(...fields), probability }));
        return [keyOf(module.view(rules, states[0].state)), states];
      }),
    );
  }

  /**
   * Search from what the player to move observes, and return the estimates of its actions, that of the best one first.
   * @param {any} observation
   * @param {Limits} limits
   * @returns {Estimate[]}
   */
  search(observation, { playouts, seconds, exploration }) {
    /** @type {Map<string, Node>} */
    this.nodes = new Map();
    this.exploration = exploration;
    this.least = Infinity;
    this.greatest = -Infinity;
    this.stamp = 0; // the number of the iteration
    const until = performance.now() + 1000 * seconds;
    for (let done = 1; done <= playouts; done++) {
      /** @type {{ state: any, seat: number } | null} */
      this.pending = null;
      this.iterate(this.draw(observation), 0, !this.isHidden);
      if (this.pending) this.iterate(this.draw(this.view(this.pending.state)), this.pending.seat, true);
      if ((done & CLOCK_INTERVAL) === 0 && performance.now() > until) break;
    }
    const edges = this.nodes.get(this.keyOf(observation, 0)).edges ?? [];
    const best = bestEdge(edges);
    return edges
      .filter(({ tried }) => tried > 0)
      .sort((one, other) => Number(other === best) - Number(one === best) || other.tried - one.tried)
      .map((edge) => this.estimate(edge));
  }

  /**
   * Walk through the tree to a new state, play out from there, and update the edges of the walk.
   * @param {any} state
   * @param {number} seat the seat to move
   * @param {boolean} keepsAll whether the results of all players' choices are kept, or only those of the searcher
   */
  iterate(state, seat, keepsAll) {
    const { game, nodes } = this;
    /** @type {{ node: Node, edge: Edge, seat: number, gain: number }[]} */
    const path = [];
    const stamp = ++this.stamp;
    let returns = null;
    for (let steps = 0; returns === null && steps < MAX_PATH; steps++) {
      if (game.call("over", state)) {
        returns = this.settle(state, seat, 0);
        break;
      }
      let action = CHANCE;
      if (!this.isChance(state)) {
        const key = this.keyOf(state, seat);
        const known = nodes.get(key);
        const node = known ?? { visits: 0, stamp, edges: null };
        if (!known) nodes.set(key, node);
        if (!known || node.stamp === stamp) {
          returns = this.playOut(state, seat);
          break;
        }
        node.stamp = stamp;
        node.edges ??= [...game.call("legal", state)].map((each) => ({ action: each, tried: 0, sum: 0, squares: 0 }));
        const isKept = keepsAll || seat === 0;
        if (!isKept) this.pending ??= { state, seat };
        if (!isKept && node.visits === 0) {
          returns = this.playOut(state, seat);
          break;
        }
        const edge = isKept ? this.select(node) : bestEdge(node.edges);
        if (isKept) path.push({ node, edge, seat, gain: 0 });
        action = edge.action;
      }
      const [after, passes] = this.sample(state, action);
      if (path.length > 0) path.at(-1).gain += this.reward(state, action, after);
      [state, seat] = [after, (seat + passes) % game.players];
    }
    this.update(path, returns ?? this.share(0));
  }

  /**
   * Return the edge of a node with the greatest upper confidence bound; one that was never tried comes first.
   * @param {Node} node
   */
  select({ edges, visits }) {
    const spread = this.greatest - this.least;
    const bonus = this.exploration * (spread > 0 ? spread : 1) * Math.sqrt(Math.log(Math.max(visits, 1)));
    const offset = Math.floor(this.random() * edges.length);
    let [best, highest] = [edges[offset], -Infinity];
    for (let i = 0; i < edges.length; i++) {
      const edge = edges[(i + offset) % edges.length];
      if (edge.tried === 0) return edge;
      const bound = edge.sum / edge.tried + bonus / Math.sqrt(edge.tried);
      if (bound > highest) [best, highest] = [edge, bound];
    }
    return best;
  }

  /**
   * Add the result of an iteration to the edges of its path, the last first.
   * @param {{ node: Node, edge: Edge, seat: number, gain: number }[]} path
   * @param {number[]} returns what each seat receives after the last edge
   */
  update(path, returns) {
    let gained = 0;
    for (const { node, edge, seat, gain } of path.reverse()) {
      gained += gain;
      const result = this.sign * (returns[seat] + gained);
      node.visits++;
      edge.tried++;
      edge.sum += result;
      edge.squares += result * result;
      this.least = Math.min(this.least, result);
      this.greatest = Math.max(this.greatest, result);
    }
  }

  /**
   * Play at random to the end of the game, and return what each seat receives.
   * @param {any} state
   * @param {number} seat
   */
  playOut(state, seat) {
    const { game } = this;
    let gained = 0;
    for (let steps = 0; steps < MAX_PLAYOUT; steps++) {
      if (game.call("over", state)) return this.settle(state, seat, gained);
      const action = this.pick(state);
      const [after, passes] = this.sample(state, action);
      gained += this.reward(state, action, after);
      [state, seat] = [after, (seat + passes) % game.players];
    }
    return this.share(gained);
  }

  /**
   * Draw a state with an observation.
   * @param {any} observation
   */
  draw(observation) {
    if (!this.isHidden) return observation;
    const uniforms = Array.from({ length: this.uniforms }, () => this.random());
    if (this.uniforms > 0) return this.game.call("deal", observation, ...uniforms);
    let rest = this.random();
    const set = this.sets.get(keyOf(observation));
    return (set.find(({ probability }) => (rest -= probability) < 0) ?? set.at(-1)).state;
  }

  /** @param {any} state */
  view(state) {
    return this.isHidden ? this.game.call("view", state) : state;
  }

  /**
   * Return the key of a node: what the player to move observes, and its seat where something is hidden.
   * @param {any} state
   * @param {number} seat
   */
  keyOf(state, seat) {
    return this.isHidden ? `${seat}${keyOf(this.view(state))}` : keyOf(state);
  }

  /** @param {any} state */
  isChance(state) {
    const [first] = this.game.call("legal", state);
    return first === CHANCE;
  }

  /**
   * Pick any legal action, or CHANCE.
   * @param {any} state
   * @returns {number}
   */
  pick(state) {
    const { game } = this;
    if (game.module.pick) return game.call("pick", state, this.random())[1];
    const legal = [...game.call("legal", state)];
    return legal[Math.floor(this.random() * legal.length)];
  }

  /**
   * Sample an outcome of an action: the next state, and the seats that the turn passes on.
   * @param {any} state
   * @param {number} action
   * @returns {[any, number]}
   */
  sample(state, action) {
    const { game } = this;
    let rest = this.random();
    if (game.module.sample) {
      const [, after, passes] = game.call("sample", state, action, rest);
      return [after, Number(passes)];
    }
    /** @type {[any, number] | null} */
    let found = null;
    for (const [probability, after, passes] of game.call("outcomes", state, action)) {
      found = [after, Number(passes)];
      rest -= probability;
      if (rest < 0) break;
    }
    return found;
  }

  /**
   * Return the reward of a step to the only player; games for several have none.
   * @param {any} state
   * @param {number} action
   * @param {any} after
   */
  reward(state, action, after) {
    const { game } = this;
    return game.players === 1 && game.module.reward ? Number(game.call("reward", state, action, after)) : 0;
  }

  /**
   * Return what each seat receives at the end.
   * @param {any} state
   * @param {number} seat the seat to move
   * @param {number} gained the rewards before
   */
  settle(state, seat, gained) {
    const moverFirst = this.game.payoffs(state);
    const { length } = moverFirst;
    return moverFirst.map((_, other) => moverFirst[(other - seat + length) % length] + gained);
  }

  /**
   * Return what each seat receives from a game without an end.
   * @param {number} gained
   */
  share(gained) {
    const { players, range } = this.game;
    return Array(players).fill(players === 1 ? gained : range[0] + (range[1] - range[0]) / players);
  }

  /**
   * @param {Edge} edge
   * @returns {Estimate}
   */
  estimate({ action, tried, sum, squares }) {
    const mean = sum / tried;
    const variance = Math.max(squares - tried * mean * mean, 0) / (tried - 1);
    return { action, tried, value: this.sign * mean, stderr: tried > 1 ? Math.sqrt(variance / tried) : null };
  }
}

/**
 * Return the edge that was tried most, of several that with the greatest mean.
 * @param {Edge[]} edges
 */
const bestEdge = (edges) =>
  edges.reduce(
    (best, edge) => (edge.tried > best.tried || (edge.tried === best.tried && edge.sum > best.sum) ? edge : best),
    edges[0],
  );

/**
 * Return a generator of random numbers in [0, 1), "mulberry32", two numbers of which make one of 53 bits.
 * @param {number} seed a whole number
 */
export function randomNumbers(seed) {
  const next = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
}
