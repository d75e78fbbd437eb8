/** Explanations of action values, built from the exact numbers. */

import { t } from "./language.js";
import { displayText, percent } from "./words.js";

/**
 * Explain the values of some actions. The text is empty if there is no explanation.
 * @param {string[]} labels
 * @param {Record<string, Api.OutcomeGroupView[]>} reasons
 * @param {Page.View} view
 */
export function explainValues(labels, reasons, view) {
  const sentences = [...new Set(labels)]
    .map((label) => reason(displayText(label, view.face), reasons[label] ?? []))
    .filter(Boolean);
  return sentences.map((sentence) => ` ${sentence}`).join("");
}

/**
 * @param {string} name
 * @param {Api.OutcomeGroupView[]} parts
 */
function reason(name, parts) {
  if (parts.length === 1) return certain(name, parts[0]);
  return parts.length > 1 ? t`With ${name}, ${parts.map(inCases).join("; ")}.` : "";
}

/**
 * @param {string} name
 * @param {Api.OutcomeGroupView} part
 */
function certain(name, { ends, worth }) {
  if (ends === "turn") return t`After ${name} the other player moves, and wins in ${percent(1 - worth)} of cases.`;
  return ends === "game" && worth === 1 ? t`With ${name} you win at once.` : "";
}

/** @param {Api.OutcomeGroupView} part */
function inCases({ ends, probability, worth }) {
  const often = percent(probability);
  if (ends === "turn") return t`in ${often} of cases the turn ends and leaves you a chance of ${percent(worth)}`;
  if (ends === "game") return t`in ${often} of cases the game is over, and you win in ${percent(worth)} of these`;
  return t`in ${often} of cases you go on with a chance of ${percent(worth)}`;
}
