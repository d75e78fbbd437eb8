/** The pad on which the user enters the faces of real dice. */

import { element } from "../dom.js";
import { formatList, t } from "../language.js";
import { dieSide } from "../pictures.js";
import { isSubset } from "./kept-dice.js";

const SIDES = [1, 2, 3, 4, 5, 6];

export class Pad {
  /** @param {import("./tray.js").Face} tray */
  constructor(tray) {
    this.send = null;
    this.tray = tray;
    /** @type {Api.EventView[]} */
    this.events = [];
    /** @type {number[]} */
    this.entered = [];
    this.sides = SIDES.map((face) =>
      element(
        "button",
        { type: "button", class: "tray-die", "aria-label": t`A ${face} came up`, onclick: () => this.enter(face) },
        dieSide(face),
      ),
    );
    this.removeButton = element("button", { type: "button", onclick: () => this.takeBack() }, t`Remove one`);
    this.doneButton = element(
      "button",
      { type: "button", class: "primary", onclick: () => this.finish() },
      t`Enter this roll`,
    );
    this.root = element(
      "div",
      { class: "pad", role: "group", "aria-label": t`The roll`, hidden: true },
      element("div", { class: "pad-sides" }, this.sides),
      element("div", { class: "row" }, this.removeButton, this.doneButton),
    );
  }

  /**
   * Show the pad if the events can be entered as dice, and return whether it is shown.
   * @param {Api.EventView[]} events
   * @param {Page.Send} send
   */
  offer(events, send) {
    const canEnter = events.length > 1 && events.every(({ faces }) => faces !== null) && this.diceToEnter.length > 0;
    const isNew = events.length !== this.events.length || events.some(({ label }, i) => label !== this.events[i].label);
    this.events = canEnter ? events : [];
    this.send = send;
    this.root.hidden = !canEnter;
    if (isNew) this.entered = [];
    if (canEnter) this.draw();
    return canEnter;
  }

  /** The indices of the dice that the user has to enter. */
  get diceToEnter() {
    return this.tray.layout.flatMap((die, i) => (die.face === 0 || die.isEntered ? [i] : []));
  }

  get isFull() {
    return this.entered.length === this.diceToEnter.length;
  }

  /** @param {number} face */
  enter(face) {
    if (this.isFull) return;
    this.entered.push(face);
    this.draw();
  }

  takeBack() {
    this.entered.pop();
    this.draw();
  }

  /** @param {string} key */
  press(key) {
    if (this.events.length === 0) return false;
    if (SIDES.includes(Number(key))) this.enter(Number(key));
    else if (key === "backspace") this.takeBack();
    else return false;
    return true;
  }

  finish() {
    const event = this.event();
    if (event) this.send(event.label);
  }

  /** Return the event that matches the entered dice. If several do, return the one that specifies the most dice. */
  event() {
    if (!this.isFull) return null;
    const dice = this.tray.layout.map(({ face }) => face);
    return this.events
      .map((event) => ({ ...event, shown: event.faces.filter(Boolean) }))
      .filter(({ shown }) => isSubset(shown, dice))
      .reduce((most, event) => (most && most.shown.length >= event.shown.length ? most : event), null);
  }

  draw() {
    const openDice = this.diceToEnter;
    this.tray.setDice(
      this.tray.layout.map((die, i) => {
        const position = openDice.indexOf(i);
        return position < 0 ? die : { face: this.entered[position] ?? 0, isKept: false, isEntered: true };
      }),
    );
    const left = openDice.length - this.entered.length;
    for (const side of this.sides) side.setAttribute("aria-disabled", String(left === 0));
    this.removeButton.setAttribute("aria-disabled", String(this.entered.length === 0));
    this.doneButton.setAttribute("aria-disabled", String(this.event() === null));
    this.tray.status.textContent =
      this.entered.length === 0
        ? t`Select what each die shows.`
        : left > 0
          ? t`${formatList(this.entered.map(String))}, and ${left} to go.`
          : "";
  }
}
