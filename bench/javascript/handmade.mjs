// Pig for two players as a programmer writes it, with nothing checked.

const ROLL = 0;
const HOLD = 1;

export const RULES = { goal: 100, sides: 6, komi: 0 };

export function start(rules) {
  return { score: 0, rival: rules.komi, turn: 0 };
}

export function* legal(rules, state) {
  if (state.score + state.turn < rules.goal) yield ROLL;
  yield HOLD;
}

export function* outcomes(rules, state, action) {
  if (action === HOLD) {
    yield [1, { score: state.rival, rival: state.score + state.turn, turn: 0 }, 1];
    return;
  }
  const chance = 1 / rules.sides;
  yield [chance, { score: state.rival, rival: state.score, turn: 0 }, 1];
  for (let face = 2; face <= rules.sides; face++) {
    yield [chance, { score: state.score, rival: state.rival, turn: state.turn + face }, 0];
  }
}

export function over(rules, state) {
  return state.rival >= rules.goal;
}
