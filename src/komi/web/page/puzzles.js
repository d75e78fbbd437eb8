/** The puzzles: today's and those of the last days, with the person's answers and days in a row. */

import { readCatalog, readPuzzles } from "./api.js";
import { element } from "./dom.js";
import { formatDay, t } from "./language.js";
import { formatCount } from "./words.js";

const SHOWN_DAYS = 7;
const DAY = 24 * 60 * 60 * 1000; // milliseconds

/** @param {HTMLElement} container */
export async function showPuzzles(container) {
  document.title = t`komi: puzzles`;
  const [{ day, days, puzzles }, { games }] = await Promise.all([readPuzzles(), readCatalog()]);
  const lastDays = Array.from({ length: Math.min(SHOWN_DAYS, days) }, (_, i) =>
    new Date(Date.parse(day) - i * DAY).toISOString().slice(0, 10),
  );
  container.append(
    element("h1", {}, t`Puzzles`),
    element(
      "p",
      { class: "small" },
      t`Each game has a new puzzle every day. Only answers on the day itself count for your days in a row.`,
    ),
    element(
      "ul",
      { class: "puzzle-list" },
      puzzles.flatMap((puzzle) => {
        const game = games.find(({ name }) => name === puzzle.game);
        return game ? [puzzleItem(game, puzzle, lastDays)] : [];
      }),
    ),
  );
}

/**
 * @param {Api.CatalogGameView} game
 * @param {Api.PuzzleSummaryView} puzzle
 * @param {string[]} lastDays
 */
function puzzleItem(game, { streak, answers }, lastDays) {
  const [today, ...earlier] = lastDays;
  return element(
    "li",
    { class: "panel" },
    element(
      "strong",
      {},
      game.title,
      streak > 0 && element("small", {}, ` ${t`${formatCount(streak, "day")} in a row`}`),
    ),
    element("a", { class: "button", href: link(game) }, today in answers ? mark(answers[today]) : t`Today's puzzle`),
    element(
      "span",
      { class: "puzzle-days small" },
      earlier.map((day) =>
        element(
          "a",
          {
            href: link(game, day),
            "aria-label": `${game.title}, ${formatDay(day)}${day in answers ? `: ${mark(answers[day])}` : ""}`,
          },
          day in answers ? (answers[day] ? "✓" : "✗") : String(Number(day.slice(8))),
        ),
      ),
    ),
  );
}

/** @param {boolean} isRight */
const mark = (isRight) => (isRight ? t`Solved` : t`Not solved`);

/**
 * @param {Api.CatalogGameView} game
 * @param {string} [day] by default today
 */
const link = (game, day) => `#/puzzle/${encodeURIComponent(game.name)}${day ? `/${day}` : ""}`;
