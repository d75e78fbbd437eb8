/** The face of games in which pieces move over a board: touch a piece, and it goes where its mark shows. */

import { element, focusedData, picture, unseen } from "../dom.js";
import { t, worded } from "../language.js";
import { moved, settle } from "../motion.js";
import { click, rattle } from "../sound.js";
import { capital, does, forWhom, nameOf } from "../words.js";

/** @type {Record<string, string>} */
const WHOSE = { white: "mine", black: "theirs" };
const ROSETTE =
  '<g class="rosette"><path d="M0-15 4-4 15 0 4 4 0 15-4 4-15 0-4-4z"/><path d="M0-15 4-4 15 0 4 4 0 15-4 4-15 0-4-4z" transform="rotate(45)"/><circle r="4"/></g>';
/** @param {boolean} isMarked */
const DIE = (isMarked) =>
  `<path class="ur-die" d="M0-15 15 12H-15z"/>${isMarked ? '<circle class="ur-mark" cy="-8" r="5"/>' : ""}`;

export class Face {
  /** @param {Page.View} view */
  constructor(view) {
    this.view = view;
    this.board = element("div", { class: "path-board", role: "group", "aria-label": t`The board` });
    this.dice = element("p", { class: "path-dice" });
    this.trays = {
      black: element("div", { class: "path-tray theirs" }),
      white: element("div", { class: "path-tray mine" }),
    };
    this.root = element(
      "div",
      { class: "face face-pieces" },
      this.dice,
      this.trays.black,
      this.board,
      this.trays.white,
    );
    /** @type {Api.ActionView[]} */
    this.offered = [];
    this.worths = new Map();
    this.best = new Set();
  }

  /**
   * @param {Page.Moment} moment
   * @param {Page.Line[]} [entries]
   */
  show(moment, entries = []) {
    this.moment = moment;
    const moves = entries.findLastIndex(({ kind }) => kind === "action");
    const before = moves > 0 ? entries[moves - 1] : this.view.start;
    this.last = moves < 0 ? new Set() : changed(before.squares, entries[moves].squares);
    this.worths = new Map();
    this.best = new Set();
    this.draw();
  }

