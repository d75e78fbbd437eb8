/** The rules of the built-in games, implemented a second time so that the fairness check does not have to trust the server.
 *
 * Each game defines its initial state, when it is over, the payoffs (the mover's first), and the outcomes of an action.
 * An outcome has a label, a probability, the next state and the number of seats by which the turn moves on. Board games
 * also define the content of their squares. Of Red7, only the deck is implemented.
 */

const RIVAL_FIELDS = ["rival", "rival2", "rival3"]; // the scores of the other seats, from the next player on
/** @param {Page.State} state */
const rivalFields = (state) => RIVAL_FIELDS.filter((name) => name in state);
/**
 * @param {Page.State} state
 * @param {number} points
 */
const holdOutcome = (state, points) => ({ label: "hold", probability: 1, state: passTurn(state, points), passes: 1 });

/**
 * Create the rules of a race to a goal in which the mover may hold.
 *
 * `outcomesOf` returns the outcomes of continuing the turn. `minHold` is the smallest turn total at which holding is legal,
 * `bank` the score of a turn total, and `zeroes` are state fields that start at 0.
 * @param {string} continueLabel
 * @param {Page.OutcomeFunction} outcomesOf
 * @param {{ minHold?: number, bank?: (turn: number) => number, zeroes?: string[] }} [options]
 * @returns {Page.BuiltInGame}
 */
function raceGame(continueLabel, outcomesOf, { minHold = 0, bank = (turn) => turn, zeroes = [] } = {}) {
  return {
    start: (rules) => ({
      score: 0,
      turn: 0,
      ...Object.fromEntries(zeroes.map((name) => [name, 0])),
      ...Object.fromEntries(
        RIVAL_FIELDS.slice(0, (rules.players ?? 2) - 1).map((name, i) => [name, (i + 1) * rules.komi]),
      ),
    }),
    over: (rules, state) => state[rivalFields(state).at(-1)] >= rules.goal,
    payoffs: (rules, state) => [0, ...rivalFields(state).map((_, i, rivals) => (i === rivals.length - 1 ? 1 : 0))],
    outcomes: (rules, state, label) => {
      if (label === "hold") return state.turn >= minHold ? [holdOutcome(state, bank(state.turn))] : null;
      return label === continueLabel && state.score + state.turn < rules.goal
        ? mergeOutcomes(outcomesOf(rules, state), continueLabel)
        : null;
    },
  };
}

/**
 * Return the state as the next player observes it, after the mover has scored some points.
 * @param {Page.State} state
 * @param {number} points
 */
function passTurn(state, points) {
  const others = rivalFields(state);
  const seen = others.map((name, i) => [name, i + 1 < others.length ? state[others[i + 1]] : state.score + points]);
  return { ...state, score: state.rival, turn: 0, ...Object.fromEntries(seen) };
}

/**
 * @param {Page.State} state
 * @param {string} label
 * @param {number} probability
 * @param {Page.State} [more]
 */
const loseTurn = (state, label, probability, more = {}) => ({
  label,
  probability,
  state: { ...passTurn(state, 0), ...more },
  passes: 1,
});
/**
 * @param {Page.State} state
 * @param {string} label
 * @param {number} probability
 * @param {number} points
 * @param {Page.State} [more]
 */
const gainPoints = (state, label, probability, points, more = {}) => ({
  label,
  probability,
  state: { ...state, turn: state.turn + points, ...more },
  passes: 0,
});

/**
 * Merge outcomes that lead to the same state. A certain outcome gets the label of the action.
 * @param {Page.Outcome[]} outcomes
 * @param {string} action
 */
function mergeOutcomes(outcomes, action) {
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
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/**
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
function twoDice(rules, state) {
  const some = state.score === 0 ? ["a 1", "a 1"] : ["two 1s", "one 1"];
  return [
    { label: some[0], probability: 1 / 36, state: { score: state.rival, rival: 0, turn: 0 }, passes: 1 },
    loseTurn(state, some[1], 10 / 36),
    ...range(4, 12).map((total) => gainPoints(state, `total ${total}`, (5 - Math.abs(total - 8)) / 36, total)),
  ];
}

/**
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
function bigDice(rules, state) {
  /** @param {number} gain */
  const label = (gain) => (gain === 8 ? "total 8 or double 2" : gain > 11 ? `double ${gain / 4}` : `total ${gain}`);
  const pairs = range(2, 6).flatMap((face) => [[4 * face, 1], ...range(face + 1, 6).map((other) => [face + other, 2])]);
  return [
    loseTurn(state, "one 1", 10 / 36),
    gainPoints(state, "two 1s", 1 / 36, 25),
    ...pairs.map(([gain, ways]) => gainPoints(state, label(gain), ways / 36, gain)),
  ];
}

/**
 * Return the outcomes of drawing without replacement. The deck is reset after the last bad draw.
 * @param {string} good
 * @param {string} bad
 * @param {string} goodRule
 * @param {string} badRule
 * @returns {Page.OutcomeFunction}
 */
