/** The face of games whose rules declare what lies on the table: cards, dice, tokens, stacks, counters, tracks and squares. */

import { element, focusedData } from "../dom.js";
import { formatNumber, t } from "../language.js";
import { delay } from "../motion.js";
import { dieSide, drawingOf } from "../pictures.js";
import { flick, rattle } from "../sound.js";
import { capitalize, displayText, nameOf } from "../words.js";
import { shortName } from "./squares.js";

const RED_SUITS = /[♥♦]/;

export class Face {
  /** @param {Page.View} view */
  constructor(view) {
    this.view = view;
    this.root = element("div", { class: "face face-items" });
    /** @type {Api.ItemView[]} */
    this.items = [];
    /** @type {Api.ActionView[]} */
    this.offered = [];
    /** @type {string[]} */
    this.advised = [];
    this.hadFocus = false;
  }

  /**
   * @param {Page.Snapshot} snapshot
   * @param {Page.Line[]} [entries]
   */
  show({ table }, entries = []) {
    this.items = [...(table ?? []), ...laidBy(entries)];
    this.draw();
  }

  /**
   * Return whether an action is taken by its item, and needs no other button.
   * @param {Api.ActionView} action
   */
  takes(action) {
    return action.item !== null;
  }

  /**
   * @param {Api.ActionView[]} actions
   * @param {Page.Send} send
   */
  offer(actions, send) {
    this.offered = actions.filter((action) => this.takes(action));
    this.send = send;
    this.advised = [];
    this.draw();
  }

  /**
   * Mark the items of the actions with these labels.
   * @param {string[]} labels
   */
  mark(labels) {
    this.advised = labels;
    this.draw();
  }

  draw() {
    const { you, players } = this.view;
    const { label } = focusedData();
    this.hadFocus ||= this.root.contains(document.activeElement);
    const owners = [...Array.from({ length: players - 1 }, (_, i) => (you + 1 + i) % players), null, you];
    const indexed = this.items.map((item, i) => ({ ...item, i }));
    this.root.replaceChildren(
      ...owners
        .map((owner) => ({ owner, items: indexed.filter((item) => this.zoneOf(item) === owner) }))
        .filter(({ items }) => items.length > 0)
        .map(({ owner, items }) => this.zone(owner, items)),
    );
    const buttons = [...this.root.querySelectorAll("button")];
    if (!this.hadFocus || buttons.length === 0) return;
    this.hadFocus = false;
    if (document.activeElement === document.body)
      (buttons.find((button) => button.dataset.label === label) ?? buttons[0]).focus({ preventScroll: true });
  }

  /**
   * Return the owner beside whose things an item lies: for a token on squares, that of the squares.
   * @param {Api.ItemView} item
   */
  zoneOf(item) {
    const square = this.items.find(({ kind, place }) => kind === "square" && place === item.place);
    return square && item.kind === "token" && isOnSquares(item) ? square.owner : item.owner;
  }

  /**
   * Draw what belongs to one player, or to nobody, place by place.
   * @param {number | null} owner
   * @param {(Api.ItemView & { i: number })[]} items
   */
  zone(owner, items) {
    const name = owner !== null && this.view.players > 1 ? nameOf(this.view, owner) : "";
    const places = [...new Set(items.map(({ place }) => place))];
    return element(
      "section",
      { class: `zone ${owner === this.view.you ? "mine" : ""}`, "aria-label": name || t`On the table` },
      name && element("h2", {}, name),
      places.map((place) =>
        this.group(
          place,
          items.filter((item) => item.place === place),
        ),
      ),
    );
  }

  /**
   * Draw the items of one place: squares in their rows, all others in a line.
   * @param {string} place
   * @param {(Api.ItemView & { i: number })[]} items
   */
  group(place, items) {
    const title = displayText(place, "items");
    const squares = items.filter(isOnSquares);
    const others = items.filter((item) => !isOnSquares(item));
    const cells = new Set(squares.map(({ numbers }) => String(numbers)));
    return element(
      "div",
      { class: "item-group", role: "group", "aria-label": title || null },
      title && element("p", { class: "item-place", "aria-hidden": "true" }, title),
      others.length > 0 &&
        element(
          "ul",
          { class: "item-row" },
          others.map((item) => element("li", {}, this.item(item))),
        ),
      squares.length > 0 &&
        element(
          "ul",
          { class: "item-grid" },
          [...cells].map((cell) => {
            const found = squares.filter(({ numbers }) => String(numbers) === cell);
            const square = element(
              "li",
              {},
              found.map((item) => this.item(item)),
            );
            [square.style.gridRow, square.style.gridColumn] = found[0].numbers.map((number) => String(number + 1));
            return square;
          }),
        ),
    );
  }

