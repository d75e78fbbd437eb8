/** The face of Piglet: a coin with a pig's head and tail. */

import { element } from "../dom.js";
import { t } from "../language.js";
import { runAnimation, delay } from "../motion.js";
import { coinSide } from "../pictures.js";
import { bank, ring, sink } from "../sound.js";
import { formatCount, forPlayer, losesTurn } from "../words.js";

export class Face {
  /** @param {Page.View} view */
  constructor(view) {
    this.view = view;
    this.coin = element(
      "div",
      { class: "coin", role: "img" },
      element("div", { class: "coin-side" }, coinSide(true)),
      element("div", { class: "coin-side tails" }, coinSide(false)),
    );
    this.heads = element("div", { class: "heads", role: "img" });
    this.root = element(
      "div",
      { class: "face face-coin" },
      element("div", { class: "coin-place" }, this.coin),
      this.heads,
    );
  }

  /**
   * @param {Page.Snapshot} snapshot
   * @param {Page.Line[]} entries
   */
  show({ state }, entries) {
    this.put(entries.findLast((entry) => entry.kind === "event")?.label ?? "heads");
    this.heads.replaceChildren(...Array.from({ length: state.turn }, () => coinSide(true)));
    this.heads.setAttribute("aria-label", t`${state.turn} heads this turn`);
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
    const from = this.coin.style.transform;
    this.put(entry.label);
    ring();
    const turns = entry.label === "heads" ? 1800 : 1980;
    await runAnimation(
      this.coin,
      [
        { transform: from },
        { transform: `translateY(-90px) rotateX(${turns / 2}deg)`, offset: 0.45, easing: "ease-in" },
        { transform: `rotateX(${turns}deg)` },
      ],
      900,
      skip,
      "ease-out",
    );
    if (entry.label === "tails") sink();
    await delay(entry.label === "tails" ? 800 : 350, skip);
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   */
  describe(entry, before, after) {
    if (entry.kind === "action") return null;
    if (entry.label === "heads") return t`Heads: ${formatCount(after.state.turn, "point")} at risk.`;
    return t`Tails! ${losesTurn(this.view, entry.seat, before.state.turn, "point")}.`;
  }

  /** @param {number} seat */
  question(seat) {
    return t`Flip a coin${forPlayer(this.view, seat)}. Which side came up?`;
  }

  /** @param {string} label */
  put(label) {
    this.coin.style.transform = label === "heads" ? "rotateX(0deg)" : "rotateX(180deg)";
    this.coin.setAttribute("aria-label", label === "heads" ? t`A coin showing heads` : t`A coin showing tails`);
  }
}
