/** A hint on request: each action with its chance of winning. */

import { hint } from "./api.js";
import { announce, element } from "./dom.js";
import { settings } from "./settings.js";
import { inWords, worthBars } from "./worth.js";
import { capital, inColours, listed } from "./words.js";

export class Hint {
  constructor(view, table) {
    Object.assign(this, { view, table });
    this.button = element("button", { type: "button", class: "hint-button", onclick: () => this.show() },
      "What would be best?", settings.shortcuts && element("kbd", { "aria-hidden": "true" }, "?"));
    this.answer = element("div", { class: "hint-answer" });
    this.root = element("section", { class: "panel hint", "aria-labelledby": "hint-title", hidden: true },
      element("h2", { id: "hint-title" }, "A hint"), this.button, this.answer);
  }

  /** There is something to ask about when it is the person's turn. */
  offer() {
    this.root.hidden = this.view.result !== null || !this.table.game.solved;
    this.button.setAttribute("aria-disabled", String(this.view.waiting !== "action"));
  }

  clear() {
    this.answer.replaceChildren();
    this.button.setAttribute("aria-disabled", "true");
  }

  async show() {
    if (this.view.waiting !== "action" || this.root.hidden) return;
    const { number } = this.view;
    try {
      const known = await hint(this.view.id);
      if (number !== this.view.number) return;
      this.answer.replaceChildren(worthBars(known.actions, { best: known.best }, this.view.face));
      announce(`Best: ${inColours(known.best, this.view.face)}. ` +
        `${listed(known.actions.slice(0, 6).map((one) => `${capital(inColours(one.label, this.view.face))} ${inWords(one)}`))}.`);
    } catch (error) {
      this.answer.replaceChildren(element("p", { class: "small" }, error.message));
    }
  }
}
