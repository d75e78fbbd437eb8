/** The face of Red7: the canvas, all palettes, the backs of other hands, and the user's own cards. */

import { element, focusedData, screenReaderText } from "../dom.js";
import { t } from "../language.js";
import { delay } from "../motion.js";
import { flick } from "../sound.js";
import { formatCount, nameOf } from "../words.js";

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
/** What the player chooses after playing a card of this number. @type {Record<string, string>} */
const ACTIONS = {
  1: t`put a card of another palette on the deck.`,
  3: t`draw a card.`,
  5: t`play another card.`,
  7: t`move another card of the palette to the canvas.`,
};
const CARD = /\b([ROYGBIV][1-7])\b/;

export class Face {
  /** @param {Page.View} view */
  constructor(view) {
    this.changed = () => {}; // set by the table
    this.view = view;
    this.canvas = element("p", { class: "canvas" });
    this.notes = element("p", { class: "notes" });
    this.others = element("div", { class: "others" });
    this.ownScore = element("span");
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
      this.notes,
      this.others,
      element(
        "section",
        { class: "own" },
        element("h2", {}, t`Your palette`, this.ownScore),
        this.palette,
        element("h2", {}, t`Your hand`),
        this.hand,
        view.rules.actions &&
          element(
            "ul",
            { class: "acts small", "aria-label": t`What odd cards do` },
            Object.entries(ACTIONS).map(([number, action]) =>
              element("li", {}, element("strong", {}, number), `: ${action}`),
            ),
          ),
      ),
    );
    this.chosen = null;
    /** @type {Api.ActionView[]} */
    this.offered = [];
  }

  /**
   * @param {Page.Snapshot} snapshot
   * @param {Page.Line[]} [entries]
   */
  show(snapshot, entries = []) {
    const { players, you } = this.view;
    const layout = parseNotation(snapshot.written);
    const indexOf = seatOffset(snapshot.observer, players);
    const [ink, colour, wins] = COLOURS[layout.canvas];
    this.canvas.className = `canvas ink-${ink}`;
    this.canvas.replaceChildren(element("strong", {}, colour), t` The rule is ${wins}.`);
    this.notes.replaceChildren(...notes(layout));
    this.notes.hidden = this.notes.childElementCount === 0;
    this.ownScore.textContent = this.score(layout.scored[indexOf(you)]);
    this.others.replaceChildren(
      ...Array.from({ length: players }, (_, seat) => seat)
        .filter((seat) => seat !== you)
        .map((seat) => this.other(seat, indexOf(seat), layout)),
    );
    const isOut = layout.out.has(indexOf(you));
    const palette = layout.palettes[indexOf(you)];
    this.palette.replaceChildren(
      ...cards(isOut && palette.length === 0 ? lastPalette(entries, you, players) : palette, t`No card.`),
      ...(isOut
        ? [element("p", { class: "small" }, t`You are out: no move would have put you in the lead under the rule.`)]
        : []),
    );
    this.own = layout.hands[indexOf(you)];
    this.drawHand();
  }

  /**
   * Return the points of the cards that a player has scored, as the end of a heading; empty where rounds do not score.
   * @param {string[] | undefined} scored
   */
  score(scored = []) {
    const points = scored.reduce((total, name) => total + Number(name[1]), 0);
    return this.view.rules.scoring ? `: ${formatCount(points, "point")}` : "";
  }

  /**
   * @param {number} seat
   * @param {number} index
   * @param {ReturnType<typeof parseNotation>} layout
   */
  other(seat, index, layout) {
    const [palette, hand, isOut] = [layout.palettes[index], layout.hands[index], layout.out.has(index)];
    return element(
      "section",
      { class: `other${isOut ? " is-out" : ""}` },
      element("h2", {}, nameOf(this.view, seat), this.score(layout.scored[index]), isOut && t` is out`),
      element("div", { class: "hand-row" }, cards(palette, t`No card.`)),
      element(
        "div",
        { class: "hand-row small-row" },
        this.view.result
          ? cards(hand, t`No cards in hand.`)
          : [
              screenReaderText(t`${formatCount(hand.length, "card")} in hand`),
              hand.map((name) =>
                layout.known.has(name) ? card(name) : element("span", { class: "card back", "aria-hidden": "true" }),
              ),
            ],
      ),
    );
  }

  /** Draw the user's hand. Pressing a card filters the moves to those with this card; pressing it again shows all. */
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
   * Return whether to hide the button of an action: while a card is chosen, the moves without it are hidden.
   * @param {Api.ActionView} action
   */
  takes(action) {
    return this.chosen !== null && !action.label.includes(this.chosen);
  }

  /**
   * Create the label of an action, which wraps only after a comma.
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
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   * @param {Page.SkipSignal} skip
   */
  async animate(entry, before, after, skip) {
    if (entry.kind === "action") flick();
    this.show(after, this.view.log.slice(0, entry.number + 1));
    await delay(450, skip);
  }

  /** @returns {string | null} */
  describe() {
    return null;
  }

  question() {
    return t`Which card is it?`;
  }
}

/**
 * Return a function from seats to their indices in the notation, which starts with the observer.
 * @param {number} observer
 * @param {number} players
 * @returns {(seat: number) => number}
 */
function seatOffset(observer, players) {
  return (seat) => (seat - observer + players) % players;
}

/**
 * Return the last palette of a player who is out.
 * @param {Page.Line[]} entries
 * @param {number} seat
 * @param {number} players
 */
function lastPalette(entries, seat, players) {
  return (
    entries
      .map(({ written, observer }) =>
        written ? parseNotation(written).palettes[seatOffset(observer, players)(seat)] : [],
      )
      .findLast((names) => names.length > 0) ?? []
  );
}

/**
 * Describe the card that acts, and the known cards on top of the deck.
 * @param {ReturnType<typeof parseNotation>} layout
 */
function notes({ acting, top }) {
  const action = ACTIONS[acting?.[1]];
  return [
    action && element("span", {}, card(acting), " ", action),
    top.length > 0 && element("span", {}, t`On top of the deck, the first to be drawn first:`, " ", top.map(card)),
  ].filter(Boolean);
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
 * Parse the game's notation: hands=R7+G1/B2/..., palettes=..., canvas=R, seat=1, out=2+3, and where cards act or score
 * top=R3+B2, known=R7, acting=R5, scored=R7/V2/....
 * @param {string} written
 */
function parseNotation(written) {
  /** @type {Record<string, string>} */
  const parts = Object.fromEntries(written.split(",").map((part) => part.trim().split("=")));
  /** @param {string | undefined} text */
  const sets = (text) => (text ?? "").split("/").map((names) => names.split("+").filter(Boolean));
  return {
    hands: sets(parts.hands),
    palettes: sets(parts.palettes),
    canvas: parts.canvas ?? "R",
    top: sets(parts.top)[0],
    known: new Set(sets(parts.known)[0]),
    acting: parts.acting,
    scored: sets(parts.scored),
    out: new Set(
      (parts.out ?? "")
        .split("+")
        .filter(Boolean)
        .map((seat) => Number(seat) - 1),
    ),
  };
}
