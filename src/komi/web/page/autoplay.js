/** Opponents that play in the sandbox: who sits where, and whether they go on by themselves. */

import { sandboxChoice } from "./api.js";
import { element } from "./dom.js";
import { t } from "./language.js";
import { Hurry, settle } from "./motion.js";
import { nameOf } from "./words.js";

const THINKING = 900;
const BY_HAND = "";

export class Autoplay {
  /**
   * `box` is the sandbox; `draw` lets chance happen in it.
   * @param {import("./sandbox.js").Sandbox} box
   */
  constructor(box) {
    this.box = box;
    this.isOn = false;
    this.choices = Array.from({ length: box.view.players }, (_, seat) => this.choice(seat));
    this.button = element(
      "button",
      { type: "button", "aria-pressed": "false", onclick: () => this.turn(!this.isOn) },
      t`Let them play`,
    );
    this.root = element(
      "section",
      { class: "panel", "aria-labelledby": "players-title", hidden: box.opponents.length === 0 },
      element("h2", { id: "players-title" }, t`Who plays`),
      element(
        "p",
        { class: "small" },
        t`Give seats to opponents: play against them from here, or watch them play each other.`,
      ),
      this.choices,
      element("div", { class: "row" }, this.button),
    );
  }

  /** @param {number} seat */
  choice(seat) {
    const id = `plays-${seat}`;
    return element(
      "div",
      { class: "field" },
      element("label", { for: id }, nameOf(this.box.view, seat)),
      element(
        "select",
        { id, onchange: () => this.goOn() },
        element("option", { value: BY_HAND }, t`By hand`),
        this.box.opponents.map((one) => element("option", { value: one.name }, one.title)),
      ),
    );
  }

  /** @param {boolean} on */
  turn(on) {
    this.isOn = on;
    this.button.setAttribute("aria-pressed", String(on));
    this.button.textContent = on ? t`Stop` : t`Let them play`;
    this.goOn();
  }

  /** The next step is made by itself, if it is chance's or an opponent's. */
  async goOn() {
    const { box } = this;
    const { view, request } = box;
    if (!this.isOn || box.busy) return;
    if (view.waiting === null) return this.turn(false);
    const opponent = view.waiting === "action" ? this.choices[view.mover].querySelector("select").value : null;
    if (opponent === BY_HAND) return;
    await settle(THINKING, new Hurry());
    if (!this.isOn || box.busy || request !== box.request || box.signal.aborted) return;
    try {
      if (opponent === null) await box.choose();
      else {
        const isCurrent = () => this.isOn && request === box.request && !box.busy;
        const { label } = await box.solved(() => sandboxChoice(request, opponent), box.worths, isCurrent);
        if (isCurrent()) await box.enter([...request.labels, label]);
      }
    } catch (error) {
      this.turn(false);
      box.showError(error.message);
    }
  }
}
