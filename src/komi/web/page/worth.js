/** Values of actions, as bars or groups. */

import { element } from "./dom.js";
import { estimateInWords } from "./estimates.js";
import { t } from "./language.js";
import { capitalize, displayText, formatList, measureOf } from "./words.js";

/** @typedef {Pick<Api.ActionValueView, "label" | "worth"> & Partial<Api.ActionValueView & Api.EstimateView>} Action */

const MAX_BARS = 12;
const VALUES = { win: t`win`, draw: t`draw`, loss: t`loss` };

/**
 * Create bars for the values of actions, the best first unless they are sorted. `best` and `chosen` get a label.
 * @param {Action[]} actions
 * @param {{ best: string, chosen?: string | null, isSorted?: boolean }} options
 * @param {Page.Seating & { face: string }} view
 */
export function worthBars(actions, { best, chosen = null, isSorted = false }, view) {
  const measure = measureOf(view);
  const scale = measure.isChance ? 1 : Math.max(...actions.map((action) => Math.abs(action.worth)), 1e-9);
  const sorted = isSorted ? actions : bestFirst(actions, best);
  const shown = sorted.filter((action, i) => i < MAX_BARS || action.label === best || action.label === chosen);
  return element(
    "ul",
    { class: "worths" },
    shown.map((action) => {
      const bar = element("span", { class: "bar" });
      bar.style.setProperty("--share", String(Math.min(Math.abs(action.worth) / scale, 1)));
      const tags = [action.label === best && t`best`, action.label === chosen && t`you chose this`].filter(Boolean);
      return element(
        "li",
        { class: action.label === best ? "best" : "" },
        element(
          "span",
          { class: "worth-name" },
          capitalize(displayText(action.label, view.face)),
          tags.map((tag) => element("em", {}, tag)),
        ),
        element("span", { class: "worth-value" }, inWords(action, measure)),
        bar,
      );
    }),
  );
}

/**
 * Return whether two actions have the same value.
 * @param {Action} one
 * @param {Action} other
 */
export function hasSameValue(one, other) {
  return one.worth === other.worth && one.value === other.value && one.plies === other.plies;
}

/**
 * Group the actions of a game without chance events by their value: win, draw or loss.
 * @param {Action[]} actions
 * @param {string} face
 */
export function outcomeGroups(actions, face) {
  /** @type {Action[][]} */
  const groups = [];
  for (const action of actions) {
    const group = groups.find(([first]) => hasSameValue(first, action));
    if (group) group.push(action);
    else groups.push([action]);
  }
  return groups.map((group, i) =>
    element(
      "div",
      { class: `outcome${i === 0 ? " best" : ""}` },
      element(
        "p",
        {},
        element("strong", {}, capitalize(inWords(group[0], null))),
        i === 0 && element("em", {}, t`best`),
        group.length > 1 && element("small", {}, t`${group.length} moves`),
      ),
      element("p", { class: "small" }, formatList(group.map((one) => displayText(one.label, face)))),
    ),
  );
}

/**
 * Sort actions by the distance of their value from the best. In games that minimize, the best value is the smallest.
 * @param {Action[]} actions
 * @param {string} best
 */
function bestFirst(actions, best) {
  const { worth: bestWorth } = actions.find((action) => action.label === best) ?? actions[0];
  return [...actions].sort(
    (a, b) =>
      Math.abs(bestWorth - a.worth) - Math.abs(bestWorth - b.worth) ||
      (a.label === best ? -1 : b.label === best ? 1 : 0),
  );
}

/**
 * Format the value of an action: a chance of winning, or win, draw or loss in games without chance events.
 * @param {Action} action
 * @param {Page.Measure | null} measure
 */
export function inWords({ worth, value, plies, stderr }, measure) {
  if (stderr !== undefined) return estimateInWords({ worth, stderr }, measure);
  if (!value) return measure.format(worth);
  return value === "draw" || !plies ? VALUES[value] : t`${VALUES[value]} in ${plies}`;
}
