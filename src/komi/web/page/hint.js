/** A hint on request: each action with its chance of winning. */

import { hint, prepare } from "./api.js";
import { announce, element, pause } from "./dom.js";
import { t } from "./language.js";
import { retryWhileBusy } from "./retry.js";
import { Pace } from "./preparing.js";
import { settings } from "./settings.js";
import { inWords, isAsGood, outcomeGroups, worthBars } from "./worth.js";
import { capital, inColours, listed, measureOf } from "./words.js";

const POLL_INTERVAL = 1500;

export class Hint {
  /**
   * @param {Page.View} view
   * @param {Page.Table} table
   */
  constructor(view, table) {
    this.view = view;
    this.table = table;
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

  /** There is something to ask about when it is the person's turn. */
  offer() {
    this.root.hidden = this.view.result !== null || !this.view.solved || this.view.company === "link";
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
    try {
      const known = await hint(this.view.id);
      if (number !== this.view.number) return;
      const equal = known.actions.filter((one) => isAsGood(one, known.actions[0]));
      const sentence = t`Best: ${inColours(known.best, this.view.face)}${equal.length > 1 ? oneOf(equal) : ""}.`;
      this.answer.replaceChildren(
        ...(known.actions[0].value
          ? [element("p", {}, element("strong", {}, sentence)), outcomeGroups(known.actions, this.view.face)].flat()
          : [worthBars(known.actions, { best: known.best }, this.view)]),
      );
      this.table.face.mark?.(
        equal.map((one) => one.label),
        known.actions.map((one) => [one.label, inWords(one, measureOf(this.view))]),
      );
      announce(
        `${sentence} ` +
          `${listed(known.actions.slice(0, 6).map((one) => `${capital(inColours(one.label, this.view.face))} ${inWords(one, measureOf(this.view))}`))}.`,
      );
    } catch (error) {
      const isLater = error.after !== undefined;
      this.answer.replaceChildren(
        element("p", { class: "small" }, isLater ? t`This game is still being solved …` : error.message),
      );
      if (isLater) await this.follow(number);
    }
  }

  /**
   * Show the progress of the solver, then the hint, unless the game has moved on.
   * @param {number} number
   * @returns {Promise<void>}
   */
  async follow(number) {
    const words = element("p", { class: "small" });
    this.answer.append(words);
    const pace = new Pace();
    const isCurrent = () => number === this.view.number && words.isConnected;
    while (isCurrent()) {
      const response = retryWhileBusy(
        () => prepare(this.view.game, this.view.rules),
        (sentence) => {
          words.textContent = sentence;
        },
        isCurrent,
      );
      const known = await response.catch(() => /** @type {null} */ (null));
      if (known === null || known.error || !isCurrent()) return;
      words.textContent = known.ready ? "" : pace.words(known);
      await pause(POLL_INTERVAL);
      if (known.ready && isCurrent()) return this.show();
    }
  }
}

const SEVERAL = { win: t`wins`, draw: t`draws`, loss: t`losses` };

/**
 * ", one of 14 draws", ", one of 2 wins in 3", or of actions with the same chance.
 * @param {Api.ActionValueView[]} equal
 */
function oneOf(equal) {
  const [{ value, plies }] = equal;
  if (!value) return t`, one of ${equal.length} that are as good`;
  return value === "draw" || !plies
    ? t`, one of ${equal.length} ${SEVERAL[value]}`
    : t`, one of ${equal.length} ${SEVERAL[value]} in ${plies}`;
}
