/** The game log: a line for each turn, the newest first. */

import { element, screenReaderText } from "./dom.js";
import { t } from "./language.js";
import { chip, isColour } from "./pictures.js";
import { HIDDEN } from "./snapshots.js";
import { displayText, nameOf } from "./words.js";

export class History {
  /** @param {Page.View} view */
  constructor(view) {
    this.view = view;
    this.list = element("ol", { class: "turns", reversed: true });
    this.root = element(
      "section",
      { class: "panel history", "aria-labelledby": "history-title" },
      element("h2", { id: "history-title" }, t`Game log`),
      element(
        "div",
        { class: "scroll", tabindex: "0", role: "group", "aria-label": t`Turns, newest first` },
        this.list,
      ),
    );
  }

  /** @param {number} length */
  show(length) {
    const turns = turnsOf(this.view.log.slice(0, length).filter((entry) => entry.label !== HIDDEN || entry.revealed));
    this.list.replaceChildren(...turns.map((turn) => this.item(turn)).reverse());
    if (turns.length === 0) this.list.append(element("li", { class: "small" }, t`Nothing yet.`));
  }

  /** @param {Page.Line[]} turn */
  item(turn) {
    return element(
      "li",
      { class: turn[0].seat === this.view.you ? "mine" : "theirs" },
      element("strong", {}, nameOf(this.view, turn[0].seat)),
      element(
        "span",
        { class: "marks" },
        labelsOf(turn.filter((entry) => entry.label !== HIDDEN)).map((eventLabel) => this.eventLabel(eventLabel)),
      ),
      turn
        .filter((entry) => entry.revealed)
        .map((entry) => element("span", { class: "small" }, displayText(entry.revealed, this.view.face))),
    );
  }

  /** @param {{ entry: Page.Line, times: number }} eventLabel */
  eventLabel({ entry, times }) {
    const words = displayText(entry.label, this.view.face) + (times > 1 ? ` × ${times}` : "");
    const drawn = entry.kind === "event" && isColour(entry.label) && this.view.face === "bag";
    return element(
      "span",
      { class: `mark mark-${entry.kind}`, title: drawn ? words : null },
      drawn
        ? [Array.from({ length: times }, () => chip(entry.label)), screenReaderText(`${words}, `)]
        : [words, screenReaderText(", ")],
    );
  }
}

/**
 * List the labels of a turn and merge repeated ones. An action that is followed by an event is represented by the event.
 * @param {Page.Line[]} turn
 */
function labelsOf(turn) {
  /** @type {{ entry: Page.Line, times: number }[]} */
  const labels = [];
  turn.forEach((entry, i) => {
    if (entry.kind === "action" && turn[i + 1]?.kind === "event") return;
    const last = labels.at(-1);
    if (last?.entry.label === entry.label && !/^\d/.test(entry.label)) last.times++;
    else labels.push({ entry, times: 1 });
  });
  return labels;
}

/** @param {Page.Line[]} log */
function turnsOf(log) {
  /** @type {Page.Line[][]} */
  const turns = [];
  let isNewTurn = true;
  for (const entry of log) {
    if (isNewTurn || turns.at(-1)[0].seat !== entry.seat) turns.push([]);
    turns.at(-1).push(entry);
    isNewTurn = entry.mover !== entry.seat;
  }
  return turns;
}
