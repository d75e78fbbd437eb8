/** The chances of the built-in games, as this page knows them by itself: it need not take the server's word for them.
 *
 * A known game says how it starts, when it is over, what each seat gets then, the mover first, and what can come of an
 * action: outcomes in the order in which they lie side by side, each with its label, probability, the state after it and
 * how many seats the turn passes on. Of a game on a board it also says what stands there. Of Red7 the page knows the deck
 * only: which cards are left.
 */

const RIVALS = ["rival", "rival2", "rival3"]; // the other seats, from the next player on
/** @param {Page.State} state */
const rivalsIn = (state) => RIVALS.filter((name) => name in state);
/**
 * @param {Page.State} state
 * @param {number} points
 */
const hold = (state, points) => ({ label: "hold", probability: 1, state: passed(state, points), passes: 1 });

/**
 * A race to a goal, in which one may hold; `once` says what can come of going on, `least` at how much one may hold.
 * @param {string} goOn
 * @param {Page.Once} once
 * @param {{ least?: number, bank?: (turn: number) => number, zeroes?: string[] }} [options]
 * @returns {Page.KnownGame}
 */
function race(goOn, once, { least = 0, bank = (turn) => turn, zeroes = [] } = {}) {
  return {
    start: (rules) => ({
      score: 0,
      turn: 0,
      ...Object.fromEntries(zeroes.map((name) => [name, 0])),
      ...Object.fromEntries(RIVALS.slice(0, (rules.players ?? 2) - 1).map((name, i) => [name, (i + 1) * rules.komi])),
    }),
    over: (rules, state) => state[rivalsIn(state).at(-1)] >= rules.goal,
    payoffs: (rules, state) => [0, ...rivalsIn(state).map((_, i, rivals) => (i === rivals.length - 1 ? 1 : 0))],
    outcomes: (rules, state, label) => {
      if (label === "hold") return state.turn >= least ? [hold(state, bank(state.turn))] : null;
      return label === goOn && state.score + state.turn < rules.goal ? named(once(rules, state), goOn) : null;
    },
  };
}

/**
 * The state as the next player sees it, the mover having so many points more.
 * @param {Page.State} state
 * @param {number} points
 */
function passed(state, points) {
  const others = rivalsIn(state);
  const seen = others.map((name, i) => [name, i + 1 < others.length ? state[others[i + 1]] : state.score + points]);
  return { ...state, score: state.rival, turn: 0, ...Object.fromEntries(seen) };
}

/**
 * @param {Page.State} state
 * @param {string} label
 * @param {number} probability
 * @param {Page.State} [more]
 */
const loses = (state, label, probability, more = {}) => ({
  label,
  probability,
  state: { ...passed(state, 0), ...more },
  passes: 1,
});
/**
 * @param {Page.State} state
 * @param {string} label
 * @param {number} probability
 * @param {number} points
 * @param {Page.State} [more]
 */
const gains = (state, label, probability, points, more = {}) => ({
  label,
  probability,
  state: { ...state, turn: state.turn + points, ...more },
  passes: 0,
});

/**
 * Outcomes that lead to the same are one; what is certain is called as the action is.
 * @param {Page.Outcome[]} outcomes
 * @param {string} action
 */
function named(outcomes, action) {
  const found = new Map();
  for (const outcome of outcomes.filter((one) => one.probability > 0)) {
    const key = JSON.stringify([outcome.state, outcome.passes]);
    const same = found.get(key);
    if (same) same.probability += outcome.probability;
    else found.set(key, { ...outcome });
  }
  const all = [...found.values()];
  return all.length === 1 ? [{ ...all[0], label: action }] : all;
}

/**
 * @param {number} from
 * @param {number} to
 */
