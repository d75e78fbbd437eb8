/** Review of a finished game: the chance of winning over time, the losses by mistakes, and luck; see `komi.play.review`. */

import { CHANCE } from "../translated-game.js";
import { Table } from "../replay.js";

const [RESIGN, PLAY_ON] = ["resign", "play on"]; // the decision of a player who resigned
const MAX_OUTCOMES = 1000; // of an action; actions with more are not explained

/** @typedef {import("./solution.js").Solution} Solution */

/**
 * Review a game from the view of one seat.
 * @param {Solution} solution
 * @param {import("./live-game.js").LiveGame} live
 * @param {number} seat
 * @returns {Api.ReviewResponse}
 */
export function review(solution, live, seat) {
  const { game } = solution;
  const table = new Table(game, seat, false);
  const start = valueOf(solution, table, seat);
  const decisions = [];
  const curve = [];
  let [skill, before] = [0, start];
  live.saved.log.forEach(({ label }, number) => {
    const { state, rewards } = { state: table.state, rewards: rewardsOf(solution, table, seat) };
    const entry = table.enter(label);
    const after = valueOf(solution, table, seat);
    if (entry.kind === "action") {
      skill += after - before;
      const opposite = game.players === 2 ? solution.opposite(after) : null;
      const own = solution.hides ? null : entry.seat === seat ? after - rewards : opposite;
      decisions.push(decision(solution, { number, seat: entry.seat, state, chosen: label, own }));
    }
    curve.push(after);
    before = after;
  });
  const { resigned } = live.saved;
  if (resigned !== null) {
    const { payoffs, points } = live.payoffs();
    const end = points ?? payoffs;
    decisions.push(resignation(solution, table, resigned, end[resigned]));
    skill += end[seat] - before;
    curve.push(end[seat]);
    before = end[seat];
  }
  const mine = decisions.filter((each) => each.seat === seat);
  const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, number) => all + number, 0);
  const lost = sum(mine.map(({ loss }) => loss));
  const atStake = sum(mine.map(({ worth }) => Math.max(...Object.values(worth)) - Math.min(...Object.values(worth))));
  const given = sum(decisions.filter((each) => each.seat !== seat).map(({ loss }) => loss));
  if (solution.hides && game.players <= 2) skill = solution.sign * (given - lost); // by what players saw
  const [worst] = [...mine].sort((one, other) => other.loss - one.loss);
  return {
    decisions,
    worst: worst?.loss ? worst.number : null,
    start,
    curve: curve.map((chance, number) => ({ number, chance })),
    mistakes: lost,
    gifts: given,
    luck: before - start - skill,
    skill,
    accuracy: atStake > 0 ? 1 - lost / atStake : null,
  };
}

/**
 * @param {Solution} solution
 * @param {Table} table
 * @param {number} seat
 */
const rewardsOf = (solution, table, seat) => (solution.table.rewards ? table.rewards[seat] : 0);

/**
 * Return a seat's value of the current state of the table.
 * @param {Solution} solution
 * @param {Table} table
 * @param {number} seat
 */
function valueOf(solution, table, seat) {
  const rewards = rewardsOf(solution, table, seat);
  if (table.payoffs) return rewards + table.payoffs[seat];
  const offset = seat - table.seat;
  if (table.events.length === 0) return rewards + solution.valueFor(table.state, offset);
  const action = table.pending?.action ?? CHANCE;
  return table.events.reduce(
    (sum, { probability, after, passes }) =>
      sum + probability * (solution.reward(table.state, action, after) + solution.valueFor(after, offset - passes)),
    rewards,
  );
}

/**
 * Review one decision. `own` is the value of the chosen action in this game, where repetition may have ended it.
 * @param {Solution} solution
 * @param {{ number: number, seat: number, state: any, chosen: string, own: number | null }} made
 * @returns {Api.DecisionView}
 */
function decision(solution, { number, seat, state, chosen, own }) {
  const { game } = solution;
  const worth = Object.fromEntries(solution.actions(state).map((action) => [action.label, action.worth]));
  if (own !== null) worth[chosen] = own;
  const found = compare(solution, worth, chosen);
  const reasons = found.loss ? reasonsFor(solution, state) : {};
  return { number, seat, state: game.shown(state), chosen, worth, reasons, ...found };
}

/**
 * Review the decision to resign.
 * @param {Solution} solution
 * @param {Table} table
 * @param {number} seat
 * @param {number} payoff
 * @returns {Api.DecisionView}
 */
function resignation(solution, table, seat, payoff) {
  const worth = { [PLAY_ON]: valueOf(solution, table, seat), [RESIGN]: payoff };
  const state = solution.game.shown(table.state);
  return { number: table.number, seat, state, chosen: RESIGN, worth, reasons: {}, ...compare(solution, worth, RESIGN) };
}

/**
 * Return the best action and the loss of the chosen one, which is the best if the difference can be an error.
 * @param {Solution} solution
 * @param {Record<string, number>} worth
 * @param {string} chosen
 */
function compare({ sign, tolerance }, worth, chosen) {
  const labels = Object.keys(worth);
  const best = labels.reduce((one, other) => (sign * (worth[other] - worth[one]) > 0 ? other : one));
  const loss = Math.abs(worth[best] - worth[chosen]);
  return loss <= tolerance ? { best: chosen, loss: 0 } : { best, loss };
}

/**
 * Explain the value of each action by what its outcomes end, in games of chance for two; see `komi.play.reasons`.
 * @param {Solution} solution
 * @param {any} state
 */
function reasonsFor(solution, state) {
  const { game, hides, plies, table } = solution;
  /** @type {Record<string, Api.OutcomeGroupView[]>} */
  const explained = {};
  if (game.players !== 2 || hides || plies || table.rewards) return explained;
  for (const [label, action] of game.actions(state)) {
    const events = game.events(state, action);
    /** @type {Map<Api.OutcomeGroupView["ends"], { probability: number, sum: number }>} */
    const groups = new Map();
    for (const { probability, after, passes } of events) {
      const ends = game.call("over", after) ? "game" : passes % 2 ? "turn" : "nothing";
      const group = groups.get(ends) ?? { probability: 0, sum: 0 };
      group.probability += probability;
      group.sum += probability * solution.valueFor(after, -passes);
      groups.set(ends, group);
    }
    if (events.length <= MAX_OUTCOMES)
      explained[label] = [...groups].map(([ends, { probability, sum }]) => ({
        ends,
        probability,
        worth: sum / probability,
      }));
  }
  return explained;
}
