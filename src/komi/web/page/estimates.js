/** Estimates by a search, for games that komi does not solve: values of actions, and the costliest decision. */

import { element } from "./dom.js";
import { t } from "./language.js";
import { displayText, measureOf, sentenceFor } from "./words.js";

/**
 * Return the value of an action with the standard error of its estimate.
 * @param {Pick<Api.EstimateView, "worth" | "stderr">} estimate
 * @param {Page.Measure} measure
 */
export const estimateInWords = ({ worth, stderr }, { format }) =>
  stderr === null ? format(worth) : `${format(worth)} ± ${format(stderr)}`;

/** Create the paragraph that says what estimates are. */
export const caveatParagraph = () =>
  element(
    "p",
    { class: "small estimates" },
    t`These are estimates of a search, with their standard errors, and not proofs. The search plays on at random, which good players do not do.`,
  );

/**
 * Create the review of a game that is not solved.
 * @param {Page.View} view
 * @param {Api.EstimatedDecisionView | null} worst
 */
export function estimateSection(view, worst) {
  return element(
    "section",
    { class: "panel mistakes", "aria-labelledby": "mistakes-title" },
    element(
      "h2",
      { id: "mistakes-title" },
      sentenceFor(view, view.you, t`Your decisions`, (name) => t`${name}’s decisions`),
    ),
    element("p", { class: "estimated-worst" }, worst ? describe(view, worst) : nothingFound()),
    caveatParagraph(),
  );
}

const nothingFound = () =>
  t`A search finds no decision worse than another by more than twice the error of its estimate.`;

/**
 * @param {Page.View} view
 * @param {Api.EstimatedDecisionView} worst
 */
function describe(view, { number, chosen, best, loss, stderr }) {
  const { gap } = measureOf(view);
  /** @param {string} label */
  const name = (label) => displayText(label, view.face);
  return t`A search thinks that step ${number + 1} was the costliest: the choice was “${name(chosen)}”, and it expects ${gap(loss)} ± ${gap(stderr)} more from “${name(best)}”.`;
}