const faces = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/**
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
function twoDice(rules, state) {
  const some = state.score === 0 ? ["a 1", "a 1"] : ["two 1s", "one 1"];
  return [
    { label: some[0], probability: 1 / 36, state: { score: state.rival, rival: 0, turn: 0 }, passes: 1 },
    loses(state, some[1], 10 / 36),
    ...faces(4, 12).map((total) => gains(state, `total ${total}`, (5 - Math.abs(total - 8)) / 36, total)),
  ];
}

/**
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
function bigDice(rules, state) {
  /** @param {number} gain */
  const label = (gain) => (gain === 8 ? "total 8 or double 2" : gain > 11 ? `double ${gain / 4}` : `total ${gain}`);
  const pairs = faces(2, 6).flatMap((face) => [[4 * face, 1], ...faces(face + 1, 6).map((other) => [face + other, 2])]);
  return [
    loses(state, "one 1", 10 / 36),
    gains(state, "two 1s", 1 / 36, 25),
    ...pairs.map(([gain, ways]) => gains(state, label(gain), ways / 36, gain)),
  ];
}

/**
 * Drawing without putting back, until the last bad one comes.
 * @param {string} good
 * @param {string} bad
 * @param {string} goods
 * @param {string} bads
 * @returns {Page.Once}
 */
function draw(good, bad, goods, bads) {
  return (rules, state) => {
    const [goodLeft, badLeft] = [rules[goods] - state[goods], rules[bads] - state[bads]];
    const all = goodLeft + badLeft;
    const gone = badLeft > 1 ? { [bads]: state[bads] + 1 } : { [goods]: 0, [bads]: 0 };
    return [
      gains(state, good, goodLeft / all, 1, { [goods]: state[goods] + 1 }),
      loses(state, bad, badLeft / all, gone),
    ];
  };
}

/**
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
const die = (rules, state) => [
  loses(state, "1", 1 / rules.sides),
  ...faces(2, rules.sides).map((face) => gains(state, String(face), 1 / rules.sides, face)),
];
/**
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
const progressiveDie = (rules, state) => [
  { label: "1", probability: 1 / 6, state: passed(state, 1), passes: 1 },
  ...faces(2, 6).map((face) => gains(state, String(face), 1 / 6, face)),
];
/**
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
const coin = (rules, state) => [gains(state, "heads", 0.5, 1), loses(state, "tails", 0.5)];

/** Traffic Lights, which has no chance: only what the moves do. */
const GREEN = 3;
/** @param {Page.Rules} rules */
const squaresOf = (rules) => (rules.version === 3 ? 12 : rowsOf(rules) * columnsOf(rules));
/** @param {Page.Rules} rules */
const rowsOf = (rules) => rules.rows || (rules.version === 2 ? 4 : 3);
/** @param {Page.Rules} rules */
const columnsOf = (rules) => rules.columns || 3;
/**
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
const countersOf = (rules, state) => {
  const squares = squaresOf(rules);
  return faces(0, squares - 1).map((index) => Math.floor(state.board / 4 ** (squares - 1 - index)) % 4);
};

/**
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
function coordinatesOf(rules, state) {
  const [height, width] = rules.version === 3 ? [3, 3] : [rowsOf(rules), columnsOf(rules)];
  const squares = faces(0, height * width - 1).map((index) => [Math.floor(index / width), index % width]);
  /** @type {((i: number) => number[])[]} */
  const edges = [(i) => [-1, i], (i) => [i, 3], (i) => [3, i], (i) => [i, -1]];
  return rules.version === 3 ? [...squares, ...faces(0, 2).map(edges[state.edge])] : squares;
}

