/** The strip of Traffic Lights 3, which can be dragged to another edge and turned, also by keyboard. */

import { element } from "../dom.js";
import { t } from "../language.js";
import { keyOf, placeOn } from "./squares.js";

/** @type {Record<string, string>} */
const EDGES = {
  N: t`The strip at the top`,
  E: t`The strip at the right`,
  S: t`The strip at the bottom`,
  W: t`The strip at the left`,
};
/** @type {Record<string, string>} */
const ARROWS = { ArrowUp: "N", ArrowRight: "E", ArrowDown: "S", ArrowLeft: "W" };
const DRAG_THRESHOLD = 12; // pixels that a pointer has to move before a drag starts

export class Strip {
  /** @param {import("./board.js").Face} board */
  constructor(board) {
    this.board = board;
    /** @type {string[]} */
    this.labels = [];
    /** @type {{ edge: string, turned: boolean } | null} */
    this.plan = null;
    this.status = element("p", { class: "strip-words", role: "status" });
    this.turnButton = element("button", { type: "button", onclick: () => this.turn() }, t`Turn it around`);
    this.placeButton = element(
      "button",
      { type: "button", class: "primary", onclick: () => this.place() },
      t`Place it here`,
    );
    this.cancelButton = element("button", { type: "button", onclick: () => this.cancel() }, t`Back`);
    this.moveButton = element("button", { type: "button", onclick: () => this.pickUp(this.edge) }, t`Move the strip`);
    this.bar = element(
      "div",
      { class: "strip-bar", role: "group", "aria-label": t`The strip`, onkeydown: (event) => this.handleKey(event) },
      this.status,
      element("div", { class: "row" }, this.moveButton, this.placeButton, this.turnButton, this.cancelButton),
    );
    this.showBar();
  }

  get isBusy() {
    return this.plan !== null;
  }

  get edge() {
    const { row, column } = this.board.squares.find((square) => square.tint === 1);
    return row === -1 ? "N" : row === 3 && column < 3 ? "S" : column === -1 ? "W" : "E";
  }

  /** @param {string[]} labels */
  offer(labels) {
    this.labels = labels;
    this.plan = null;
    this.showBar();
  }

  /**
   * @param {string} edge
   * @param {boolean} [turned]
   */
  pickUp(edge, turned = false) {
    if (this.labels.length === 0) return;
    this.plan = { edge, turned };
    this.showPreview();
    this.placeButton.focus();
  }

  turn() {
    this.plan.turned = !this.plan.turned;
    this.showPreview();
  }

  place() {
    const label = this.label();
    if (!this.labels.includes(label)) return;
    this.plan = null;
    this.showBar();
    this.board.send(label);
  }

  cancel() {
    this.plan = null;
    this.board.draw(this.board.squares);
    this.showBar();
    this.moveButton.focus();
  }

  label() {
    const { edge, turned } = this.plan;
    if (edge === this.edge) return turned ? "turn strip" : "";
    return `strip to ${edge}${turned ? " turned" : ""}`;
  }

  /** Show the board as it would be after the move. */
  showPreview() {
    const { edge, turned } = this.plan;
    const strip = this.board.squares.filter((square) => square.tint === 1).map((square) => square.shows);
    if (turned) strip.reverse();
    const moved = strip.map((shows, i) => ({ ...placeOn(edge, i), shows, tint: 1 }));
    this.board.draw([...this.board.squares.filter((square) => square.tint !== 1), ...moved], new Set(moved.map(keyOf)));
    this.showBar();
  }

  showBar() {
    const canMove = this.labels.length > 0;
    this.moveButton.hidden = this.isBusy || !canMove;
    for (const button of [this.placeButton, this.turnButton, this.cancelButton]) button.hidden = !this.isBusy;
    this.bar.hidden = !canMove;
    if (!this.isBusy) {
      this.status.textContent = canMove ? t`Or drag the strip to another edge.` : "";
      return;
    }
    const legal = this.labels.includes(this.label());
    this.placeButton.setAttribute("aria-disabled", String(!legal));
    this.status.textContent =
      `${EDGES[this.plan.edge]}${this.plan.turned ? t`, turned around` : ""}.` +
      (legal ? "" : t` That changes nothing.`);
  }

  /**
   * Create the drop targets at the edges of the board.
   * @param {number} minIndex
   */
  dropTargets(minIndex) {
    if (!this.dragging) return [];
    return Object.keys(EDGES).map((edge) => {
      const target = element("div", { class: "drop", "data-edge": edge });
      const first = placeOn(edge, 0);
      const last = placeOn(edge, 2);
      target.style.gridRow = `${first.row - minIndex + 1} / ${last.row - minIndex + 2}`;
      target.style.gridColumn = `${first.column - minIndex + 1} / ${last.column - minIndex + 2}`;
      return target;
    });
  }

  /** @param {HTMLElement} square */
  makeDraggable(square) {
    square.addEventListener("pointerdown", (event) => {
      if (this.labels.length === 0 || event.button !== 0) return;
      const start = { x: event.clientX, y: event.clientY };
      /** @param {PointerEvent} moved */
      const follow = (moved) => this.follow(moved, start);
      const drop = () => {
        removeEventListener("pointermove", follow);
        removeEventListener("pointerup", drop);
        removeEventListener("pointercancel", drop);
        if (this.dragging) this.drop();
      };
      addEventListener("pointermove", follow);
      addEventListener("pointerup", drop);
      addEventListener("pointercancel", drop);
    });
  }

  /**
   * @param {PointerEvent} event
   * @param {{ x: number, y: number }} start
   */
  follow(event, start) {
    if (!this.dragging && Math.hypot(event.clientX - start.x, event.clientY - start.y) < DRAG_THRESHOLD) return;
    if (!this.dragging) {
      this.dragging = true;
      this.board.grid.setPointerCapture(event.pointerId); // prevents a click on a square at the end of the drag
      this.plan ??= { edge: this.edge, turned: false };
    }
    const edge = this.edgeAt(event.clientX, event.clientY);
    if (edge !== this.plan.edge || !this.board.grid.querySelector(".drop")) {
      this.plan.edge = edge;
      this.showPreview();
    }
  }

  drop() {
    this.dragging = false;
    if (this.plan.edge === this.edge && !this.plan.turned) this.cancel();
    else this.pickUp(this.plan.edge, this.plan.turned);
  }

  /**
   * Return the edge that is nearest to a point.
   * @param {number} x
   * @param {number} y
   */
  edgeAt(x, y) {
    const box = this.board.grid.getBoundingClientRect();
    const right = x - box.x - box.width / 2;
    const down = y - box.y - box.height / 2;
    if (Math.abs(right) > Math.abs(down)) return right > 0 ? "E" : "W";
    return down > 0 ? "S" : "N";
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    if (!this.isBusy) return;
    if (event.key in ARROWS) {
      this.plan.edge = ARROWS[event.key];
      this.showPreview();
    } else if (event.key === "t") this.turn();
    else if (event.key === "Escape") this.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
