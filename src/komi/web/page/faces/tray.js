/** The face of games with dice to keep or set aside: the tray, and the players' score cards, if there are any. */

import { element } from "../dom.js";
import { formatList, t, tn, translateServerText } from "../language.js";
import { runAnimation, delay } from "../motion.js";
import { dieSide } from "../pictures.js";
import { bank, rattle, sink } from "../sound.js";
import { formatCount, sentenceFor, forPlayer, losesTurn } from "../words.js";
import { Card } from "./card.js";
import { isSubset, sameDice, withoutDice } from "./kept-dice.js";
import { Pad } from "./pad.js";

/** @typedef {{ face: number, isKept: boolean, isEntered?: boolean }} Die */

let trayCount = 0; // gives the status of each tray a unique id
const NUMBERS = ["0", t`one`, t`two`, t`three`, t`four`, t`five`, t`six`];

export class Face {
  /** @param {Page.View} view */
  constructor(view) {
    this.changed = () => {}; // the table replaces it
    this.view = view;
    this.dice = element("div", { class: "tray-dice", role: "group", "aria-label": t`The dice` });
    this.aside = element("p", { class: "tray-aside", hidden: true });
    this.status = element("p", { class: "tray-words", id: `tray-words-${++trayCount}` });
    this.pad = new Pad(this);
    this.cards = view.card ? Array.from({ length: view.players }, (_, seat) => new Card(view, seat)) : [];
    this.root = element(
      "div",
      { class: "face face-tray" },
      element("div", { class: "tray" }, this.aside, this.dice, this.status, this.pad.root),
      this.createCards(),
    );
    /** @type {Api.ActionView[]} */
    this.offered = [];
    /** @type {Die[]} */
    this.layout = [];
  }

  /** Create the score cards of all players, the user's own first. */
  createCards() {
    const { cards, view } = this;
    if (cards.length < 2) return cards[0]?.root;
    return element(
      "div",
      { class: "score-cards" },
      cards.map((_, i) => cards[(view.you + i) % cards.length].root),
    );
  }

  /** The score card of the player to move. */
  get card() {
    return this.cards[this.view.mover ?? 0] ?? null;
  }

  /**
   * Show the dice, with those kept for this roll first.
   * @param {Page.Snapshot} snapshot
   * @param {Page.Line[]} [entries]
   */
  show({ faces, mover }, entries = []) {
    const kept = keptBefore(entries, faces);
    this.setDice([
      ...kept.map((face) => ({ face, isKept: true })),
      ...withoutDice(faces, kept).map((face) => ({ face, isKept: false })),
    ]);
    const aside = setAside(entries);
    this.aside.hidden = aside.length === 0;
    this.aside.replaceChildren(
      t`Set aside:`,
      " ",
      ...aside.map((face) =>
        element("span", { class: "little-die", role: "img", "aria-label": String(face) }, dieSide(face)),
      ),
    );
    this.rolls = rollsOfTurn(entries);
    for (const card of this.cards) card.show(entries, mover);
  }

  /** @param {Die[]} dice */
  setDice(dice) {
    this.layout = dice;
    this.advised = null;
    this.draw();
  }

  draw() {
    const focused = [...this.dice.children].indexOf(document.activeElement);
    this.dice.style.setProperty("--dice", String(this.layout.length));
    this.dice.replaceChildren(...this.layout.map((die, i) => this.die(die, i)));
    if (focused >= 0) /** @type {HTMLElement} */ (this.dice.children[focused])?.focus();
    this.updateStatus();
  }