/**
 * The squares of completed lines, each as "row,column".
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
function inLines(rules, state) {
  const counters = countersOf(rules, state);
  const at = new Map(coordinatesOf(rules, state).map((square, i) => [String(square), counters[i]]));
  const lines = [...at.keys()].flatMap((key) => {
    const [row, column] = key.split(",").map(Number);
    return [
      [0, 1],
      [1, 0],
      [1, 1],
      [1, -1],
    ].map(([down, right]) => [0, 1, 2].map((step) => `${row + step * down},${column + step * right}`));
  });
  return new Set(
    lines.filter(([first, ...more]) => at.get(first) > 0 && more.every((key) => at.get(key) === at.get(first))).flat(),
  );
}

/**
 * The squares with what stands on them, and the position in the game's own notation.
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
function lightsShown(rules, state) {
  const [counters, lines] = [countersOf(rules, state), inLines(rules, state)];
  const squares = coordinatesOf(rules, state).map(([row, column], i) => ({
    row,
    column,
    shows: ["", "red", "orange", "green"][counters[i]],
    tint: rules.version === 3 && i >= 9 ? 1 : 0,
    decisive: lines.has(`${row},${column}`),
  }));
  return {
    written: counters.map((counter) => ".rog"[counter]).join("") + (rules.version === 3 ? "NESW"[state.edge] : ""),
    squares,
  };
}

/**
 * @param {Page.Rules} rules
 * @param {Page.State} state
 * @param {string} label
 */
function lightsAfter(rules, state, label) {
  const counters = countersOf(rules, state);
  const move = /^(?:turn strip|strip to ([NESW])( turned)?)$/.exec(label);
  if (move && rules.version === 3) {
    const edge = move[1] ? "NESW".indexOf(move[1]) : state.edge;
    const turned = !move[1] || move[2] !== undefined;
    if ((edge === state.edge && turned === Boolean(move[1])) || (turned && counters[9] === counters[11])) return null;
    if (turned) counters.push(...counters.splice(9).reverse());
    return { board: counters.reduce((sum, counter) => 4 * sum + counter, 0), edge };
  }
  const [, letter, digit] = /^([a-ds])([1-4])$/.exec(label) ?? [];
  const index = letter === "s" ? 8 + Number(digit) : (Number(digit) - 1) * columnsOf(rules) + "abcd".indexOf(letter);
  if (!(counters[index] < GREEN)) return null;
  return { board: state.board + 4 ** (counters.length - 1 - index), edge: state.edge };
}

/** @type {Page.KnownGame} */
const lights = {
  start: (rules) => ({ board: 0, edge: rules.version === 3 ? 2 : 0 }),
  over: (rules, state) => inLines(rules, state).size > 0,
  shown: lightsShown,
  payoffs: (rules) => (rules.misere ? [1, 0] : [0, 1]),
  outcomes: (rules, state, label) => {
    const after = lightsAfter(rules, state, label);
    return after && [{ label, probability: 1, state: after, passes: 1 }];
  },
};

/**
 * Red7: so many deals, each of them and each draw one of the cards that have not come, all alike.
 * @type {Page.KnownGame}
 */
const deck = {
  cards: faces(1, 7).flatMap((number) => [..."VIBGYOR"].map((colour) => `${colour}${number}`)),
  deals: (rules) => rules.players * (rules.hand + 1),
  over: (rules, state) => deck.payoffs(rules, state).filter((payoff) => payoff > 0).length < 2,
  payoffs: (rules, state) => faces(0, rules.players - 1).map((seat) => ((state.out >> seat) & 1 ? 0 : 1)),
};

/** @type {Record<string, Page.KnownGame>} */
export const KNOWN = {
  __proto__: null, // a game may be called as anything
  pig: race("roll", die),
  "progressive-pig": race("roll", progressiveDie, { bank: (turn) => Math.max(turn, 1) }),
  "two-dice-pig": race("roll", twoDice),
  "big-pig": race("roll", bigDice),
  piglet: race("flip", coin),
  "red-light": race("draw", draw("green", "red", "green", "red"), { least: 1, zeroes: ["red", "green"] }),
  "fowl-play": race("draw", draw("chicken", "wolf", "chickens", "wolves"), {
    least: 1,
    zeroes: ["wolves", "chickens"],
  }),
  "traffic-lights": lights,
  red7: deck,
};
