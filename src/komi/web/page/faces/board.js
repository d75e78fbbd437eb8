/** The face of board games: squares to play on, and a strip that can be dragged to another edge and turned. */

import { element, svgPicture, svgElement } from "../dom.js";
import { t, translateServerText } from "../language.js";
import { delay } from "../motion.js";
import { chip, isColour } from "../pictures.js";
import { click } from "../sound.js";
import { capitalize, displayText, nameOf } from "../words.js";
import { keyOf, placeName, shortName } from "./squares.js";
import { Strip } from "./strip.js";

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Face {
  /** @param {Page.View} view */
  constructor(view) {
    this.view = view;
    this.grid = element("div", {
      class: "board",
      role: "group",
      "aria-label": t`The board`,
      onkeydown: (event) => this.moveFocus(event),
    });
    this.strip = view.squares.some((square) => square.tint === 1) ? new Strip(this) : null;
    this.root = element("div", { class: "face face-board" }, this.grid, this.strip?.bar);
    /** @type {Api.ActionView[]} */
    this.offered = [];
    /** @type {Set<string>} */
    this.last = new Set();
    /** @type {Set<string>} */
    this.marked = new Set();
    this.focused = "0,0";
  }

  /**
   * @param {Page.Snapshot} snapshot
   * @param {Page.Line[]} [entries]
   */
  show({ squares }, entries = []) {
    this.squares = squares;
    this.last = changed(
      entries.length > 1 ? entries.at(-2).squares : this.view.start.squares,
      entries.length > 0 ? squares : [],
    );
    this.marked = new Set();
    this.draw(squares);
  }

  /**
   * Mark the squares of the actions with these labels.
   * @param {string[]} labels
   */
  mark(labels) {
    this.marked = new Set(
      this.offered
        .filter((one) => labels.includes(one.label))
        .map((one) => keyOf({ row: one.square[0], column: one.square[1] })),
    );
    this.draw(this.squares);
  }

  /**
   * Draw the squares of the board. `preview` contains the keys of squares that show an unconfirmed move.
   * @param {Page.Square[]} squares
   * @param {Set<string>} [preview]
   */
  draw(squares, preview = new Set()) {
    const hadFocus = this.grid.contains(document.activeElement);
    const minIndex = this.strip ? -1 : 0;
    this.grid.classList.toggle("with-strip", this.strip !== null);
    const columns = this.strip ? 5 : Math.max(...squares.map((square) => square.column)) + 1;
    this.grid.style.setProperty("--columns", String(columns));
    this.cells = new Map(squares.map((square) => [keyOf(square), this.cell(square, minIndex, preview)]));
    this.grid.replaceChildren(...this.cells.values(), ...(this.strip?.dropTargets(minIndex) ?? []));
    const focused = this.cells.get(this.focused) ?? this.cells.values().next().value;
    focused.tabIndex = 0;
    if (hadFocus) focused.focus();
  }

  /**
   * @param {Page.Square} square
   * @param {number} minIndex
   * @param {Set<string>} preview
   */
  cell(square, minIndex, preview) {
    const key = keyOf(square);
    const action = this.offered.find((one) => keyOf({ row: one.square[0], column: one.square[1] }) === key);
    const shown = square.shows === "" ? t`empty` : displayText(square.shows, "board");
    const marks = [square.decisive && "line", this.last.has(key) && "last", this.marked.has(key) && "advised"].filter(
      Boolean,
    );
    /** @type {Record<string, string>} */
    const descriptions = { line: t`in the line`, last: t`the last move`, advised: t`the hint` };
    const button = element(
      "button",
      {
        type: "button",
        tabindex: "-1",
        class: ["square", square.tint === 1 && "strip", preview.has(key) && "preview", ...marks]
          .filter(Boolean)
          .join(" "),
        "aria-label": [`${placeName(square)}: ${shown}`, ...marks.map((mark) => descriptions[mark])].join(", "),
        "aria-disabled": action ? null : "true",
        onclick: () => action && !this.strip?.isBusy && this.send(action.label),
        onfocus: () => this.focusOn(key),
      },
      element("span", { class: "place", "aria-hidden": "true" }, shortName(square)),
      isColour(square.shows) ? chip(square.shows) : square.shows && textCounter(square.shows),
    );
    button.style.gridRow = String(square.row - minIndex + 1);
    button.style.gridColumn = String(square.column - minIndex + 1);
    if (square.tint === 1) this.strip?.makeDraggable(button);
    return button;
  }

  /**
   * Return whether an action is made on the board, on a square or with the strip, and needs no button.
   * @param {Api.ActionView} action
   */
  takes(action) {
    return action.square !== null || (this.strip !== null && /strip/.test(action.label));
  }

  /**
   * Set the user's choices. Those without a square belong to the strip.
   * @param {Api.ActionView[]} actions
   * @param {Page.Send} send
   */
  offer(actions, send) {
    this.send = send;
    this.offered = actions.filter((action) => action.square);
    this.strip?.offer(actions.filter((action) => !action.square).map((action) => action.label));
    this.draw(this.squares);
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   * @param {Page.SkipSignal} skip
   */
  async animate(entry, before, after, skip) {
    this.offered = [];
    click();
    this.show(after, this.view.log.slice(0, entry.number + 1));
    for (const key of this.last) this.cells.get(key).classList.add("fresh");
    await delay(500, skip);
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   */
  describe(entry, before, after) {
    if (entry.kind === "event") return null;
    const name = nameOf(this.view, entry.seat);
    if (/strip/.test(entry.label)) return `${name}: ${translateServerText(entry.label)}.`;
    const old = new Map((before.squares ?? []).map((square) => [keyOf(square), square.shows]));
    const changed = after.squares.find((square) => old.get(keyOf(square)) !== square.shows);
    return changed
      ? t`${name}: ${displayText(changed.shows, "board")} on ${entry.label}.`
      : `${name}: ${translateServerText(entry.label)}.`;
  }

  /** @param {string} key */
  focusOn(key) {
    const last = this.cells.get(this.focused);
    if (last) last.tabIndex = -1;
    this.focused = key;
    this.cells.get(key).tabIndex = 0;
  }

  /** @param {KeyboardEvent} event */
  moveFocus(event) {
    if (!(event.key in STEPS) || this.strip?.isBusy) return;
    const [down, right] = STEPS[event.key];
    let [row, column] = this.focused.split(",").map(Number);
    event.preventDefault();
    for (let i = 0; i < 5; i++) {
      row += down;
      column += right;
      const next = this.cells.get(`${row},${column}`);
      if (next) return next.focus();
    }
  }
}

/**
 * Return the keys of the squares whose content has changed.
 * @param {Page.Square[] | null} before
 * @param {Page.Square[]} after
 */
function changed(before, after) {
  const old = new Map((before ?? []).map((square) => [keyOf(square), square.shows]));
  return new Set(after.filter((square) => old.get(keyOf(square)) !== square.shows).map(keyOf));
}

/** @param {string} text */
function textCounter(text) {
  const svg = svgPicture("-21 -21 42 42", "", { class: "text-counter" });
  svg.append(svgElement("text", { y: 7, "text-anchor": "middle" }, capitalize(translateServerText(text))));
  return svg;
}
