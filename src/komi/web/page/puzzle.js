/** The puzzle of the day: a position, what would you do, and then what is best and what others chose. */

import { answerPuzzle, readCatalog, readPuzzle } from "./api.js";
import { announce, element } from "./dom.js";
import { faceOf } from "./faces/faces.js";
import { t, tn } from "./language.js";
import { retryWhileBusy } from "./retry.js";
import { Race } from "./race.js";
import { because } from "./reasons.js";
import { momentAfter, standing } from "./standing.js";
import { worthBars } from "./worth.js";
import { capital, counted, inColours, measureOf, percent, wayTo } from "./words.js";

const A = { loss: t`a loss`, draw: t`a draw`, win: t`a win` };
/** @type {Record<number, "win" | "draw" | "loss">} */
const OUTCOMES = { 0: "loss", 0.5: "draw", 1: "win" };

/**
 * @param {HTMLElement} container
 * @param {string} name
 * @param {AbortSignal} signal
 */
export async function showPuzzle(container, name, signal) {
  const { games } = await readCatalog();
  const game = games.find((one) => one.name === name);
  if (!game) throw new Error(t`This server does not offer ${name}.`);
  document.title = t`komi: puzzle of ${game.title}`;
  const said = element("p", { role: "status" }, t`Choosing today's puzzle …`);
  container.append(element("h1", {}, t`${game.title}: puzzle of the day`), said);
  /** @param {string} sentence */
  const say = (sentence) => {
    said.textContent = `${t`Choosing today's puzzle …`} ${sentence}`;
  };
  const puzzle = await retryWhileBusy(
    () => readPuzzle(name),
    say,
    () => !signal.aborted,
  );
  if (signal.aborted) return;
  const shown = await new Shown(game, puzzle).draw();
  container.replaceChildren(element("h1", {}, t`${game.title}: puzzle of the day`), shown);
}

class Shown {
  /**
   * @param {Api.CatalogGameView} game
   * @param {Page.Puzzle} puzzle
   */
  constructor(game, puzzle) {
    this.game = game;
    this.puzzle = puzzle;
    this.view = puzzle.position;
    this.said = element("p", { class: "coach-said", tabindex: "-1" }, t`What would you do here?`);
    this.answers = element("div");
    this.root = element("section", { class: `panel coach puzzle stage-${this.view.face}` });
  }

  async draw() {
    const face = await faceOf(this.view);
    const moment = momentAfter(this.view, this.view.log.length);
    const race = standing(moment) && this.view.rules.goal ? new Race(this.view) : null;
    face.show(moment, this.view.log);
    race?.show(moment);
    this.root.replaceChildren(race?.root ?? "", element("div", { class: "stage" }, face.root), this.said, this.answers);
    if (this.puzzle.answered === null) this.showQuestion();
    else this.tell();
    return this.root;
  }

  showQuestion() {
    this.answers.replaceChildren(
      element(
        "div",
        { class: "actions coach-answers", role: "group", "aria-label": t`Your answer` },
        this.puzzle.options.map((label) =>
          element(
            "button",
            {
              type: "button",
              "data-answer": label,
              onclick: () => this.answer(label),
            },
            capital(inColours(label, this.view.face)),
          ),
        ),
      ),
    );
  }

  /** @param {string} label */
  async answer(label) {
    try {
      this.puzzle = await answerPuzzle(this.game.name, this.puzzle.day, label);
    } catch (error) {
      this.said.textContent = error.message;
      return;
    }
    this.tell();
    announce(this.said.textContent);
    this.said.focus({ preventScroll: true });
  }

  /**
   * Without chance in the game it is certain what comes.
   * @param {number} worth
   */
  outcome(worth) {
    return this.view.log.some((entry) => entry.kind === "event") ? undefined : OUTCOMES[worth];
  }

  /** The best of the other actions. */
  next() {
    return Object.keys(this.puzzle.worth).find((label) => label !== this.puzzle.answered);
  }

  /** From the exact numbers: what was chosen beside what is best, and what others chose. */
  tell() {
    const { answered, best, worth, reasons, others, streak } = this.puzzle;
    const measure = measureOf(this.view);
    /** @param {string} label */
    const name = (label) => capital(inColours(label, this.view.face));
    const actions = Object.entries(worth).map(([label, value]) => ({
      label,
      worth: value,
      value: this.outcome(value),
    }));
    /** @param {string} label */
    const describe = (label) => {
      const outcome = this.outcome(worth[label]);
      return outcome ? t`${name(label)} is ${A[outcome]}` : t`${name(label)} is worth ${measure.tell(worth[label])}`;
    };
    const isRight = worth[answered] === worth[best];
    const verdict = isRight ? t`Right: ${describe(answered)}.` : t`No: ${describe(answered)}; ${describe(best)}.`;
    this.said.textContent = verdict + because([answered, isRight ? this.next() : best], reasons, this.view);
    const people = Object.values(others).reduce((sum, count) => sum + count, 0);
    const shares = Object.entries(others)
      .sort((a, b) => b[1] - a[1])
      .map(([label, count]) => `${name(label)} ${percent(count / people, 0)}`);
    this.answers.replaceChildren(
      worthBars(actions, { best, chosen: answered }, this.view),
      element(
        "p",
        { class: "small" },
        tn(people, "One person answered: {1}.", "{0} people answered: {1}.", shares.join(", ")),
      ),
      element(
        "p",
        {},
        streak > 0
          ? t`You have solved the puzzle ${counted(streak, "day")} in a row. Come back tomorrow for the next.`
          : t`Come back tomorrow for the next.`,
      ),
      element(
        "div",
        { class: "row" },
        element("a", { class: "button primary", href: wayTo(this.game, this.view.rules) }, t`Play ${this.game.title}`),
        element("a", { class: "button", href: "#/" }, t`To the games`),
      ),
    );
  }
}