  /**
   * @param {Die} die
   * @param {number} i
   */
  die({ face, isKept }, i) {
    const canKeep = this.offered.length > 0 && face > 0;
    const advised = this.advised?.has(i) ?? false;
    const marks = [isKept && "kept", advised && "advised", face === 0 && "blank"].filter(Boolean).join(" ");
    if (!canKeep)
      return element(
        "div",
        {
          class: `tray-die ${marks}`,
          role: "img",
          "aria-label":
            face === 0
              ? this.setsAside
                ? t`A die that scores nothing`
                : t`A die`
              : isKept
                ? t`${face}, kept`
                : String(face),
        },
        face > 0 && dieSide(face),
      );
    return element(
      "button",
      {
        type: "button",
        class: `tray-die ${marks}`,
        "aria-pressed": String(isKept),
        "aria-label": advised ? t`${face}, the hint: keep it` : String(face),
        onclick: () => this.toggle(i),
      },
      dieSide(face),
    );
  }

  /** @param {number} i */
  toggle(i) {
    this.layout[i].isKept = !this.layout[i].isKept;
    this.draw();
    this.changed();
  }

  /**
   * Handle a digit key: keep one more die with this face, or release all of them if all are kept.
   * @param {string} key
   */
  press(key) {
    if (this.pad.press(key)) return true;
    const same = this.offered.length === 0 ? [] : this.layout.filter(({ face }) => String(face) === key);
    if (same.length === 0) return false;
    const next = same.find(({ isKept }) => !isKept);
    if (next) next.isKept = true;
    else for (const die of same) die.isKept = false;
    this.draw();
    this.changed();
    return true;
  }

  get kept() {
    return this.layout
      .filter(({ isKept }) => isKept)
      .map(({ face }) => face)
      .sort();
  }

  /** The action that keeps the selected dice; null if the rules do not allow it. */
  get chosen() {
    return this.offered.find(({ keeps }) => sameDice(keeps, this.kept)) ?? null;
  }

  get setsAside() {
    return this.followUps.length > 0;
  }

  /** Show the score of the selected dice, or why they cannot be kept. */
  updateStatus() {
    this.status.textContent =
      this.offered.length === 0 ? "" : this.setsAside ? this.describeAside() : this.describeKept();
  }

  describeKept() {
    if (this.kept.length === this.layout.length) return t`All dice are kept: select the dice to roll again, or score.`;
    return this.chosen ? t`Roll ${this.rolls}. Select the dice to keep.` : t`You cannot keep these dice.`;
  }

  describeAside() {
    if (this.kept.length === 0)
      return this.layout.some(({ face }) => face === 0)
        ? t`Select the dice to set aside. Blank dice score nothing.`
        : t`Select the dice to set aside.`;
    const { chosen } = this;
    if (!chosen) return t`Not all of these dice score.`;
    const points = formatCount(
      chosen.scores.reduce((sum, [, each]) => sum + each, 0),
      "point",
    );
    const excluded = this.followUps.filter((then) => !chosen.then.includes(then));
    const scored = t`${formatList(this.kept.map(String))}: ${points}.`;
    return excluded.length > 0
      ? `${scored} ${t`The rules then allow only: ${formatList(chosen.then.map(translateServerText))}.`}`
      : scored;
  }

  /** The labels of the actions that can follow setting dice aside. */
  get followUps() {
    return [...new Set(this.offered.flatMap(({ then }) => then))];
  }

  /** @param {Api.ActionView} action */
  takes(action) {
    return action.keeps !== null || (this.cards.length > 0 && action.scores.length > 0);
  }

  /**
   * @param {Api.ActionView[]} actions
   * @param {Page.Send} send
   */
  offer(actions, send) {
    const isNew =
      actions.length !== this.actions?.length || actions.some((action, i) => action.label !== this.actions[i].label);
    this.actions = actions;
    this.offered = actions.filter(({ keeps }) => keeps !== null);
    const boxes = actions.filter(({ keeps, scores }) => keeps === null && scores.length > 0);
    for (const card of this.cards) card.offer(card === this.card ? boxes : [], send);
    if (isNew) {
      for (const die of this.layout) die.isKept &&= this.offered.some(({ keeps }) => keeps.includes(die.face));
      this.draw();
    }
    this.restoreFocus(actions.length > 0);
    this.sendNext(actions, send);
  }

