/** The race track: a lane for each player, with the points at risk hatched ahead of the safe ones. */

import { element, svgPicture } from "./dom.js";
import { formatNumber, t } from "./language.js";
import { tokenMarkup } from "./pictures.js";
import { standing } from "./snapshots.js";
import { formatCount, nameOf } from "./words.js";

const MAX_MILESTONES = 6; // for goals over 1000

/** The lanes of a race; `show` moves the tokens. */
export class Race {
  /** @param {Page.View} view */
  constructor(view) {
    this.view = view;
    this.goal = view.rules.goal;
    this.lanes = Array.from({ length: view.players }, (_, seat) => new Lane(view, seat, this.goal));
    const order = this.lanes.map((_, i) => this.lanes[(view.you + i) % view.players]);
    this.root = element(
      "div",
      { class: "race" },
      order.map((lane) => lane.root),
    );
  }

  /** @param {Page.Snapshot} snapshot */
  show(snapshot) {
    const now = standing(snapshot);
    this.lanes.forEach((lane, seat) => {
      const atRisk = now.seat === seat && snapshot.mover !== null ? now.turn : 0;
      lane.show(now.scores[seat], atRisk, snapshot.mover === seat);
    });
  }
}

class Lane {
  /**
   * @param {Page.View} view
   * @param {number} seat
   * @param {number} goal
   */
  constructor(view, seat, goal) {
    this.goal = goal;
    this.name = nameOf(view, seat);
    this.score = element("output", { class: "score" });
    this.risk = element("span", { class: "risk" });
    this.token = svgPicture("0 0 64 38", tokenMarkup(view.face), { class: `token seat-${seat}` });
    this.track = element(
      "div",
      { class: "track", "aria-hidden": "true" },
      element("div", { class: "safe" }),
      element("div", { class: "hatched" }),
      milestones(goal),
      this.token,
    );
    this.turn = element("span", { class: "to-move" }, t`to move`);
    this.root = element(
      "div",
      { class: `lane ${seat === view.you ? "mine" : "theirs"}`, role: "group", "aria-label": this.name },
      element(
        "div",
        { class: "lane-head" },
        element("strong", {}, this.name),
        this.turn,
        this.risk,
        this.score,
        element("small", {}, t`of ${goal}`),
      ),
      this.track,
    );
  }

  /**
   * @param {number} score
   * @param {number} atRisk
   * @param {boolean} isMover
   */
  show(score, atRisk, isMover) {
    /** @param {number} points */
    const share = (points) => Math.min(points / this.goal, 1);
    this.track.style.setProperty("--safe", String(share(score)));
    this.track.style.setProperty("--at", String(share(score + atRisk)));
    this.score.textContent = formatNumber(score);
    this.risk.textContent = atRisk > 0 ? t`${atRisk} at risk` : "";
    this.turn.hidden = !isMover;
    this.root.classList.toggle("moving", isMover);
    this.score.setAttribute("aria-label", formatCount(score, "point"));
  }
}

/** @param {number} goal */
function milestones(goal) {
  const step =
    goal <= 12 ? 1 : goal <= 60 ? 10 : goal <= 150 ? 25 : goal <= 1000 ? 100 : roundStep(goal / MAX_MILESTONES);
  const marks = [];
  for (let points = step; points < goal; points += step) {
    const mark = element("i", { class: "milestone" }, goal <= 12 ? "" : formatNumber(points));
    mark.style.setProperty("--place", String(points / goal));
    marks.push(mark);
  }
  return marks;
}

/**
 * Return the smallest of 1, 2, 5, 10, 20, 50, ... that is at least `min`.
 * @param {number} min
 */
function roundStep(min) {
  const power = 10 ** Math.floor(Math.log10(min));
  return power * [1, 2, 5, 10].find((digit) => digit * power >= min);
}
