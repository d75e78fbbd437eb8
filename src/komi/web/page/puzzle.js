/** The puzzle of the day: a position, and after the answer the best action and what other people chose. */

import { answerPuzzle, pictureAddress, readCatalog, readPuzzle } from "./api.js";
import { announce, element } from "./dom.js";
import { faceOf } from "./faces/faces.js";
import { formatDay, t, tn } from "./language.js";
import { retryWhileBusy } from "./retry.js";
import { Race } from "./race.js";
import { explainValues } from "./reasons.js";
import { snapshotAfter, standing } from "./snapshots.js";
import { worthBars } from "./worth.js";
import { capitalize, formatCount, displayText, measureOf, percent, setupLink } from "./words.js";

const OUTCOME_NAMES = { loss: t`a loss`, draw: t`a draw`, win: t`a win` };
/** @type {Record<number, "win" | "draw" | "loss">} */
const OUTCOMES = { 0: "loss", 0.5: "draw", 1: "win" };

/**
 * @param {HTMLElement} container
 * @param {string} name
 * @param {string | undefined} day by default today
 * @param {AbortSignal} signal
 */
export async function showPuzzle(container, name, day, signal) {
  const { games } = await readCatalog();
  const game = games.find((one) => one.name === name);
  if (!game) throw new Error(t`This server does not offer ${name}.`);
  document.title = t`komi: puzzle of ${game.title}`;
  const message = element("p", { role: "status" }, t`Choosing the puzzle …`);
  const heading = day ? t`${game.title}: puzzle of ${formatDay(day)}` : t`${game.title}: puzzle of the day`;
  container.append(element("h1", {}, heading), message);
  /** @param {string} sentence */
  const say = (sentence) => {
    message.textContent = `${t`Choosing the puzzle …`} ${sentence}`;
  };
  const puzzle = await retryWhileBusy(
    () => readPuzzle(name, day),
    say,
    () => !signal.aborted,
  );
  if (signal.aborted) return;
  const shown = await new PuzzlePanel(game, puzzle, day !== undefined).render();
  container.replaceChildren(element("h1", {}, heading), shown);
}

class PuzzlePanel {
  /**
   * @param {Api.CatalogGameView} game
   * @param {Page.Puzzle} puzzle
   * @param {boolean} isOld of a day before today
   */
  constructor(game, puzzle, isOld) {
    this.game = game;
    this.isOld = isOld;
    this.puzzle = puzzle;
    this.view = puzzle.position;
    this.message = element("p", { class: "coach-message", tabindex: "-1" }, t`What would you do here?`);
    this.answers = element("div");
    this.root = element("section", { class: `panel coach puzzle stage-${this.view.face}` });
  }