  /**
   * Restore the focus to the dice or boxes after a choice by keyboard.
   * @param {boolean} canChoose
   */
  restoreFocus(canChoose) {
    if (this.root.contains(document.activeElement)) this.hadFocus = true;
    else if (document.activeElement !== document.body) this.hadFocus = false;
    else if (canChoose && this.hadFocus)
      /** @type {HTMLElement | null} */ (this.root.querySelector("button:not([aria-disabled='true'])"))?.focus({
        preventScroll: true,
      });
  }

  /**
   * Send the action that was chosen together with setting dice aside.
   * @param {Api.ActionView[]} actions
   * @param {Page.Send} send
   */
  sendNext(actions, send) {
    const { next } = this;
    if (actions.length === 0 || !next) return;
    this.next = null;
    if (actions.some(({ label }) => label === next)) queueMicrotask(() => send(next));
  }

  /** Create the buttons for the selected dice: one that rolls, or one for each action that can follow. */
  buttons() {
    if (this.offered.length === 0) return [];
    return this.setsAside ? this.followUps.map((then) => this.asideButton(then)) : [this.rollButton()];
  }

  rollButton() {
    const left = this.layout.length - this.kept.length;
    const number = NUMBERS[left] ?? left;
    const label =
      left === this.layout.length
        ? t`Roll all ${number}`
        : left === 0
          ? t`Roll the others`
          : left === 1
            ? t`Roll the other one`
            : t`Roll the other ${number}`;
    return this.button(label, "r", this.chosen !== null);
  }

  /** @param {string} then */
  asideButton(then) {
    const isEnabled = this.chosen?.then.includes(then) ?? false;
    const button = this.button(
      t`Set aside and ${translateServerText(then)}`,
      then[0],
      isEnabled,
      then === "hold" ? "hold" : "go-on",
    );
    button.addEventListener("click", () => {
      if (isEnabled) this.next = then;
    });
    return button;
  }

  /**
   * Create a button for the selected dice. If it is disabled, the status under the dice gives the reason.
   * @param {string} label
   * @param {string} key
   * @param {boolean} isEnabled
   * @param {string} [kind]
   */
  button(label, key, isEnabled, kind = "go-on") {
    return element(
      "button",
      {
        type: "button",
        class: `action ${kind}`,
        "data-label": this.chosen?.label ?? "",
        "data-key": key,
        "aria-disabled": isEnabled ? null : "true",
        "aria-describedby": isEnabled ? null : this.status.id,
      },
      element("span", {}, label),
    );
  }

  /**
   * Let the user enter a roll on the pad. Return whether the pad is shown.
   * @param {Api.EventView[]} events
   * @param {Page.Send} send
   */
  offerEvents(events, send) {
    return this.pad.offer(events, send);
  }

