/** All that has happened, a line for each turn, the newest first. */

import { element, unseen } from "./dom.js";
import { t } from "./language.js";
import { chip, isColour } from "./pictures.js";
import { HIDDEN } from "./standing.js";
import { inColours, nameOf } from "./words.js";

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
    const turns = turnsOf(this.view.log.slice(0, length).filter((entry) => entry.label !== HIDDEN));
    this.list.replaceChildren(...turns.map((turn) => this.line(turn)).reverse());
    if (turns.length === 0) this.list.append(element("li", { class: "small" }, t`Nothing yet.`));
  }

  /** @param {Page.Line[]} turn */
  line(turn) {
    return element(
      "li",
      { class: turn[0].seat === this.view.you ? "mine" : "theirs" },
      element("strong", {}, nameOf(this.view, turn[0].seat)),
      element(
        "span",
        { class: "marks" },
        marksOf(turn).map((mark) => this.mark(mark)),
      ),
    );
  }

  /** @param {{ entry: Page.Line, times: number }} mark */
  mark({ entry, times }) {
    const words = inColours(entry.label, this.view.face) + (times > 1 ? ` × ${times}` : "");
    const drawn = entry.kind === "event" && isColour(entry.label) && this.view.face === "bag";
    return element(
      "span",
      { class: `mark mark-${entry.kind}`, title: drawn ? words : null },
      drawn ? [Array.from({ length: times }, () => chip(entry.label)), unseen(`${words}, `)] : [words, unseen(", ")],
    );
  }
}

/**
 * What happened in a turn, without repeated words; an action with an event after it is described by the event.
 * @param {Page.Line[]} turn
 */
function marksOf(turn) {
  /** @type {{ entry: Page.Line, times: number }[]} */
  const marks = [];
  turn.forEach((entry, i) => {
    if (entry.kind === "action" && turn[i + 1]?.kind === "event") return;
    const last = marks.at(-1);
    if (last?.entry.label === entry.label && !/^\d/.test(entry.label)) last.times++;
    else marks.push({ entry, times: 1 });
  });
  return marks;
}

/** @param {Page.Line[]} log */
function turnsOf(log) {
  /** @type {Page.Line[][]} */
  const turns = [];
  let passed = true;
  for (const entry of log) {
    if (passed || turns.at(-1)[0].seat !== entry.seat) turns.push([]);
    turns.at(-1).push(entry);
    passed = entry.mover !== entry.seat;
  }
  return turns;
}
