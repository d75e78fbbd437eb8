/** The face of Red Light: a bag, the chips of this turn, and a traffic light. */

import { element, svgPicture } from "../dom.js";
import { t, tn } from "../language.js";
import { delay, flyIn } from "../motion.js";
import { chip } from "../pictures.js";
import { beepBeep, revDown, rush, skid } from "../sound.js";
import { capitalize, formatCount, forPlayer, displayText, losesTurn } from "../words.js";

const BAG =
  '<path class="bag-cloth" d="M38 40C20 58 10 84 14 108c3 18 22 26 46 26s43-8 46-26c4-24-6-50-24-68z"/>' +
  '<path class="bag-fold" d="M44 46c-8 16-12 34-11 52M60 44v48M77 46c7 14 10 28 10 42"/>' +
  '<path class="bag-neck" d="M34 18c8 5 14 8 26 8s18-3 26-8c2 8 0 16-5 23H39c-5-7-7-15-5-23z"/>' +
  '<path class="bag-cord" d="M36 41c16 6 32 6 48 0"/><path class="bag-cord" d="M82 42c8 4 10 10 8 16"/>';

const LIGHTS =
  '<rect x="4" y="2" width="52" height="132" rx="22" class="lights-case"/>' +
  '<circle cx="30" cy="30" r="16" class="lamp lamp-stop"/><circle cx="30" cy="68" r="16" class="lamp lamp-wait"/>' +
  '<circle cx="30" cy="106" r="16" class="lamp lamp-go"/>' +
  '<g class="lamp-mark"><rect x="22" y="27" width="16" height="6" rx="2"/><path d="M30 60l8 14H22z"/><circle cx="30" cy="106" r="6.5" class="mark-ring"/></g>';

export class Face {
  /** @param {Page.View} view */
  constructor(view) {
    this.view = view;
    this.bag = svgPicture("0 0 120 140", BAG, { class: "bag" });
    this.left = element("p", { class: "left" });
    this.chips = element("div", { class: "chips", role: "img" });
    this.lights = svgPicture("0 0 60 136", LIGHTS, { class: "lights" });
    this.root = element(
      "div",
      { class: "face face-bag" },
      element("div", { class: "bag-place" }, this.bag, this.left),
      this.chips,
      this.lights,
    );
    this.light("wait");
  }

  /** @param {Page.Snapshot} snapshot */
  show({ state }) {
    const { rules, face } = this.view;
    /** @param {string} colour */
    const word = (colour) => displayText(colour, face);
    this.left.replaceChildren(
      element("span", { class: "tally go" }, chip("green"), ` ${rules.green - state.green} ${word("green")}`),
      element("span", { class: "tally stop" }, chip("red"), ` ${rules.red - state.red} ${word("red")}`),
      element("small", {}, t`in the bag`),
    );
    this.chips.replaceChildren(...Array.from({ length: state.turn }, () => chip("green")));
    this.chips.dataset.empty = state.turn === 0 ? t`Nothing drawn yet` : "";
    this.chips.setAttribute(
      "aria-label",
      tn(state.turn, "{0} {1} chip drawn this turn", "{0} {1} chips drawn this turn", word("green")),
    );
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   * @param {Page.SkipSignal} skip
   */
  async animate(entry, before, after, skip) {
    if (entry.kind === "action") {
      if (entry.label === "hold") {
        revDown();
        this.light("wait");
      }
      return;
    }
    const drawn = chip(entry.label);
    this.chips.append(drawn);
    const [sound, lamp] = entry.label === "green" ? [rush, "go"] : [skid, "stop"];
    await flyIn(drawn, this.bag, skip);
    this.light(lamp);
    sound();
    await delay(entry.label === "red" ? 900 : 450, skip);
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
    const colour = displayText(entry.label, this.view.face);
    if (entry.label === "green") return t`A ${colour} chip: ${formatCount(after.state.turn, "point")} at risk.`;
    const reshuffled = isReshuffle(entry, after) ? t` It was the last one: all chips go back into the bag.` : "";
    return `${capitalize(colour)}! ${losesTurn(this.view, entry.seat, before.state.turn, "point")}.${reshuffled}`;
  }

  /** @param {number} seat */
  question(seat) {
    return t`Draw a chip from your bag${forPlayer(this.view, seat)}. Which one is it?`;
  }

  /** @param {string} name */
  light(name) {
    for (const lamp of ["stop", "wait", "go"])
      this.lights.querySelector(`.lamp-${lamp}`).classList.toggle("lit", lamp === name);
  }
}

/**
 * @param {Page.Line} entry
 * @param {Page.Snapshot} after
 */
function isReshuffle(entry, after) {
  return entry.label === "red" && after.state.red === 0;
}
