/** A guide through one's first games: before each decision it says what one can do, and what that is worth. */

import { hint } from "./api.js";
import { element } from "./dom.js";
import { t } from "./language.js";
import { isKnownGame } from "./rules.js";
import { standing } from "./standing.js";
import { inWords, isAsGood } from "./worth.js";
import { capital, counted, inColours, listed, measureOf } from "./words.js";

const MOST_NAMED = 3; // actions

export class Guide {
  constructor(view, game) {
    Object.assign(this, { view, game });
    this.said = element("p", { role: "status", hidden: true });
    this.button = element("button", { type: "button", class: "quiet", "aria-pressed": "false", onclick: () => this.turn() }, t`Guide me through this game`);
    this.root = element("div", { class: "guide", hidden: view.result !== null || view.names !== null || !game.solved || isKnownGame(game.name) }, this.said, this.button);
    this.isOn = false;
  }

  turn() {
    this.isOn = !this.isOn;
    this.root.classList.toggle("on", this.isOn);
    this.button.setAttribute("aria-pressed", String(this.isOn));
    this.button.textContent = this.isOn ? t`Thanks, I go on alone` : t`Guide me through this game`;
    this.follow();
  }

  /** Say what there is to decide now, if anything. */
  async follow() {
    this.said.hidden = !this.isOn || this.view.waiting !== "action";
    if (this.said.hidden) return;
    const { number } = this.view;
    this.said.textContent = "…";
    try {
      const known = await hint(this.view.id);
      if (number === this.view.number) this.said.textContent = this.sentence(known);
    } catch (error) {
      this.said.textContent = error.message;
    }
  }

  isChance({ value }) {
    return !value && !this.view.objective;
  }

  sentence({ actions, best }) {
    const name = (label) => inColours(label, this.view.face);
    const turn = standing(this.view)?.turn ?? 0;
    const risk = turn > 0 ? t`You have ${counted(turn, "point")} at risk. ` : "";
    if (actions.length === 1) return risk + t`There is nothing to decide: ${name(best)}.`;
    const equal = actions.filter((one) => isAsGood(one, actions[0]));
    const worth = (one) => inWords(one, measureOf(this.view));
    const others = actions.filter((one) => !equal.includes(one)).slice(0, MOST_NAMED);
    const bests = equal.length > MOST_NAMED ? t`${name(best)}, or one of ${equal.length - 1} others as good` : listed(equal.map((one) => name(one.label)));
    const least = others.map((one) => `${name(one.label)} ${worth(one)}`);
    const most = this.isChance(actions[0]) ? t`${worth(actions[0])} to win` : worth(actions[0]);
    return risk + (least.length > 0 ? t`${capital(bests)} is best: ${most}, against ${listed(least)}.` : t`${capital(bests)} is best: ${most}.`);
  }
}
