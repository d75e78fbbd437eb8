/** Computer opponents in the sandbox: who plays each seat, and whether they play automatically. */

import { sandboxChoice } from "./api.js";
import { element } from "./dom.js";
import { t } from "./language.js";
import { SkipSignal, delay } from "./motion.js";
import { nameOf } from "./words.js";

const THINKING_TIME = 900;
const BY_HAND = "";

export class Autoplay {
  /**
   * Create the panel for a sandbox.
   * @param {import("./sandbox.js").Sandbox} sandbox
   */
  constructor(sandbox) {
    this.sandbox = sandbox;
    this.isOn = false;
    this.selects = Array.from({ length: sandbox.view.players }, (_, seat) => this.seatSelect(seat));
    this.button = element(
      "button",
      { type: "button", "aria-pressed": "false", onclick: () => this.setOn(!this.isOn) },
      t`Let them play`,
    );
    this.root = element(
      "section",
      { class: "panel", "aria-labelledby": "players-title", hidden: sandbox.opponents.length === 0 },
      element("h2", { id: "players-title" }, t`Who plays`),
      element(
        "p",
        { class: "small" },
        t`Give seats to opponents: play against them from here, or watch them play each other.`,
      ),
      this.selects,
      element("div", { class: "row" }, this.button),
    );
  }

  /** @param {number} seat */
  seatSelect(seat) {
    const id = `plays-${seat}`;
    return element(
      "div",
      { class: "field" },
      element("label", { for: id }, nameOf(this.sandbox.view, seat)),
      element(
        "select",
        { id, onchange: () => this.playNext() },
        element("option", { value: BY_HAND }, t`By hand`),
        this.sandbox.opponents.map((one) => element("option", { value: one.name }, one.title)),
      ),
    );
  }

  /** @param {boolean} on */
  setOn(on) {
    this.isOn = on;
    this.button.setAttribute("aria-pressed", String(on));
    this.button.textContent = on ? t`Stop` : t`Let them play`;
    this.playNext();
  }

  /** Make the next step automatically if it is a chance event or an opponent's move. */
  async playNext() {
    const { sandbox } = this;
    const { view, request } = sandbox;
    if (!this.isOn || sandbox.busy) return;
    if (view.waiting === null) return this.setOn(false);
    const opponent = view.waiting === "action" ? this.selects[view.mover].querySelector("select").value : null;
    if (opponent === BY_HAND) return;
    await delay(THINKING_TIME, new SkipSignal());
    if (!this.isOn || sandbox.busy || request !== sandbox.request || sandbox.signal.aborted) return;
    try {
      if (opponent === null) await sandbox.choose();
      else {
        const isCurrent = () => this.isOn && request === sandbox.request && !sandbox.busy;
        const { label } = await sandbox.waitUntilSolved(
          () => sandboxChoice(request, opponent),
          sandbox.values,
          isCurrent,
        );
        if (isCurrent()) await sandbox.enter([...request.labels, label]);
      }
    } catch (error) {
      this.setOn(false);
      sandbox.showError(error.message);
    }
  }
}