function drawWithoutReplacement(good, bad, goodRule, badRule) {
  return (rules, state) => {
    const [goodLeft, badLeft] = [rules[goodRule] - state[goodRule], rules[badRule] - state[badRule]];
    const all = goodLeft + badLeft;
    const afterBad = badLeft > 1 ? { [badRule]: state[badRule] + 1 } : { [goodRule]: 0, [badRule]: 0 };
    return [
      gainPoints(state, good, goodLeft / all, 1, { [goodRule]: state[goodRule] + 1 }),
      loseTurn(state, bad, badLeft / all, afterBad),
    ];
  };
}

/**
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
const die = (rules, state) => [
  loseTurn(state, "1", 1 / rules.sides),
  ...range(2, rules.sides).map((face) => gainPoints(state, String(face), 1 / rules.sides, face)),
];
/**
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
const progressiveDie = (rules, state) => [
  { label: "1", probability: 1 / 6, state: passTurn(state, 1), passes: 1 },
  ...range(2, 6).map((face) => gainPoints(state, String(face), 1 / 6, face)),
];
/**
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
const coin = (rules, state) => [gainPoints(state, "heads", 0.5, 1), loseTurn(state, "tails", 0.5)];

// Traffic Lights has no chance events: each move has one outcome.
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
  return range(0, squares - 1).map((index) => Math.floor(state.board / 4 ** (squares - 1 - index)) % 4);
};

/**
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
function coordinatesOf(rules, state) {
  const [height, width] = rules.version === 3 ? [3, 3] : [rowsOf(rules), columnsOf(rules)];
  const squares = range(0, height * width - 1).map((index) => [Math.floor(index / width), index % width]);
  /** @type {((i: number) => number[])[]} */
  const edges = [(i) => [-1, i], (i) => [i, 3], (i) => [3, i], (i) => [i, -1]];
  return rules.version === 3 ? [...squares, ...range(0, 2).map(edges[state.edge])] : squares;
}

/**
 * Return the squares of completed lines, each as "row,column".
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
function squaresInLines(rules, state) {
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
 * Return the squares with their content, and the position in the game's own notation.
 * @param {Page.Rules} rules
 * @param {Page.State} state
 */
function lightsDisplay(rules, state) {
  const [counters, lines] = [countersOf(rules, state), squaresInLines(rules, state)];
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
function stateAfterMove(rules, state, label) {
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

/** @type {Page.BuiltInGame} */
const trafficLights = {
  start: (rules) => ({ board: 0, edge: rules.version === 3 ? 2 : 0 }),
  over: (rules, state) => squaresInLines(rules, state).size > 0,
  shown: lightsDisplay,
  payoffs: (rules) => (rules.misere ? [1, 0] : [0, 1]),
  outcomes: (rules, state, label) => {
    const after = stateAfterMove(rules, state, label);
    return after && [{ label, probability: 1, state: after, passes: 1 }];
  },
};

/**
 * Red7: each deal and each draw is uniform over the remaining cards; a known card on top of the deck is drawn for certain.
 * @type {Page.BuiltInGame}
 */
const red7 = {
  covers: (rules) => !rules.scoring, // later rounds are dealt from the cards that no player has scored
  cards: range(1, 7).flatMap((number) => [..."VIBGYOR"].map((colour) => `${colour}${number}`)),
  deals: (rules) => rules.players * (rules.hand + 1),
  over: (rules, state) => red7.payoffs(rules, state).filter((payoff) => payoff > 0).length < 2,
  payoffs: (rules, state) => range(0, rules.players - 1).map((seat) => ((state.out >> seat) & 1 ? 0 : 1)),
};

/**
 * Return what this page implements of a game under its rules; null if nothing.
 * @param {string} game
 * @param {Page.Rules} rules
 */
export function builtInRules(game, rules) {
  const found = BUILT_IN_RULES[game];
  return found && (found.covers?.(rules) ?? true) ? found : null;
}

/** @type {Record<string, Page.BuiltInGame>} */
export const BUILT_IN_RULES = {
  __proto__: null, // a game may have the name of an Object property
  pig: raceGame("roll", die),
  "progressive-pig": raceGame("roll", progressiveDie, { bank: (turn) => Math.max(turn, 1) }),
  "two-dice-pig": raceGame("roll", twoDice),
  "big-pig": raceGame("roll", bigDice),
  piglet: raceGame("flip", coin),
  "red-light": raceGame("draw", drawWithoutReplacement("green", "red", "green", "red"), {
    minHold: 1,
    zeroes: ["red", "green"],
  }),
  "fowl-play": raceGame("draw", drawWithoutReplacement("chicken", "wolf", "chickens", "wolves"), {
    minHold: 1,
    zeroes: ["wolves", "chickens"],
  }),
  "traffic-lights": trafficLights,
  red7: red7,
};
