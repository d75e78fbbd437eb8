/** How this person has done, by game and opponent; all of it to take along, or to delete. */

import { forgetMe, readCatalog, statistics } from "./api.js";
import { element } from "./dom.js";
import { percent, titleOf } from "./words.js";

export async function showStatistics(place) {
  document.title = "komi: statistics";
  const [{ rows }, { games }] = await Promise.all([statistics(), readCatalog()]);
  const said = element("p", { role: "status" });
  place.append(
    element("h1", {}, "How you do"),
    rows.length === 0 ? element("p", { class: "lead" }, "Nothing yet. Finish a game, and it is counted here.") : results(rows, games),
    element("section", { class: "panel yours", "aria-labelledby": "yours-title" },
      element("h2", { id: "yours-title" }, "It is yours"),
      element("p", {}, "Everything that this server keeps about you: your games, step by step, and your name."),
      element("div", { class: "row" },
        element("a", { class: "button", href: "api/export.csv", download: "komi.csv" }, "Save as CSV"),
        element("a", { class: "button", href: "api/export.json", download: "komi.json" }, "Save as JSON"),
        element("button", { type: "button", class: "danger", onclick: () => confirmForgetting(said) }, "Delete everything …")),
      said));
}

function results(rows, games) {
  return element("div", { class: "results" }, games.filter((game) => rows.some((row) => row.game === game.name)).map((game) =>
    element("section", { class: "panel", "aria-labelledby": `results-${game.name}` },
      element("h2", { id: `results-${game.name}` }, game.title),
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": `results-${game.name}` },
        table(rows.filter((row) => row.game === game.name), game)))));
}

const COLUMNS = ["Opponent", "Games", "You won", "Win rate, and where it lies 19 times in 20", "Given away per decision", "Streak, best", "Luck", "Skill"];

function table(rows, game) {
  return element("table", {},
    element("thead", {}, element("tr", {}, COLUMNS.map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, rows.map((row) => element("tr", {},
      element("th", { scope: "row" }, titleOf(row.opponent, game)),
      element("td", {}, String(row.games)), element("td", {}, String(row.wins)),
      element("td", {}, interval(row)),
      element("td", {}, shareOrNothing(row.average_mistake, 2)),
      element("td", {}, `${row.streak}, ${row.best_streak}`),
      element("td", {}, shareOrNothing(row.luck)), element("td", {}, shareOrNothing(row.skill))))));
}

function interval({ win_rate: rate, low, high }) {
  const bar = element("span", { class: "interval", "aria-hidden": "true" }, element("i"), element("b"));
  bar.style.setProperty("--low", low);
  bar.style.setProperty("--high", high);
  bar.style.setProperty("--rate", rate);
  return [element("strong", {}, percent(rate, 0)), ` (${percent(low, 0)} to ${percent(high, 0)})`, bar];
}

function shareOrNothing(share, digits = 0) {
  return share === null || share === undefined ? "–" : percent(share, digits);
}

/** Ask before everything of this person is deleted. */
function confirmForgetting(said) {
  const dialog = element("dialog", { class: "settings", "aria-labelledby": "forget-title" });
  dialog.append(
    element("h2", { id: "forget-title" }, "Delete everything?"),
    element("p", {}, "All your games, your statistics and your name are removed from this server. There is no way back."),
    element("div", { class: "row" },
      element("button", { type: "button", class: "danger", onclick: () => dialog.close("delete") }, "Delete everything"),
      element("button", { type: "button", onclick: () => dialog.close() }, "Keep it")));
  dialog.addEventListener("close", async () => {
    dialog.remove();
    if (dialog.returnValue === "delete") said.textContent = await forgotten();
  });
  document.body.append(dialog);
  dialog.showModal();
}

async function forgotten() {
  try {
    await forgetMe();
    document.querySelector(".results")?.remove();
    return "Deleted. This server knows nothing about you any more.";
  } catch (error) {
    return error.message;
  }
}
