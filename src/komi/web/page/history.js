/** All that has happened, a line for each turn, the newest first. */

import { element, unseen } from "./dom.js";
import { chip, isColour } from "./pictures.js";
import { inColours, nameOf } from "./words.js";

export class History {
  constructor(view) {
    this.view = view;
    this.list = element("ol", { class: "turns", reversed: true });
    this.root = element("section", { class: "panel history", "aria-labelledby": "history-title" },
      element("h2", { id: "history-title" }, "What has happened"),
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": "history-title" }, this.list));
  }

  show(length) {
    const turns = turnsOf(this.view.log.slice(0, length).filter((entry) => entry.label !== "hidden"));
    this.list.replaceChildren(...turns.map((turn) => this.line(turn)).reverse());
    if (turns.length === 0) this.list.append(element("li", { class: "small" }, "Nothing yet."));
  }

  line(turn) {
    return element("li", { class: turn[0].seat === this.view.you ? "mine" : "theirs" },
      element("strong", {}, nameOf(this.view, turn[0].seat)),
      element("span", { class: "marks" }, turn.filter((entry, i) => !isAnswered(entry, turn[i + 1])).map((entry) => this.mark(entry))));
  }

  mark(entry) {
    const words = inColours(entry.label, this.view.face);
    const drawn = entry.kind === "event" && isColour(entry.label) && this.view.face === "bag";
    return element("span", { class: `mark mark-${entry.kind}`, title: drawn ? words : null }, drawn ? [chip(entry.label), unseen(`${words}, `)] : [words, unseen(", ")]);
  }
}

/** An action whose event follows is said by the event. */
function isAnswered(entry, next) {
  return entry.kind === "action" && next?.kind === "event";
}

function turnsOf(log) {
  const turns = [];
  let passed = true;
  for (const entry of log) {
    if (passed || turns.at(-1)[0].seat !== entry.seat) turns.push([]);
    turns.at(-1).push(entry);
    passed = entry.mover !== entry.seat;
  }
  return turns;
}
