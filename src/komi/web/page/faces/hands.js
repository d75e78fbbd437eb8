/** Red7's face: the canvas, all palettes, the backs of other hands, and the person's own cards to choose from. */

import { element, focusedData, unseen } from "../dom.js";
import { t } from "../language.js";
import { settle } from "../motion.js";
import { flick } from "../sound.js";
import { counted, nameOf } from "../words.js";

/** @type {Record<string, [string, string, string]>} */
const COLOURS = {
  R: ["red", t`Red`, t`the highest card`],
  O: ["orange", t`Orange`, t`most of one number`],
  Y: ["yellow", t`Yellow`, t`most of one colour`],
  G: ["green", t`Green`, t`most even cards`],
  B: ["blue", t`Blue`, t`most colours`],
  I: ["indigo", t`Indigo`, t`the longest run`],
  V: ["violet", t`Violet`, t`most cards below 4`],
};
const CARD = /\b([ROYGBIV][1-7])\b/;

export class Face {
  /** @param {Page.View} view */
  constructor(view) {
    this.changed = () => {}; // the table replaces it
    this.view = view;
    this.canvas = element("p", { class: "canvas" });
    this.others = element("div", { class: "others" });
    this.palette = element("div", { class: "hand-row" });
    this.hand = element("div", { class: "hand-row own-hand", role: "group" });
    const rules = element(
      "details",
      { class: "all-rules" },
      element("summary", {}, t`All seven rules`),
      element(
        "ul",
        {},
        Object.values(COLOURS).map(([ink, colour, wins]) =>
          element("li", {}, element("span", { class: `card ink-${ink}` }, colour), wins),
        ),
      ),
    );
    this.root = element(
      "div",
      { class: "face face-hands" },
      this.canvas,
      rules,
      this.others,
      element(
        "section",
        { class: "own" },
        element("h2", {}, t`Your palette`),
        this.palette,
        element("h2", {}, t`Your hand`),
        this.hand,
      ),
    );
    this.chosen = null;
    /** @type {Api.ActionView[]} */
    this.offered = [];
  }

  /**
   * @param {Page.Moment} moment
   * @param {Page.Line[]} [entries]
   */
  show(moment, entries = []) {
    const { players, you } = this.view;
    const layout = read(moment.written);
    const of = seatsFrom(moment.eyes, players);
    const [ink, colour, wins] = COLOURS[layout.canvas];
    this.canvas.className = `canvas ink-${ink}`;
    this.canvas.replaceChildren(element("strong", {}, colour), t` The rule is ${wins}.`);
    this.others.replaceChildren(
      ...Array.from({ length: players }, (_, seat) => seat)
        .filter((seat) => seat !== you)
        .map((seat) => this.other(seat, layout.palettes[of(seat)], layout.hands[of(seat)], layout.out.has(of(seat)))),
    );
    const isOut = layout.out.has(of(you));
    const palette = layout.palettes[of(you)];
    this.palette.replaceChildren(
      ...cards(isOut && palette.length === 0 ? lastPalette(entries, you, players) : palette, t`No card.`),
      ...(isOut
        ? [element("p", { class: "small" }, t`You are out: no move would have put you in the lead under the rule.`)]
        : []),
    );
    this.own = layout.hands[of(you)];
    this.drawHand();
  }

  /**
   * @param {number} seat
   * @param {string[]} palette
   * @param {string[]} hand
   * @param {boolean} isOut
   */
  other(seat, palette, hand, isOut) {
    return element(
      "section",
      { class: `other${isOut ? " is-out" : ""}` },
      element("h2", {}, nameOf(this.view, seat), isOut && t` is out`),
      element("div", { class: "hand-row" }, cards(palette, t`No card.`)),
      element(
        "div",
        { class: "hand-row small-row" },
        this.view.result
          ? cards(hand, t`No cards in hand.`)
          : [
              unseen(t`${counted(hand.length, "card")} in hand`),
              hand.map(() => element("span", { class: "card back", "aria-hidden": "true" })),
            ],
      ),
    );
  }