  async render() {
    const face = await faceOf(this.view);
    const snapshot = snapshotAfter(this.view, this.view.log.length);
    const race = standing(snapshot) && this.view.rules.goal ? new Race(this.view) : null;
    face.show(snapshot, this.view.log);
    race?.show(snapshot);
    this.root.replaceChildren(
      race?.root ?? "",
      element("div", { class: "stage" }, face.root),
      this.message,
      this.answers,
      ...(this.puzzle.picture ? [pictureButtons(this.game, this.puzzle.day)] : []),
    );
    if (this.puzzle.answered === null) this.showQuestion();
    else this.showSolution();
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
            capitalize(displayText(label, this.view.face)),
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
      this.message.textContent = error.message;
      return;
    }
    this.showSolution();
    announce(this.message.textContent);
    this.message.focus({ preventScroll: true });
  }

  /**
   * Return the certain outcome of an action in a game without chance events, else undefined.
   * @param {number} worth
   */
  outcome(worth) {
    return this.view.log.some((entry) => entry.kind === "event") ? undefined : OUTCOMES[worth];
  }

  /** Return the best action other than the chosen one. */
  alternative() {
    return Object.keys(this.puzzle.worth).find((label) => label !== this.puzzle.answered);
  }

  /** Compare the answer with the best action, and list what other people chose. Uses the exact values. */
  showSolution() {
    const { day, answered, best, worth, reasons, others, streak } = this.puzzle;
    const measure = measureOf(this.view);
    /** @param {string} label */
    const name = (label) => capitalize(displayText(label, this.view.face));
    const actions = Object.entries(worth).map(([label, value]) => ({
      label,
      worth: value,
      value: this.outcome(value),
    }));
    /** @param {string} label */
    const describe = (label) => {
      const outcome = this.outcome(worth[label]);
      return outcome
        ? t`${name(label)} is ${OUTCOME_NAMES[outcome]}`
        : t`${name(label)} is worth ${measure.format(worth[label])}`;
    };
    const isRight = worth[answered] === worth[best];
    const verdict = isRight ? t`Right: ${describe(answered)}.` : t`No: ${describe(answered)}; ${describe(best)}.`;
    this.message.textContent =
      verdict + explainValues([answered, isRight ? this.alternative() : best], reasons, this.view);
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
        this.isOld
          ? t`Only answers on the day itself count for your days in a row.`
          : streak > 0
            ? t`You have solved the puzzle ${formatCount(streak, "day")} in a row. Come back tomorrow for the next.`
            : t`Come back tomorrow for the next.`,
      ),
      element(
        "div",
        { class: "row" },
        element(
          "a",
          { class: "button primary", href: setupLink(this.game, this.view.rules) },
          t`Play ${this.game.title}`,
        ),
        element("a", { class: "button", href: "#/puzzles" }, t`More puzzles`),
        shareButton(this.game, day, isRight, streak),
      ),
    );
  }
}

/**
 * Create the buttons that save a picture of the position, or pass it on with the question and the link.
 * @param {Api.CatalogGameView} game
 * @param {string} day
 */
function pictureButtons(game, day) {
  const href = pictureAddress(game.name, day);
  const name = `komi-${game.name}-${day}.png`;
  const save = element("a", { class: "button", href, download: name }, t`Save the picture`);
  const share = element("button", { type: "button" }, t`Share the puzzle`);
  share.addEventListener("click", async () => {
    try {
      const picture = await (await fetch(href)).blob();
      const files = [new File([picture], name, { type: picture.type })];
      await navigator.share({ files, text: t`What would you do here?`, url: linkTo(game, day) });
    } catch {
      // The user has chosen no one, or the network failed: the picture can be saved.
    }
  });
  const canShare = navigator.canShare?.({ files: [new File([""], name, { type: "image/png" })] });
  return element("div", { class: "row" }, save, canShare && share);
}

/**
 * @param {Api.CatalogGameView} game
 * @param {string} day
 */
const linkTo = (game, day) => new URL(`#/puzzle/${encodeURIComponent(game.name)}/${day}`, location.href).href;

/**
 * Create the button that shares the result, and nothing about the position or the answer.
 * @param {Api.CatalogGameView} game
 * @param {string} day
 * @param {boolean} isRight
 * @param {number} streak
 */
function shareButton(game, day, isRight, streak) {
  const result = isRight ? t`solved` : t`not solved`;
  const row = streak > 1 ? `, ${t`${formatCount(streak, "day")} in a row`}` : "";
  const text = `komi, ${game.title}, ${formatDay(day)}: ${isRight ? "🟩" : "🟥"} ${result}${row}\n${linkTo(game, day)}`;
  const button = element("button", { type: "button" }, t`Share my result`);
  button.addEventListener("click", async () => {
    try {
      if (navigator.share) await navigator.share({ text });
      else await navigator.clipboard.writeText(text).then(() => (button.textContent = t`Copied`));
    } catch {
      button.replaceWith(element("textarea", { readonly: true, rows: 3, "aria-label": t`Share my result` }, text));
    }
  });
  return button;
}