  /**
   * Mark the dice or the box of the best action.
   * @param {string[]} labels
   */
  mark(labels) {
    const best = (this.actions ?? []).find(({ label }) => label === labels[0]);
    for (const card of this.cards) card.mark(card === this.card && best?.keeps === null ? best.scores[0]?.[0] : null);
    const left = [...(best?.keeps ?? [])];
    this.advised = new Set(
      this.layout.flatMap(({ face }, i) => {
        const index = left.indexOf(face);
        if (index < 0) return [];
        left.splice(index, 1);
        return [i];
      }),
    );
    this.draw();
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   * @param {Page.SkipSignal} skip
   */
  async animate(entry, before, after, skip) {
    this.offered = [];
    if (entry.kind === "action") {
      if (entry.scores.length > 0 && entry.keeps === null) bank();
      if (entry.keeps !== null) this.show(after, this.view.log.slice(0, entry.number + 1));
      return delay(250, skip);
    }
    rattle();
    this.show(after, this.view.log.slice(0, entry.number + 1));
    const rolledDice = [...this.dice.children].filter((die) => !die.classList.contains("kept"));
    await Promise.all(
      rolledDice.map((die, i) =>
        runAnimation(
          die,
          [{ transform: `translateY(-30px) rotate(${i % 2 ? 200 : -220}deg)`, opacity: 0.4 }, { transform: "none" }],
          450 + 60 * i,
          skip,
        ),
      ),
    );
    const isNothing = after.mover === entry.seat && after.faces.every((face) => face === 0);
    if (isNothing) sink();
    await delay(isNothing ? 900 : 300, skip);
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   */
  describe(entry, before, after) {
    if (entry.kind === "event") return this.describeRoll(entry, before, after);
    const { view } = this;
    const points = entry.scores.reduce((sum, [, each]) => sum + each, 0);
    if (entry.keeps === null && this.cards.length > 0 && entry.scores.length > 0) {
      const score = this.cards[entry.seat].sentence(entry.scores);
      return sentenceFor(view, entry.seat, t`You score ${score}.`, (name) => t`${name} scores ${score}.`);
    }
    if (entry.keeps === null) return null;
    const dice = formatList(entry.keeps.map(String));
    if (points > 0) {
      const scored = formatCount(points, "point");
      return sentenceFor(
        view,
        entry.seat,
        t`You set aside ${dice}: ${scored}.`,
        (name) => t`${name} sets aside ${dice}: ${scored}.`,
      );
    }
    if (entry.keeps.length === 0)
      return sentenceFor(view, entry.seat, t`You roll all dice again.`, (name) => t`${name} rolls all dice again.`);
    return sentenceFor(view, entry.seat, t`You keep ${dice}.`, (name) => t`${name} keeps ${dice}.`);
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   */
  describeRoll(entry, before, after) {
    const faces = (after.faces ?? []).filter(Boolean);
    const dice = formatList(faces.map(String));
    if (after.mover !== entry.seat) return `${losesTurn(this.view, entry.seat, before.state.turn ?? 0, "point")}.`;
    if (faces.length === 0) return t`No scoring dice!`;
    if (faces.length === after.faces.length) return t`The dice show ${dice}.`;
    return faces.length === 1 ? t`The ${dice} can score.` : t`${dice} can score.`;
  }

  /** @param {number} seat */
  question(seat) {
    const free = this.layout.filter(({ face }) => face === 0).length;
    return tn(free, "Roll {0} die{1}. What came up?", "Roll {0} dice{1}. What came up?", forPlayer(this.view, seat));
  }
}

/**
 * Return the dice that were kept for the last roll, if they are still on the tray.
 * @param {Page.Line[]} entries
 * @param {number[]} faces
 */
function keptBefore(entries, faces) {
  const last = entries.at(-1);
  const kept = last?.kind === "action" ? last : last?.kind === "event" ? entries.at(-2) : null;
  if (!kept?.keeps || !sameDice(kept.faces.filter(Boolean), kept.keeps)) return [];
  return isSubset(kept.keeps, faces) ? kept.keeps : [];
}

/**
 * Return the number of rolls since the last score was written.
 * @param {Page.Line[]} entries
 */
function rollsOfTurn(entries) {
  const last = entries.findLastIndex(
    ({ kind, keeps, scores }) => kind === "action" && keeps === null && scores.length > 0,
  );
  return entries.slice(last + 1).filter(({ kind }) => kind === "event").length;
}

/**
 * Return the dice that were set aside in this turn and removed from the tray.
 * @param {Page.Line[]} entries
 */
function setAside(entries) {
  const aside = [];
  for (let i = entries.length - 1; i >= 0; i--) {
    const { kind, keeps, faces, seat, mover } = entries[i];
    if (seat !== entries.at(-1).seat || mover !== seat) break;
    if (kind === "action" && keeps === null && entries[i].scores.length > 0) break;
    if (keeps?.length > 0 && !sameDice(faces.filter(Boolean), keeps)) aside.unshift(...keeps);
  }
  return aside;
}
