/** Learning from mistakes: each costly decision is asked again, and only then comes the answer. */

import { announce, element } from "./dom.js";
import { faceOf } from "./faces/faces.js";
import { t, tn } from "./language.js";
import { Race } from "./race.js";
import { because } from "./reasons.js";
import { momentAfter, standing } from "./standing.js";
import { worthBars } from "./worth.js";
import { capital, inColours, measureOf } from "./words.js";

const COSTLY = 0.01; // a chance of winning, or a share of what the game was worth
/** @type {Record<number, string>} */
const OUTCOMES = { 0: t`a loss`, 0.5: t`a draw`, 1: t`a win` };

/**
 * The decisions that cost so much that something is to be learnt from them, in the order in which they were made.
 * @param {Api.DecisionView[]} decisions
 * @param {Page.View} view
 * @param {number} start
 */
export function lessonsOf(decisions, view, start) {
  const least = measureOf(view).isChance ? COSTLY : COSTLY * Math.abs(start);
  return decisions.filter((one) => one.seat === view.you && one.loss > least).sort((a, b) => a.number - b.number);
}

export class Coach {
  /**
   * @param {Page.View} view
   * @param {Api.DecisionView[]} lessons
   */
  constructor(view, lessons) {
    this.view = view;
    this.lessons = lessons;
    this.measure = measureOf(view);
    this.index = 0;
    this.found = 0;
    this.begin = element(
      "button",
      { type: "button", class: "primary", onclick: () => this.showQuestion() },
      t`Learn from your mistakes`,
    );
    this.root = element(
      "div",
      { class: `coach stage-${view.face}` },
      element(
        "p",
        {},
        this.measure.isChance
          ? tn(
              lessons.length,
              "{0} decision cost more than 1 percentage point: find what was better.",
              "{0} decisions cost more than 1 percentage point: find what was better.",
            )
          : tn(
              lessons.length,
              "{0} decision cost more than 1 %: find what was better.",
              "{0} decisions cost more than 1 %: find what was better.",
            ),
      ),
      this.begin,
    );
  }

  async showQuestion() {
    const lesson = this.lessons[this.index];
    const face = await faceOf(this.view);
    const moment = momentAfter(this.view, lesson.number);
    const race = standing(moment) && this.view.rules.goal ? new Race(this.view) : null;
    face.show(moment, this.view.log.slice(0, lesson.number));
    race?.show(moment);
    this.answers = element(
      "div",
      { class: "actions coach-answers", role: "group", "aria-label": t`Your answer` },
      Object.keys(lesson.worth)
        .sort()
        .map((label) =>
          element(
            "button",
            {
              type: "button",
              "data-answer": label,
              onclick: () => this.answer(lesson, label),
            },
            capital(inColours(label, this.view.face)),
          ),
        ),
    );
    this.said = element(
      "p",
      { class: "coach-said", tabindex: "-1" },
      t`Decision ${this.index + 1} of ${this.lessons.length}, step ${lesson.number}: what is best here?`,
    );
    this.root.replaceChildren(race?.root ?? "", element("div", { class: "stage" }, face.root), this.said, this.answers);
    this.said.focus({ preventScroll: true });
  }

  /**
   * @param {Api.DecisionView} lesson
   * @param {string} label
   */
  answer(lesson, label) {
    const { best, chosen, worth } = lesson;
    const isFound = worth[label] === worth[best];
    if (isFound) this.found++;
    this.index++;
    this.said.textContent = this.sentence(lesson, worth, label, isFound);
    announce(this.said.textContent);
    const actions = Object.entries(worth).map(([each, value]) => ({ label: each, worth: value }));
    const next =
      this.index < this.lessons.length
        ? element("button", { type: "button", class: "primary", onclick: () => this.showQuestion() }, t`Next`)
        : element("p", { class: "coach-end" }, t`You found ${this.found} of ${this.lessons.length}.`);
    this.answers.replaceWith(worthBars(actions, { best, chosen }, this.view), next);
    this.said.focus({ preventScroll: true });
  }

  /**
   * Built from the exact numbers: what the answer is worth beside the best, or beside what was done in the game.
   * @param {Api.DecisionView} lesson
   * @param {Record<string, number>} worth
   * @param {string} label
   * @param {boolean} isFound
   */
  sentence({ best, chosen, reasons }, worth, label, isFound) {
    /** @param {string} each */
    const name = (each) =>
      each === chosen
        ? t`${inColours(each, this.view.face)} (your choice in the game)`
        : inColours(each, this.view.face);
    /** @param {string} each */
    const describe = (each) => {
      const outcome = this.outcome(worth[each]);
      return outcome ? t`${name(each)} is ${outcome}` : t`${name(each)} is worth ${this.measure.tell(worth[each])}`;
    };
    const said = isFound
      ? t`Right: ${describe(label)}; ${describe(chosen)}.`
      : t`No: ${describe(label)}; ${describe(best)}.`;
    return said + because([label, isFound ? chosen : best], reasons, this.view);
  }

  /**
   * Without chance in the game it is certain what comes.
   * @param {number} worth
   */
  outcome(worth) {
    return this.view.log.some((entry) => entry.kind === "event") ? null : OUTCOMES[worth];
  }
}
