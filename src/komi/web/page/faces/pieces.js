/** The face of games in which pieces move over a board. Selecting a piece moves it to the marked square. */

import { element, focusedData, svgPicture, screenReaderText } from "../dom.js";
import { t, translateServerText } from "../language.js";
import { runAnimation, delay } from "../motion.js";
import { click, rattle } from "../sound.js";
import { capitalize, sentenceFor, forPlayer, nameOf } from "../words.js";

/** @type {Record<string, string>} */
const OWNER_CLASSES = { white: "mine", black: "theirs" };
const ROSETTE =
  '<g class="rosette"><path d="M0-15 4-4 15 0 4 4 0 15-4 4-15 0-4-4z"/><path d="M0-15 4-4 15 0 4 4 0 15-4 4-15 0-4-4z" transform="rotate(45)"/><circle r="4"/></g>';
/** @param {boolean} isMarked */
const dieMarkup = (isMarked) =>
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
   * @param {Page.Snapshot} snapshot
   * @param {Page.Line[]} [entries]
   */
  show(snapshot, entries = []) {
    this.snapshot = snapshot;
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
    const { squares } = this.snapshot;
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
    const incoming = this.offered.filter((one) => isPlace(one.target, square)).map(({ label }) => label);
    const parts = [
      square.tint === 1 && svgPicture("-18 -18 36 36", ROSETTE, { class: "rosette-mark" }),
      square.shows && disc(square.shows),
      incoming.length > 0 && element("i", { class: "aim", "aria-hidden": "true" }),
    ];
    const marks = [
      square.tint === 1 && "special",
      this.last.has(keyOf(square)) && "last",
      incoming.length > 0 && "aimed-at",
    ]
      .filter(Boolean)
      .join(" ");
    const node = action
      ? this.moveButton(action, `path-square ${marks}`, parts)
      : element(
          "div",
          {
            class: `path-square ${marks}`,
            role: "img",
            "aria-label": this.describeSquare(square),
          },
          parts,
        );
    node.dataset.incoming = incoming.join("|");
    node.style.setProperty("--row", String(square.row + 1));
    node.style.setProperty("--column", String(square.column + 1));
    return node;
  }

  /** @param {Page.Square} square */
  describeSquare(square) {
    const content = { white: t`your piece`, black: t`a piece of the other player` }[square.shows] ?? t`empty`;
    const words = [
      square.tint === 1 ? t`Rosette` : t`Square`,
      content,
      this.last.has(keyOf(square)) && t`the last move`,
    ];
    return words.filter(Boolean).join(", ");
  }

  /**
   * Create the button of a piece that can be moved, on its square or beside the board.
   * @param {Api.ActionView} action
   * @param {string} classes
   * @param {Page.Child[]} parts
   */
  moveButton(action, classes, parts) {
    const worth = this.worths.get(action.label);
    const isBest = this.best.has(action.label);
    /** @param {boolean} on */
    const show = (on) => () => this.highlightTarget(action.label, on);
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
      screenReaderText(capitalize(translateServerText(action.label))),
      worth && element("span", { class: "path-worth" }, worth),
      isBest && screenReaderText(t`, the hint`),
    );
  }

  /**
   * Highlight the target square of a piece.
   * @param {string} label
   * @param {boolean} on
   */
  highlightTarget(label, on) {
    for (const square of /** @type {Iterable<HTMLElement>} */ (this.board.children)) {
      square.classList.toggle("aimed", on && square.dataset.incoming.split("|").includes(label));
    }
  }

  /**
   * @param {HTMLElement} tray
   * @param {string} colour
   */
  fillTray(tray, colour) {
    const groups = (this.snapshot.beside ?? []).filter(({ whose }) => whose === colour);
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
    const words = element("span", {}, `${number} ${translateServerText(doing)}`);
    return entering
      ? this.moveButton(entering, "path-group", [discs, words])
      : element("div", { class: "path-group" }, discs, words);
  }

  showDice() {
    const { throw: thrown } = this.snapshot;
    this.dice.hidden = !thrown;
    if (!thrown) return;
    const [marked, dice] = thrown;
    this.dice.replaceChildren(
      ...Array.from({ length: dice }, (_, i) =>
        svgPicture("-18 -18 36 36", dieMarkup(i < marked), { class: "path-die" }),
      ),
      screenReaderText(t`${marked} of ${dice} dice show their mark.`),
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
    if (isNew && this.snapshot) this.draw();
  }

  /**
   * Mark the best moves, and show the value of each move beside its piece.
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
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   * @param {Page.SkipSignal} skip
   */
  async animate(entry, before, after, skip) {
    this.offered = [];
    this.show(after, this.view.log.slice(0, entry.number + 1));
    if (entry.kind === "event") {
      rattle();
      await Promise.all(
        [...this.dice.children].map((die, i) =>
          runAnimation(
            die,
            [{ transform: `translateY(-24px) rotate(${90 * (i + 1)}deg)` }, { transform: "none" }],
            420,
            skip,
          ),
        ),
      );
      return delay(300, skip);
    }
    click();
    await delay(450, skip);
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   */
  describe(entry, before, after) {
    const { view } = this;
    const label = translateServerText(entry.label);
    if (entry.kind === "event" && after.mover !== entry.seat)
      return sentenceFor(view, entry.seat, t`You throw: ${label}.`, (name) => t`${name} throws: ${label}.`);
    if (entry.kind === "event")
      return sentenceFor(view, entry.seat, t`You throw ${label}.`, (name) => t`${name} throws ${label}.`);
    const theirs = entry.seat === view.you ? "black" : "white";
    const captures = waiting(after, theirs) > waiting(before, theirs);
    const sentence = captures
      ? t`${nameOf(view, entry.seat)}: ${label}, a capture.`
      : `${nameOf(view, entry.seat)}: ${label}.`;
    return after.mover === entry.seat ? `${sentence} ${t`Another throw.`}` : sentence;
  }

  /** @param {number} seat */
  question(seat) {
    return t`Throw the dice${forPlayer(this.view, seat)}. What came up?`;
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
 * @param {Page.Snapshot} snapshot
 * @param {string} colour
 */
const waiting = ({ beside }, colour) =>
  (beside ?? [])
    .filter(({ doing, whose }) => doing === "waiting" && whose === colour)
    .reduce((sum, { number }) => sum + number, 0);

/**
 * Return the keys of the squares whose content has changed.
 * @param {Page.Square[] | null} before
 * @param {Page.Square[] | null} after
 */
function changed(before, after) {
  const old = new Map((before ?? []).map((square) => [keyOf(square), square.shows]));
  return new Set((after ?? []).filter((square) => old.get(keyOf(square)) !== square.shows).map(keyOf));
}

/** @param {string} colour */
function disc(colour) {
  return svgPicture(
    "-12 -12 24 24",
    `<circle r="10.5"/><circle class="disc-ring" r="6.5"/>${colour === "black" ? '<circle class="disc-dot" r="2.4"/>' : ""}`,
    { class: `disc ${OWNER_CLASSES[colour] ?? ""}` },
  );
}
