/** "Learn from your mistakes": ask about each costly decision again, then show the answer. */

import { announce, element } from "./dom.js";
import { faceOf } from "./faces/faces.js";
import { t, tn } from "./language.js";
import { Race } from "./race.js";
import { explainValues } from "./reasons.js";
import { snapshotAfter, standing } from "./snapshots.js";
import { worthBars } from "./worth.js";
import { capitalize, displayText, measureOf } from "./words.js";

const MIN_LOSS = 0.01; // in chance of winning, or as a fraction of the value of the game
/** @type {Record<number, string>} */
const OUTCOMES = { 0: t`a loss`, 0.5: t`a draw`, 1: t`a win` };

/**
 * List the decisions with a considerable loss, in the order in which they were made.
 * @param {Api.DecisionView[]} decisions
 * @param {Page.View} view
 * @param {number} start
 */
export function costlyDecisions(decisions, view, start) {
  const minLoss = measureOf(view).isChance ? MIN_LOSS : MIN_LOSS * Math.abs(start);
  return decisions.filter((one) => one.seat === view.you && one.loss > minLoss).sort((a, b) => a.number - b.number);
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
    this.foundCount = 0;
    this.startButton = element(
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
      this.startButton,
    );
  }

  async showQuestion() {
    const lesson = this.lessons[this.index];
    const face = await faceOf(this.view);
    const snapshot = snapshotAfter(this.view, lesson.number);
    const race = standing(snapshot) && this.view.rules.goal ? new Race(this.view) : null;
    face.show(snapshot, this.view.log.slice(0, lesson.number));
    race?.show(snapshot);
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
            capitalize(displayText(label, this.view.face)),
          ),
        ),
    );
    this.message = element(
      "p",
      { class: "coach-message", tabindex: "-1" },
      t`Decision ${this.index + 1} of ${this.lessons.length}, step ${lesson.number}: what is best here?`,
    );
    this.root.replaceChildren(
      race?.root ?? "",
      element("div", { class: "stage" }, face.root),
      this.message,
      this.answers,
    );
    this.message.focus({ preventScroll: true });
  }

  /**
   * @param {Api.DecisionView} lesson
   * @param {string} label
   */
  answer(lesson, label) {
    const { best, chosen, worth } = lesson;
    const isFound = worth[label] === worth[best];
    if (isFound) this.foundCount++;
    this.index++;
    this.message.textContent = this.verdict(lesson, worth, label, isFound);
    announce(this.message.textContent);
    const actions = Object.entries(worth).map(([each, value]) => ({ label: each, worth: value }));
    const next =
      this.index < this.lessons.length
        ? element("button", { type: "button", class: "primary", onclick: () => this.showQuestion() }, t`Next`)
        : element("p", { class: "coach-end" }, t`You found ${this.foundCount} of ${this.lessons.length}.`);
    this.answers.replaceWith(worthBars(actions, { best, chosen }, this.view), next);
    this.message.focus({ preventScroll: true });
  }

  /**
   * Compare the answer with the best action or, if it is the best, with the choice in the game. Uses the exact values.
   * @param {Api.DecisionView} lesson
   * @param {Record<string, number>} worth
   * @param {string} label
   * @param {boolean} isFound
   */
  verdict({ best, chosen, reasons }, worth, label, isFound) {
    /** @param {string} each */
    const name = (each) =>
      each === chosen
        ? t`${displayText(each, this.view.face)} (your choice in the game)`
        : displayText(each, this.view.face);
    /** @param {string} each */
    const describe = (each) => {
      const outcome = this.outcome(worth[each]);
      return outcome ? t`${name(each)} is ${outcome}` : t`${name(each)} is worth ${this.measure.format(worth[each])}`;
    };
    const message = isFound
      ? t`Right: ${describe(label)}; ${describe(chosen)}.`
      : t`No: ${describe(label)}; ${describe(best)}.`;
    return message + explainValues([label, isFound ? chosen : best], reasons, this.view);
  }

  /**
   * Return the certain outcome of an action in a game without chance events, else null.
   * @param {number} worth
   */
  outcome(worth) {
    return this.view.log.some((entry) => entry.kind === "event") ? null : OUTCOMES[worth];
  }
}
