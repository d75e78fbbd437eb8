// Imported once for each module of rules, so that the compiler optimizes it for that module alone.

const STEPS = 1_000_000;

function seconds(work) {
  const before = process.cpuUsage().user;
  const result = work();
  return [(process.cpuUsage().user - before) / 1e6, result];
}

function play({ RULES, start, legal, outcomes, over }) {
  let seed = 1;
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  let state = start(RULES);
  for (let step = 0; step < STEPS; step++) {
    const actions = [...legal(RULES, state)];
    const action = actions[Math.floor(random() * actions.length)];
    let rest = random();
    for (const [probability, after] of outcomes(RULES, state, action)) {
      rest -= probability;
      if (rest < 0) {
        state = over(RULES, after) ? start(RULES) : after;
        break;
      }
    }
  }
  return STEPS;
}

function list({ RULES, start, legal, outcomes, over }) {
  const key = (state) => (state.score * 128 + state.rival) * 128 + state.turn;
  const queue = [start(RULES)];
  const visited = new Set(queue.map(key));
  let transitions = 0;
  while (queue.length > 0) {
    const state = queue.pop();
    for (const action of legal(RULES, state)) {
      for (const [, after] of outcomes(RULES, state, action)) {
        transitions++;
        if (!visited.has(key(after))) {
          visited.add(key(after));
          if (!over(RULES, after)) queue.push(after);
        }
      }
    }
  }
  return [visited.size, transitions];
}

export function measure(rules) {
  const [played, steps] = seconds(() => play(rules));
  const [listed, [states, transitions]] = seconds(() => list(rules));
  return { steps: steps / played, listed, states, transitions: transitions / listed };
}
