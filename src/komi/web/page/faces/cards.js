/** The face of Fowl Play: the deck, the chickens of this turn, and the wolf that ends it. */

import { element } from "../dom.js";
import { t } from "../language.js";
import { runAnimation, delay, flyIn } from "../motion.js";
import { cardSide } from "../pictures.js";
import { bank, beepBeep, flick, sink } from "../sound.js";
import { formatCount, forPlayer, losesTurn } from "../words.js";

export class Face {
  /** @param {Page.View} view */
  constructor(view) {
    this.view = view;
    this.deck = element(
      "div",
      { class: "deck", "aria-hidden": "true" },
      [0, 1, 2].map(() => cardSide("back")),
    );
    this.left = element("p", { class: "left" });
    this.fan = element("div", { class: "fan", role: "img" });
    this.root = element(
      "div",
      { class: "face face-cards" },
      element("div", { class: "deck-place" }, this.deck, this.left),
      this.fan,
    );
  }

  /** @param {Page.Snapshot} snapshot */
  show({ state }) {
    const { rules } = this.view;
    this.left.replaceChildren(
      element("span", { class: "tally" }, formatCount(rules.chickens - state.chickens, "chicken")),
      element("span", { class: "tally" }, formatCount(rules.wolves - state.wolves, "wolf")),
      element("small", {}, t`in the deck`),
    );
    this.fan.replaceChildren(...Array.from({ length: state.turn }, () => cardSide("chicken")));
    this.fan.style.setProperty("--cards", String(Math.max(state.turn, 1)));
    this.fan.setAttribute("aria-label", t`${formatCount(state.turn, "chicken")} drawn this turn`);
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   * @param {Page.SkipSignal} skip
   */
  async animate(entry, before, after, skip) {
    if (entry.kind === "action") {
      if (entry.label === "hold") bank();
      return;
    }
    const drawn = cardSide(entry.label);
    this.fan.style.setProperty("--cards", String(this.fan.childElementCount + 1));
    this.fan.append(drawn);
    flick();
    await flyIn(drawn, this.deck, skip);
    if (entry.label === "wolf") {
      sink();
      await runAnimation(
        drawn,
        [{ transform: "none" }, { transform: "scale(1.18) rotate(-4deg)" }, { transform: "none" }],
        500,
        skip,
      );
    }
    await delay(entry.label === "wolf" ? 800 : 350, skip);
    if (isReshuffle(entry, after)) {
      beepBeep();
      await delay(600, skip);
    }
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   */
  describe(entry, before, after) {
    if (entry.kind === "action") return null;
    if (entry.label === "chicken") return t`A chicken: ${formatCount(after.state.turn, "point")} at risk.`;
    return (
      t`A wolf! ${losesTurn(this.view, entry.seat, before.state.turn, "chicken")}.` +
      (isReshuffle(entry, after) ? t` It was the last one: all cards are shuffled.` : "")
    );
  }

  /** @param {number} seat */
  question(seat) {
    return t`Draw a card${forPlayer(this.view, seat)}. Which one is it?`;
  }
}

/**
 * @param {Page.Line} entry
 * @param {Page.Snapshot} after
 */
function isReshuffle(entry, after) {
  return entry.label === "wolf" && after.state.wolves === 0;
}
