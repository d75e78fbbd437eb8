/** How exciting a finished game was beside simulated games. */

import { element } from "./dom.js";
import { formatNumber, t, tn } from "./language.js";
import { percent, points, rivalTitle } from "./words.js";

const ROUNDING = 0.005; // of the percentages shown
const MAX_SHARE = 0.99; // that is shown: there may always be a game like this one
const MIN_SHARE = 0.1; // if fewer games have a smaller figure, and a larger one, most have the same

/**
 * The words for a figure: `above` and `below` compare it with the games in which it is larger and smaller. If
 * `isLowExciting`, the games in which it is larger are the less exciting ones.
 * @typedef {object} Words
 * @property {(value: number) => string} says
 * @property {(share: string) => string} above
 * @property {(share: string) => string} below
 * @property {boolean} isLowExciting
 */

/** @type {Record<Api.FigureView["name"], Words>} */
const WORDS = {
  lead_changes: {
    says: (value) => tn(value, "The lead changed {0} time", "The lead changed {0} times"),
    above: (share) => t`less often than in ${share} of games`,
    below: (share) => t`more often than in ${share} of games`,
    isLowExciting: false,
  },
  surprise: {
    says: (value) => t`The chance of winning moved by ${points(value, 0)} in all`,
    above: (share) => t`less than in ${share} of games`,
    below: (share) => t`more than in ${share} of games`,
    isLowExciting: false,
  },
  lowest: {
    says: (value) => t`The winner’s chance was once as low as ${percent(value)}`,
    above: (share) => t`lower than in ${share} of games`,
    below: (share) => t`higher than in ${share} of games`,
    isLowExciting: true,
  },
  decisive: {
    says: (value) => t`${percent(value, 0)} of the moves came after one player first had 95\u00a0%`,
    above: (share) => t`fewer than in ${share} of games`,
    below: (share) => t`more than in ${share} of games`,
    isLowExciting: true,
  },
};

/**
 * Create the panel that compares a game with simulated ones.
 * @param {Page.View} view
 * @param {Api.ExcitementResponse} excitement
 */
export function excitementSection(view, { games, error, figures }) {
  const accuracy = points(error + ROUNDING);
  return element(
    "section",
    { class: "panel excitement", "aria-labelledby": "excitement-title" },
    element("h2", { id: "excitement-title" }, t`How exciting it was`),
    element("ul", { class: "worths" }, figures.map(figureItem)),
    element(
      "p",
      { class: "small" },
      view.names
        ? t`The bars show how many games were less exciting, of ${formatNumber(games)} simulated games in which both players play optimally. In 19 of 20 cases, a percentage is off by at most ${accuracy}.`
        : t`The bars show how many games were less exciting, of ${formatNumber(games)} simulated games of optimal play against ${rivalTitle(view)}, with the same rules and seats. In 19 of 20 cases, a percentage is off by at most ${accuracy}.`,
    ),
  );
}

/** @param {Api.FigureView} figure */
function figureItem({ name, value, above, below }) {
  const words = WORDS[name];
  const rank = (below + 1 - above) / 2; // games with the same figure count half
  const bar = element("span", { class: "bar" });
  bar.style.setProperty("--share", String(words.isLowExciting ? 1 - rank : rank));
  return element(
    "li",
    {},
    element("span", {}, words.says(value)),
    element("span", {}, compare(words, above, below)),
    bar,
  );
}

/**
 * @param {Words} words
 * @param {number} above
 * @param {number} below
 */
function compare(words, above, below) {
  if (Math.max(above, below) < MIN_SHARE) return t`as in most games`;
  const share = percent(Math.min(Math.max(above, below), MAX_SHARE), 0);
  return above > below ? words.above(share) : words.below(share);
}