  /** @param {Api.ItemView & { i: number }} item */
  item(item) {
    const action = this.offered.find((each) => each.item === item.i);
    const isToken = item.kind === "token" && isOnSquares(item);
    const name = isToken && item.owner !== null ? `${spoken(item)} · ${nameOf(this.view, item.owner)}` : spoken(item);
    const look = `item item-${item.kind}${item.text === "" ? " is-blank" : ""}${isToken ? ` on-square seat-${item.owner}` : ""}`;
    if (!action) return element("span", { class: look, role: "img", "aria-label": name }, drawing(item));
    const isAdvised = this.advised.includes(action.label);
    const label = capitalize(displayText(action.label, "items"));
    return element(
      "button",
      {
        type: "button",
        class: `${look}${isAdvised ? " advised" : ""}`,
        "data-label": action.label,
        "aria-label": [`${label}: ${name}`, isAdvised && t`the hint`].filter(Boolean).join(", "),
        onclick: () => this.send(action.label),
      },
      drawing(item),
    );
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   * @param {Page.SkipSignal} skip
   */
  async animate(entry, before, after, skip) {
    const kinds = (entry.laid ?? []).map(({ kind }) => kind);
    if (kinds.includes("die")) rattle();
    else if (entry.kind === "event") flick();
    this.show(after, this.view.log.slice(0, entry.number + 1));
    await delay(450, skip);
  }

  /** @returns {string | null} */
  describe() {
    return null;
  }
}

/** @param {Api.ItemView} item */
const isOnSquares = ({ kind, numbers }) => kind === "square" || (kind === "token" && numbers.length > 0);

/**
 * Return what chance has put on the table: all items of the last event, and the cards of the turn before it.
 * @param {Page.Line[]} entries
 */
function laidBy(entries) {
  /** @type {Api.ItemView[]} */
  let laid = [];
  for (let i = entries.length - 1; i >= 0 && entries[i].seat === entries.at(-1).seat; i--) {
    const found = entries[i].laid ?? [];
    laid = [...(laid.length > 0 ? found.filter(({ kind }) => kind === "card") : found), ...laid];
  }
  return laid;
}

/**
 * Split "red: hit" into its picture, the name of the picture, and the rest. A text whose beginning has no drawing is all rest.
 * @param {string} text
 */
function partsOf(text) {
  const [name, ...rest] = text.split(": ");
  const picture = drawingOf(name);
  return picture ? { picture, name, rest: rest.join(": ") } : { picture: null, name: "", rest: text };
}

/**
 * Return what a screen reader says of an item.
 * @param {Api.ItemView} item
 */
function spoken({ kind, text, numbers: [number, other] }) {
  const { name, rest } = partsOf(text);
  const shown = [name, rest]
    .filter(Boolean)
    .map((part) => displayText(part, "items"))
    .join(": ");
  /** @type {Record<string, () => string>} */
  const words = {
    card: () => (text ? t`the card ${shown}` : t`a card, face down`),
    die: () => (text ? t`a die that shows ${shown}` : t`a die, hidden or not rolled`),
    stack: () => `${formatNumber(number)} ${shown}`,
    counter: () => `${formatNumber(number)} ${shown}`,
    track: () => t`${shown}: ${number} of ${other}`,
    square: () => `${shortName({ row: number, column: other, tint: 0 })}: ${shown || t`empty`}`,
    token: () => (number === undefined ? shown : `${shortName({ row: number, column: other, tint: 0 })}: ${shown}`),
  };
  return words[kind]?.() ?? shown;
}

/**
 * Draw an item, and what the beginning of its text names.
 * @param {Api.ItemView} item
 */
function drawing(item) {
  const {
    kind,
    text,
    numbers: [number, other],
  } = item;
  const { picture, rest } = partsOf(text);
  const shown = displayText(rest, "items");
  if (kind === "token" && isOnSquares(item)) return [picture, element("span", {}, capitalize(shown).slice(0, 1))];
  if (kind === "card") {
    const face = element("span", { class: RED_SUITS.test(text) ? "red-suit" : "" }, shown);
    face.style.setProperty("--letters", String(shown.length || 1));
    return face;
  }
  if (kind === "die") return /^[1-6]$/.test(text) ? dieSide(Number(text)) : element("span", {}, shown);
  if (kind === "stack" || kind === "counter")
    return [element("strong", {}, formatNumber(number)), " ", element("small", {}, picture, shown)];
  if (kind === "track") {
    const way = element("span", { class: "item-way" });
    way.style.setProperty("--at", String(number / Math.max(other, 1)));
    return [element("small", {}, picture, `${capitalize(shown)} `, element("strong", {}, `${number} / ${other}`)), way];
  }
  return [picture, shown && element("span", {}, shown)];
}
