/** The user's results by game and opponent, with export and deletion of their data. */

import { deleteMyData, readCatalog, statistics } from "./api.js";
import { recordRemoval } from "./commitment.js";
import { element } from "./dom.js";
import { ladderSection } from "./ladder.js";
import { formatNumber, t } from "./language.js";
import { percent, signed, titleOf } from "./words.js";

/**
 * @param {HTMLElement} container
 * @param {AbortSignal} signal
 */
export async function showStatistics(container, signal) {
  document.title = t`komi: statistics`;
  const [{ rows, ratings }, { games }] = await Promise.all([statistics(), readCatalog()]);
  const status = element("p", { role: "status" });
  container.append(
    element("h1", {}, t`Your results`),
    ...(ratings.length > 0 ? [ladderSection(ratings, games, signal)] : []),
    rows.length === 0
      ? element("p", { class: "lead" }, t`No results yet. Finish a game to see it here.`)
      : results(rows, games),
    element(
      "section",
      { class: "panel yours", "aria-labelledby": "yours-title" },
      element("h2", { id: "yours-title" }, t`Your data`),
      element(
        "p",
        {},
        t`What this server stores about you: your games, step by step, your answers to puzzles, your rooms, and your name.`,
      ),
      element(
        "div",
        { class: "row" },
        element("a", { class: "button", href: "api/export.csv", download: "komi.csv" }, t`Save as CSV`),
        element("a", { class: "button", href: "api/export.json", download: "komi.json" }, t`Save as JSON`),
        element("a", { class: "button", href: "#/device" }, t`Another device`),
        element(
          "button",
          { type: "button", class: "danger", onclick: () => confirmDeletion(status) },
          t`Delete everything …`,
        ),
      ),
      status,
    ),
  );
}

/**
 * @param {Api.StatisticsRowView[]} rows
 * @param {Api.CatalogGameView[]} games
 */
function results(rows, games) {
  const played = games.filter((game) => rows.some((row) => row.game === game.name));
  return element(
    "div",
    { class: "results" },
    played.map((game) =>
      element(
        "section",
        { class: "panel", "aria-labelledby": `results-${game.name}` },
        element("h2", { id: `results-${game.name}` }, game.title),
        rows.filter((row) => row.game === game.name).map((row) => opponentResults(row, game)),
      ),
    ),
    element(
      "p",
      { class: "small" },
      t`In 19 of 20 cases, your true win rate lies in the interval. Luck is what chance added to your chance of winning, per game. Skill is what your opponents gave away minus what you gave away. Games in Test Mode do not count.`,
    ),
  );
}

/**
 * @param {Api.StatisticsRowView} row
 * @param {Api.CatalogGameView} game
 */
function opponentResults(row, game) {
  const tiles = [
    [t`Games`, formatNumber(row.games)],
    [t`Won`, formatNumber(row.wins)],
    [t`Win rate`, winRate(row)],
    [t`Given away per decision`, formatOrDash(row.average_mistake, (share) => percent(share, 2))],
    [t`Won in a row`, t`${row.streak}, best ${row.best_streak}`],
    [t`Luck`, formatOrDash(row.luck, (share) => signed(share, 0))],
    [t`Skill`, formatOrDash(row.skill, (share) => signed(share, 0))],
  ];
  return element(
    "div",
    { class: "against" },
    element("h3", {}, t`Against ${titleOf(row.opponent, game)}`),
    element(
      "dl",
      { class: "tiles" },
      tiles.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
    ),
  );
}

/** @param {Api.StatisticsRowView} row */
function winRate({ win_rate: rate, low, high }) {
  const bar = element("span", { class: "interval", "aria-hidden": "true" }, element("i"), element("b"));
  bar.style.setProperty("--low", String(low));
  bar.style.setProperty("--high", String(high));
  bar.style.setProperty("--rate", String(rate));
  return [
    element("strong", {}, percent(rate, 0)),
    element("small", {}, t` ${percent(low, 0)} to ${percent(high, 0)}`),
    bar,
  ];
}

/**
 * @param {number} share
 * @param {(share: number) => string} format
 */
function formatOrDash(share, format) {
  return share === null ? "–" : format(share);
}

/**
 * Ask for confirmation before all data of the user are deleted.
 * @param {HTMLElement} status
 */
export function confirmDeletion(status) {
  const dialog = element("dialog", { class: "sheet", "aria-labelledby": "forget-title" });
  dialog.append(
    element("h2", { id: "forget-title" }, t`Delete everything?`),
    element(
      "p",
      {},
      t`All your games, your statistics, your rooms and your name are removed from this server. This cannot be undone.`,
    ),
    element(
      "div",
      { class: "row" },
      element(
        "button",
        { type: "button", class: "danger", onclick: () => dialog.close("delete") },
        t`Delete everything`,
      ),
      element("button", { type: "button", onclick: () => dialog.close() }, t`Cancel`),
    ),
  );
  dialog.addEventListener("close", async () => {
    dialog.remove();
    if (dialog.returnValue === "delete") status.textContent = await deleteData();
  });
  document.body.append(dialog);
  dialog.showModal();
}

async function deleteData() {
  try {
    await deleteMyData();
    recordRemoval();
    document.querySelectorAll(".results, .ladders").forEach((shown) => shown.remove());
    return t`Deleted. This server no longer stores anything about you.`;
  } catch (error) {
    return error.message;
  }
}
