/** The ladder: what a person's decisions give away per game, between policies from careless to perfect. */

import { readRungs } from "./api.js";
import { element, svgElement } from "./dom.js";
import { formatNumber, t, tn, translateServerText } from "./language.js";
import { retryWhileBusy } from "./retry.js";
import { percent, ruleWords, titleOf } from "./words.js";

const WIDTH = 220;
const HEIGHT = 48;
const MARGIN = 4;

/**
 * Create the section with a ladder for each game that the person is rated at.
 * @param {Api.RatingView[]} ratings
 * @param {Api.CatalogGameView[]} games
 * @param {AbortSignal} signal
 */
export function ladderSection(ratings, games, signal) {
  return element(
    "section",
    { class: "ladders", "aria-labelledby": "ladders-title" },
    element("h2", { id: "ladders-title" }, t`Your rating`),
    element(
      "p",
      { class: "small" },
      t`Results are mostly luck; decisions are not. Your rating is what your decisions give away per game, compared with perfect ones. Beside it is what these strategies give away against perfect play.`,
    ),
    element(
      "div",
      { class: "ladder-list" },
      ratings.flatMap((rating) => {
        const game = games.find((one) => one.name === rating.game);
        return game ? [ladderPanel(rating, game, signal)] : [];
      }),
    ),
  );
}

/**
 * @param {Api.RatingView} rating
 * @param {Api.CatalogGameView} game
 * @param {AbortSignal} signal
 */
function ladderPanel(rating, game, signal) {
  const { loss, error, games, course } = rating;
  const words = ruleWords(rating.rules, game);
  const status = element("p", { class: "small", role: "status" });
  const rungs = element("ol", { class: "ladder" });
  const panel = element(
    "article",
    { class: "panel", "data-rated": game.name },
    element("h3", {}, game.title, words && element("small", {}, ` ${words}`)),
    element(
      "p",
      { class: "lead" },
      tn(
        games,
        "You give away {1} a game: in one game",
        "You give away {1} a game: in {0} games",
        inWords(loss, rating),
      ),
      error !== null && element("small", {}, t`, standard error ${inWords(error, rating)}`),
    ),
    course.length > 2 && courseLine(rating),
    status,
    rungs,
  );
  showRungs(rating, game, signal, { status, rungs });
  return panel;
}

/**
 * @param {Api.RatingView} rating
 * @param {Api.CatalogGameView} game
 * @param {AbortSignal} signal
 * @param {{ status: HTMLElement, rungs: HTMLElement }} shown
 */
async function showRungs(rating, game, signal, { status, rungs }) {
  status.textContent = t`Measuring the ladder …`;
  try {
    const found = await retryWhileBusy(
      () => readRungs(rating.game, rating.rules),
      (sentence) => (status.textContent = `${t`Measuring the ladder …`} ${sentence}`),
      () => !signal.aborted,
    );
    if (signal.aborted) return;
    const steps = stepsOf(found, rating, game);
    status.textContent = steps.length > 0 ? nearestStep(steps, rating) : "";
    const own = { name: t`You`, loss: rating.loss, isYou: true };
    rungs.append(
      ...[...steps, own]
        .sort((a, b) => a.loss - b.loss)
        .map((step) =>
          element(
            "li",
            { class: "isYou" in step ? "you" : "" },
            element("span", {}, step.name),
            element("span", { class: "number" }, inWords(step.loss, rating)),
          ),
        ),
    );
  } catch (error) {
    if (!signal.aborted) status.textContent = error.message;
  }
}

/**
 * Return the steps of the ladder: rungs with the same loss, as it is shown, are one.
 * @param {Api.RungView[]} rungs
 * @param {Api.RatingView} rating
 * @param {Api.CatalogGameView} game
 */
function stepsOf(rungs, rating, game) {
  /** @type {Map<string, { name: string, loss: number }>} */
  const steps = new Map();
  for (const { policy, opponent, loss } of rungs) {
    const name = opponent ? titleOf(opponent, game) : policyName(policy);
    const same = steps.get(inWords(loss, rating));
    steps.set(inWords(loss, rating), { name: same ? `${same.name}, ${name}` : name, loss });
  }
  return [...steps.values()];
}

/**
 * @param {{ name: string, loss: number }[]} steps
 * @param {Api.RatingView} rating
 */
function nearestStep(steps, { loss }) {
  /** @param {{ loss: number }} step */
  const distance = (step) => Math.abs(step.loss - loss);
  const nearest = steps.reduce((best, step) => (distance(step) < distance(best) ? step : best));
  return t`Nearest to: ${nearest.name}.`;
}

/** @param {string} policy */
function policyName(policy) {
  const hold = /^hold-at:(\d+)$/.exec(policy);
  if (hold) return t`hold at ${hold[1]}`;
  if (policy === "random") return t`random moves`;
  return policy === "optimal" ? t`perfect play` : policy;
}

/**
 * @param {number} loss
 * @param {Api.RatingView} rating
 */
function inWords(loss, { objective }) {
  if (objective && !objective.startsWith("chance"))
    return `${formatNumber(loss, 2)} ${translateServerText(objective.replace(/^expected /, ""))}`;
  return percent(loss, 1);
}

/**
 * Draw the course of a rating: lower is better.
 * @param {Api.RatingView} rating
 */
function courseLine(rating) {
  const { course } = rating;
  const highest = Math.max(...course, Number.MIN_VALUE);
  const at = course.map((loss, i) => [
    MARGIN + ((WIDTH - 2 * MARGIN) * i) / (course.length - 1),
    HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * loss) / highest,
  ]);
  const listed = course.map((loss) => inWords(loss, rating)).join(", ");
  return element(
    "figure",
    { class: "course" },
    svgElement(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t`Over time, the oldest first: ${listed}` },
      svgElement("path", {
        class: "curve-line",
        d: `M${at.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`,
      }),
    ),
    element("figcaption", { class: "small" }, t`Over time: lower is better`),
  );
}
