/** A player's score card: the scores, and a button for each open box with its possible score. */

import { element, focusedData, screenReaderText } from "../dom.js";
import { formatList, t, translateServerText } from "../language.js";
import { capitalize, formatCount, sentenceFor, nameOf } from "../words.js";

export class Card {
  /**
   * @param {Page.View} view
   * @param {number} seat
   */
  constructor(view, seat) {
    this.view = view;
    this.seat = seat;
    this.isOnly = view.players === 1;
    this.offered = new Map();
    this.written = new Map();
    this.filled = new Set();
    this.advised = null;
    this.last = null;
    const label = this.isOnly ? t`The card` : sentenceFor(view, seat, t`Your card`, (name) => t`The card of ${name}`);
    this.title =
      !this.isOnly &&
      element(
        "h2",
        { class: "card-owner" },
        nameOf(view, seat),
        (this.toMove = element("span", { class: "to-move", hidden: true }, t`to move`)),
      );
    this.root = element("section", { class: "score-card", "aria-label": label });
  }

  /**
   * Show this player's scores after some entries of the log, and whether they are to move.
   * @param {Page.Line[]} entries
   * @param {number | null} mover
   */
  show(entries, mover) {
    const scored = entries
      .filter(({ seat, scores }) => seat === this.seat && scores.length > 0)
      .map(({ scores }) => scores);
    this.written = new Map();
    for (const [row, points] of scored.flat()) {
      this.written.set(row, (this.written.get(row) ?? 0) + points);
    }
    const boxes = scored.map(([[row]]) => row);
    this.filled = new Set(this.isOnly ? (entries.at(-1) ?? this.view.start).filled : boxes);
    if (!this.isOnly) {
      this.last = boxes.at(-1) ?? null;
      this.toMove.hidden = mover !== this.seat;
      this.root.classList.toggle("moving", mover === this.seat);
    }
    this.draw();
  }

  /**
   * @param {Api.ActionView[]} actions
   * @param {Page.Send} send
   */
  offer(actions, send) {
    this.offered = new Map(actions.map((action) => [action.scores[0][0], action]));
    this.send = send;
    this.advised = null;
    this.draw();
  }

  /** @param {number | null} row */
  mark(row) {
    this.advised = row;
    this.draw();
  }

  draw() {
    const focused = focusedData().row;
    const hadFocus = this.root.contains(document.activeElement);
    const parts = [...new Set(this.view.card.map(({ part }) => part))];
    this.root.replaceChildren(
      ...(this.title ? [this.title] : []),
      ...parts.map((part) => this.part(part, parts.length > 1)),
      element(
        "p",
        { class: "card-total" },
        element("span", {}, t`Total`),
        element(
          "strong",
          {},
          this.sum(() => true),
        ),
      ),
    );
    if (hadFocus) /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-row="${focused}"]`))?.focus();
  }

  /**
   * @param {string} name
   * @param {boolean} isOneOfSeveral
   */
  part(name, isOneOfSeveral) {
    const rows = this.view.card.flatMap((row, i) => (row.part === name ? [this.row(row, i)] : []));
    const sum =
      isOneOfSeveral &&
      element(
        "li",
        { class: "card-row card-sum" },
        element("span", {}, t`Sum: ${translateServerText(name)}`),
        element(
          "strong",
          {},
          this.sum((row) => row.part === name),
        ),
      );
    return element("ul", { class: "card-part", "aria-label": capitalize(translateServerText(name)) }, rows, sum);
  }

  /**
   * @param {Api.ScoreRowView} row
   * @param {number} i
   */
  row({ name }, i) {
    const title = element("span", {}, capitalize(translateServerText(name)));
    const action = this.offered.get(i);
    if (action) return element("li", {}, this.box(title, action, i));
    const points = this.written.get(i);
    return element(
      "li",
      { class: `card-row${this.filled.has(i) ? " card-filled" : ""}${i === this.last ? " card-last" : ""}` },
      title,
      element("strong", {}, points ?? (this.filled.has(i) ? t`filled` : "")),
    );
  }

  /**
   * Create the button of a box that can be filled now.
   * @param {HTMLElement} title
   * @param {Api.ActionView} action
   * @param {number} i
   */
  box(title, action, i) {
    const [[, points], ...more] = action.scores;
    const hint = i === this.advised;
    return element(
      "button",
      {
        type: "button",
        class: `card-row card-box${hint ? " advised" : ""}`,
        "data-row": i,
        "data-label": action.label,
        onclick: () => this.send(action.label),
      },
      title,
      screenReaderText(t` would score `),
      element(
        "strong",
        {},
        points,
        more.map(([, bonus]) => element("small", {}, ` + ${bonus}`)),
      ),
      hint && screenReaderText(t`, the hint`),
    );
  }

  /** @param {(row: Api.ScoreRowView) => boolean} counts */
  sum(counts) {
    return [...this.written].reduce((sum, [row, points]) => sum + (counts(this.view.card[row]) ? points : 0), 0);
  }

  /**
   * Describe scores: "25 points in full house".
   * @param {[number, number][]} scores
   */
  sentence(scores) {
    return formatList(
      scores.map(
        ([row, points]) => t`${formatCount(points, "point")} in ${translateServerText(this.view.card[row].name)}`,
      ),
    );
  }
}
