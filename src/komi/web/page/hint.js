/** A hint on request: the value of each action. */

import { estimates, hint, isWithoutSolution, prepare } from "./api.js";
import { announce, element, pause } from "./dom.js";
import { caveatParagraph, estimateInWords } from "./estimates.js";
import { t } from "./language.js";
import { retryWhileBusy } from "./retry.js";
import { ProgressEstimate } from "./preparing.js";
import { settings } from "./settings.js";
import { inWords, hasSameValue, outcomeGroups, worthBars } from "./worth.js";
import { capitalize, displayText, formatList, measureOf } from "./words.js";

const POLL_INTERVAL = 1500;

export class Hint {
  /**
   * @param {Page.View} view
   * @param {Page.Table} table
   */
  constructor(view, table) {
    this.view = view;
    this.table = table;
    this.isEstimated = !view.solved;
    this.button = element(
      "button",
      { type: "button", class: "hint-button", onclick: () => this.show() },
      t`What would be best?`,
      settings.shortcuts && element("kbd", { "aria-hidden": "true" }, "?"),
    );
    this.answer = element("div", { class: "hint-answer" });
    this.root = element(
      "section",
      { class: "panel hint", "aria-labelledby": "hint-title", hidden: true },
      element("h2", { id: "hint-title" }, t`A hint`),
      this.button,
      this.answer,
    );
  }

  /** Show the panel if hints are available, and enable its button when it is the user's turn. */
  update() {
    this.root.hidden =
      this.view.result !== null || !(this.view.solved || this.view.searched) || this.view.company === "link";
    this.button.setAttribute("aria-disabled", String(this.view.waiting !== "action"));
  }

  clear() {
    this.answer.replaceChildren();
    this.table.face.mark?.([]);
    this.button.setAttribute("aria-disabled", "true");
  }

  async show() {
    if (this.view.waiting !== "action" || this.root.hidden) return;
    const { number } = this.view;
    if (this.isEstimated) return this.showEstimates(number);
    try {
      const result = await hint(this.view.id);
      if (number !== this.view.number) return;
      const equal = result.actions.filter((one) => hasSameValue(one, result.actions[0]));
      const sentence = t`Best: ${displayText(result.best, this.view.face)}${equal.length > 1 ? oneOf(equal) : ""}.`;
      this.answer.replaceChildren(
        ...(result.actions[0].value
          ? [element("p", {}, element("strong", {}, sentence)), outcomeGroups(result.actions, this.view.face)].flat()
          : [worthBars(result.actions, { best: result.best }, this.view)]),
      );
      this.table.face.mark?.(
        equal.map((one) => one.label),
        result.actions.map((one) => [one.label, inWords(one, measureOf(this.view))]),
      );
      announce(
        `${sentence} ` +
          `${formatList(result.actions.slice(0, 6).map((one) => `${capitalize(displayText(one.label, this.view.face))} ${inWords(one, measureOf(this.view))}`))}.`,
      );
    } catch (error) {
      if (isWithoutSolution(error)) {
        this.isEstimated = true;
        return this.showEstimates(number);
      }
      const isLater = error.after !== undefined;
      this.answer.replaceChildren(
        element("p", { class: "small" }, isLater ? t`This game is still being solved …` : error.message),
      );
      if (isLater) await this.waitForSolution(number);
    }
  }

  /**
   * Show what a search expects of each action, unless another move has been made meanwhile.
   * @param {number} number
   */
  async showEstimates(number) {
    const status = element("p", { class: "small" }, t`A search is estimating your actions …`);
    this.answer.replaceChildren(status);
    const isCurrent = () => number === this.view.number && status.isConnected;
    try {
      const { actions } = await retryWhileBusy(() => estimates(this.view.id), undefined, isCurrent);
      if (!isCurrent()) return;
      const measure = measureOf(this.view);
      const [{ label: best }] = actions;
      this.answer.replaceChildren(worthBars(actions, { best, isSorted: true }, this.view), caveatParagraph());
      const values = actions.map((one) => /** @type {[string, string]} */ ([one.label, estimateInWords(one, measure)]));
      this.table.face.mark?.([best], values);
      announce(
        t`A search prefers ${displayText(best, this.view.face)}.` +
          ` ${formatList(values.slice(0, 6).map(([label, value]) => `${capitalize(displayText(label, this.view.face))} ${value}`))}.`,
      );
    } catch (error) {
      if (isCurrent()) status.textContent = error.message;
    }
  }

  /**
   * Show the progress of the solver, then the hint, unless another move has been made.
   * @param {number} number
   * @returns {Promise<void>}
   */
  async waitForSolution(number) {
    const status = element("p", { class: "small" });
    this.answer.append(status);
    const estimate = new ProgressEstimate();
    const isCurrent = () => number === this.view.number && status.isConnected;
    while (isCurrent()) {
      const response = retryWhileBusy(
        () => prepare(this.view.game, this.view.rules),
        (sentence) => {
          status.textContent = sentence;
        },
        isCurrent,
      );
      const result = await response.catch(() => /** @type {null} */ (null));
      if (result === null || !isCurrent()) return;
      const isOver = result.ready || Boolean(result.error);
      status.textContent = isOver ? "" : estimate.describe(result);
      await pause(POLL_INTERVAL);
      if (isOver && isCurrent()) return this.show();
    }
  }
}

const PLURALS = { win: t`wins`, draw: t`draws`, loss: t`losses` };

/**
 * Describe how many actions are as good as the best: ", one of 14 draws", ", one of 2 wins in 3".
 * @param {Api.ActionValueView[]} equal
 */
function oneOf(equal) {
  const [{ value, plies }] = equal;
  if (!value) return t`, one of ${equal.length} that are as good`;
  return value === "draw" || !plies
    ? t`, one of ${equal.length} ${PLURALS[value]}`
    : t`, one of ${equal.length} ${PLURALS[value]} in ${plies}`;
}
