/** A person's results against one opponent, as `komi.web.statistics` computes them. */

const Z_95 = 1.96; // half-width of a 95 % confidence interval in standard errors

/**
 * Summarize the games against one opponent, the oldest first.
 * @param {string} game
 * @param {import("./live-game.js").LiveGame[]} played
 * @param {((live: import("./live-game.js").LiveGame) => Api.ReviewResponse) | null} review null without a solution
 * @returns {Api.StatisticsRowView}
 */
export function resultsOf(game, played, review) {
  const payoffs = played.map((live) => live.payoffs().payoffs[live.saved.seat]);
  const reviews = review ? played.map(review) : [];
  const losses = reviews.flatMap(({ decisions }, i) =>
    decisions.filter(({ seat }) => seat === played[i].saved.seat).map(({ loss }) => loss),
  );
  const runs = payoffs.map((payoff) => (payoff === 1 ? "w" : " ")).join("");
  const rate = mean(payoffs);
  const [low, high] = confidenceInterval(rate, payoffs.length);
  return {
    game,
    opponent: played[0].saved.opponent,
    games: played.length,
    wins: rate * played.length,
    win_rate: rate,
    low,
    high,
    average_mistake: losses.length > 0 ? mean(losses) : null,
    streak: /w*$/.exec(runs)[0].length,
    best_streak: Math.max(...runs.split(" ").map((run) => run.length)),
    luck: review && mean(reviews.map(({ luck }) => luck)),
    skill: review && mean(reviews.map(({ skill }) => skill)),
  };
}

/** @param {number[]} numbers */
const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/**
 * Return the 95 % confidence interval of a share, that of E. B. Wilson; see `komi.simulation.intervals`.
 * @param {number} share
 * @param {number} count
 */
function confidenceInterval(share, count) {
  const spread = (Z_95 * Z_95) / count;
  const middle = (share + spread / 2) / (1 + spread);
  const width = (Z_95 / (1 + spread)) * Math.sqrt((share * (1 - share)) / count + spread / (4 * count));
  return [Math.max(middle - width, 0), Math.min(middle + width, 1)];
}