  draw() {
    const focused = focusedData().move;
    const hadFocus = this.root.contains(document.activeElement);
    const { squares } = this.moment;
    this.board.style.setProperty("--columns", String(Math.max(...squares.map(({ column }) => column)) + 1));
    this.board.replaceChildren(...squares.map((square) => this.square(square)));
    for (const [colour, tray] of Object.entries(this.trays)) this.fillTray(tray, colour);
    this.showDice();
    if (!hadFocus) return;
    const next = this.root.querySelector(`[data-move="${focused}"]`) ?? this.root.querySelector("[data-move]");
    /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: true });
  }

  /** @param {Page.Square} square */
  square(square) {
    const action = this.offered.find((one) => isPlace(one.square, square));
    const aims = this.offered.filter((one) => isPlace(one.target, square)).map(({ label }) => label);
    const parts = [
      square.tint === 1 && picture("-18 -18 36 36", ROSETTE, { class: "rosette-mark" }),
      square.shows && disc(square.shows),
      aims.length > 0 && element("i", { class: "aim", "aria-hidden": "true" }),
    ];
    const marks = [
      square.tint === 1 && "special",
      this.last.has(keyOf(square)) && "last",
      aims.length > 0 && "aimed-at",
    ]
      .filter(Boolean)
      .join(" ");
    const made = action
      ? this.mover(action, `path-square ${marks}`, parts)
      : element(
          "div",
          {
            class: `path-square ${marks}`,
            role: "img",
            "aria-label": this.says(square),
          },
          parts,
        );
    made.dataset.aims = aims.join("|");
    made.style.setProperty("--row", String(square.row + 1));
    made.style.setProperty("--column", String(square.column + 1));
    return made;
  }

  /** @param {Page.Square} square */
  says(square) {
    const stands = { white: t`your piece`, black: t`a piece of the other player` }[square.shows] ?? t`empty`;
    const words = [
      square.tint === 1 ? t`Rosette` : t`Square`,
      stands,
      this.last.has(keyOf(square)) && t`the last move`,
    ];
    return words.filter(Boolean).join(", ");
  }

  /**
   * A piece that can be moved, on its square or beside the board.
   * @param {Api.ActionView} action
   * @param {string} classes
   * @param {Page.Child[]} parts
   */
  mover(action, classes, parts) {
    const worth = this.worths.get(action.label);
    const isBest = this.best.has(action.label);
    /** @param {boolean} on */
    const show = (on) => () => this.aim(action.label, on);
    return element(
      "button",
      {
        type: "button",
        class: `${classes} mover${isBest ? " advised" : ""}`,
        "data-move": action.label,
        onclick: () => this.send(action.label),
        onmouseenter: show(true),
        onmouseleave: show(false),
        onfocus: show(true),
        onblur: show(false),
      },
      parts,
      unseen(capital(worded(action.label))),
      worth && element("span", { class: "path-worth" }, worth),
      isBest && unseen(t`, the hint`),
    );
  }

  /**
   * Mark where a piece would go.
   * @param {string} label
   * @param {boolean} on
   */
  aim(label, on) {
    for (const square of /** @type {Iterable<HTMLElement>} */ (this.board.children)) {
      square.classList.toggle("aimed", on && square.dataset.aims.split("|").includes(label));
    }
  }

  /**
   * @param {HTMLElement} tray
   * @param {string} colour
   */
  fillTray(tray, colour) {
    const groups = (this.moment.beside ?? []).filter(({ whose }) => whose === colour);
    const name = colour === "white" ? nameOf(this.view, this.view.you) : nameOf(this.view, 1 - this.view.you);
    tray.replaceChildren(element("strong", {}, name), ...groups.map((group) => this.group(group, colour)));
  }

  /**
   * @param {Api.BesideView} group
   * @param {string} colour
   */
  group({ doing, number }, colour) {
    const entering =
      colour === "white" && doing === "waiting" ? this.offered.find(({ square, target }) => !square && target) : null;
    const discs = element(
      "span",
      { class: "path-pieces", "aria-hidden": "true" },
      Array.from({ length: number }, () => disc(colour)),
    );
    const words = element("span", {}, `${number} ${worded(doing)}`);
    return entering
      ? this.mover(entering, "path-group", [discs, words])
      : element("div", { class: "path-group" }, discs, words);
  }

  showDice() {
    const { throw: thrown } = this.moment;
    this.dice.hidden = !thrown;
    if (!thrown) return;
    const [marked, dice] = thrown;
    this.dice.replaceChildren(
      ...Array.from({ length: dice }, (_, i) => picture("-18 -18 36 36", DIE(i < marked), { class: "path-die" })),
      unseen(t`${marked} of ${dice} dice show their mark.`),
    );
  }

  /** @param {Api.ActionView} action */
  takes(action) {
    return action.square !== null || action.target !== null;
  }

  /**
   * @param {Api.ActionView[]} actions
   * @param {Page.Send} send
   */
  offer(actions, send) {
    const isNew =
      actions.length !== this.offered.length || actions.some((action, i) => action.label !== this.offered[i].label);
    this.offered = actions.filter((action) => this.takes(action));
    this.send = send;
    if (isNew && this.moment) this.draw();
  }

  /**
   * The best moves, and what each is worth beside its piece.
   * @param {string[]} labels
   * @param {[string, string][]} [worths]
   */
  mark(labels, worths = []) {
    this.best = new Set(labels);
    this.worths = new Map(worths);
    this.draw();
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Moment} before
   * @param {Page.Moment} after
   * @param {Page.Hurry} hurry
   */
  async happen(entry, before, after, hurry) {
    this.offered = [];
    this.show(after, this.view.log.slice(0, entry.number + 1));
    if (entry.kind === "event") {
      rattle();
      await Promise.all(
        [...this.dice.children].map((die, i) =>
          moved(
            die,
            [{ transform: `translateY(-24px) rotate(${90 * (i + 1)}deg)` }, { transform: "none" }],
            420,
            hurry,
          ),
        ),
      );
      return settle(300, hurry);
    }
    click();
    await settle(450, hurry);
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Moment} before
   * @param {Page.Moment} after
   */
  tell(entry, before, after) {
    const { view } = this;
    const label = worded(entry.label);
    if (entry.kind === "event" && after.mover !== entry.seat)
      return does(view, entry.seat, t`You throw: ${label}.`, (name) => t`${name} throws: ${label}.`);
    if (entry.kind === "event")
      return does(view, entry.seat, t`You throw ${label}.`, (name) => t`${name} throws ${label}.`);
    const theirs = entry.seat === view.you ? "black" : "white";
    const captures = waiting(after, theirs) > waiting(before, theirs);
    const sentence = captures
      ? t`${nameOf(view, entry.seat)}: ${label}, a capture.`
      : `${nameOf(view, entry.seat)}: ${label}.`;
    return after.mover === entry.seat ? `${sentence} ${t`Another throw.`}` : sentence;
  }

  /** @param {number} seat */
  question(seat) {
    return t`Throw the dice${forWhom(this.view, seat)}. What came up?`;
  }
}

/** @param {Page.Square} square */
const keyOf = ({ row, column }) => `${row},${column}`;
/**
 * @param {[number, number] | null} place
 * @param {Page.Square} square
 */
const isPlace = (place, { row, column }) =>
  place !== null && place !== undefined && place[0] === row && place[1] === column;
/**
 * @param {Page.Moment} moment
 * @param {string} colour
 */
const waiting = ({ beside }, colour) =>
  (beside ?? [])
    .filter(({ doing, whose }) => doing === "waiting" && whose === colour)
    .reduce((sum, { number }) => sum + number, 0);

/**
 * Where another thing stands than before.
 * @param {Page.Square[] | null} before
 * @param {Page.Square[] | null} after
 */
function changed(before, after) {
  const old = new Map((before ?? []).map((square) => [keyOf(square), square.shows]));
  return new Set((after ?? []).filter((square) => old.get(keyOf(square)) !== square.shows).map(keyOf));
}

/** @param {string} colour */
function disc(colour) {
  return picture(
    "-12 -12 24 24",
    `<circle r="10.5"/><circle class="disc-ring" r="6.5"/>${colour === "black" ? '<circle class="disc-dot" r="2.4"/>' : ""}`,
    { class: `disc ${WHOSE[colour] ?? ""}` },
  );
}