  /** A card of the own hand shows only the moves that it is part of, until it is pressed again. */
  drawHand() {
    const focused = focusedData().card;
    /** @returns {string[]} */
    const cardsIn = (/** @type {Api.ActionView} */ { label }) => label.match(new RegExp(CARD, "g")) ?? [];
    const playable = new Set(this.offered.flatMap(cardsIn));
    this.hand.setAttribute("aria-label", t`Your hand: choose a card to see its moves`);
    this.hand.replaceChildren(
      ...(this.own.length === 0
        ? [element("p", { class: "small" }, t`No cards in hand.`)]
        : this.own.map((name) =>
            playable.has(name)
              ? element(
                  "button",
                  {
                    type: "button",
                    class: `card ${inkOf(name)}`,
                    "data-card": name,
                    "aria-pressed": String(name === this.chosen),
                    onclick: () => this.choose(name),
                  },
                  name,
                )
              : card(name),
          )),
    );
    /** @type {HTMLElement | null} */ (this.hand.querySelector(`[data-card="${focused}"]`))?.focus();
  }

  /** @param {string} name */
  choose(name) {
    this.chosen = this.chosen === name ? null : name;
    this.drawHand();
    this.changed();
  }

  /**
   * The moves of other cards wait until theirs is chosen.
   * @param {Api.ActionView} action
   */
  takes(action) {
    return this.chosen !== null && !action.label.includes(this.chosen);
  }

  /**
   * A line breaks after a comma or not at all.
   * @param {string} text
   */
  label(text) {
    return text.split(/(?<=, )/).map((half) =>
      element(
        "span",
        { class: "half" },
        half.split(CARD).map((part) => (CARD.test(part) ? card(part) : part)),
      ),
    );
  }

  /** @param {Api.ActionView[]} actions */
  offer(actions) {
    const isNew =
      actions.length !== this.offered.length || actions.some((action, i) => action.label !== this.offered[i].label);
    this.offered = actions;
    if (!isNew || !this.own) return;
    this.chosen = null;
    this.drawHand();
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Moment} before
   * @param {Page.Moment} after
   * @param {Page.Hurry} hurry
   */
  async happen(entry, before, after, hurry) {
    if (entry.kind === "action") flick();
    this.show(after, this.view.log.slice(0, entry.number + 1));
    await settle(450, hurry);
  }

  /** @returns {string | null} */
  tell() {
    return null;
  }

  question() {
    return t`Which card is it?`;
  }
}

/**
 * Where a seat stands in what is written for the eyes of another.
 * @param {number} eyes
 * @param {number} players
 * @returns {(seat: number) => number}
 */
function seatsFrom(eyes, players) {
  return (seat) => (seat - eyes + players) % players;
}

/**
 * What lay before a player who is out now.
 * @param {Page.Line[]} entries
 * @param {number} seat
 * @param {number} players
 */
function lastPalette(entries, seat, players) {
  return (
    entries
      .map(({ written, eyes }) => (written ? read(written).palettes[seatsFrom(eyes, players)(seat)] : []))
      .findLast((names) => names.length > 0) ?? []
  );
}

/**
 * @param {string[]} names
 * @param {string} none
 */
function cards(names, none) {
  return names.length === 0 ? [element("span", { class: "small" }, none)] : names.map(card);
}

/** @param {string} name */
function card(name) {
  return element("span", { class: `card ${inkOf(name)}` }, name);
}

/** @param {string} name */
function inkOf(name) {
  return `ink-${COLOURS[name[0]][0]}`;
}

/**
 * The game's notation, in parts: hands=R7+G1/B2/..., palettes=..., canvas=R, seat=1, out=2+3.
 * @param {string} written
 */
function read(written) {
  /** @type {Record<string, string>} */
  const parts = Object.fromEntries(written.split(",").map((part) => part.trim().split("=")));
  /** @param {string | undefined} text */
  const sets = (text) => (text ?? "").split("/").map((names) => names.split("+").filter(Boolean));
  return {
    hands: sets(parts.hands),
    palettes: sets(parts.palettes),
    canvas: parts.canvas ?? "R",
    out: new Set(
      (parts.out ?? "")
        .split("+")
        .filter(Boolean)
        .map((seat) => Number(seat) - 1),
    ),
  };
}
