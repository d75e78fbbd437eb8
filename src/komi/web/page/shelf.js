/** The games to choose from on the first page: in groups, the last played first, with a search. */

import { describeRival, lastOptions, playNow, recentGames } from "./begin.js";
import { element, screenReaderText } from "./dom.js";
import { t } from "./language.js";
import { sceneOf } from "./pictures.js";
import { displayText, formatCount, splitSummary } from "./words.js";

const MAX_RECENT = 3;
const SEARCHED = 6; // fewer games are found without a search
/** @type {[string, string][]} */
const GROUPS = [
  ["own", t`Games of this server`],
  ["luck", t`Push your luck`],
  ["dice", t`Dice`],
  ["cards", t`Cards`],
  ["board", t`Boards`],
  ["simultaneous", t`All at once`],
  ["alone", t`Alone`],
];

/**
 * Create the groups of games, and the field that searches them.
 * @param {Api.CatalogGameView[]} games
 * @param {AbortSignal} signal
 */
export function gameShelf(games, signal) {
  const recent = recentGames()
    .map((name) => games.find((game) => game.name === name))
    .filter(Boolean)
    .slice(0, MAX_RECENT);
  const others = games.filter((game) => !recent.includes(game));
  const shelves = GROUPS.map(([group, title]) => ({ title, games: others.filter((game) => game.group === group) }));
  const filled = [{ title: t`Recently played`, games: recent }, ...shelves]
    .filter((shelf) => shelf.games.length > 0)
    .map((shelf) => ({ ...shelf, games: shelf.games.map((game) => tile(game, games, signal)) }));
  const none = element("p", { class: "small", role: "status" });
  const sections = filled.map((shelf, i) =>
    element(
      "section",
      { class: "shelf", "aria-labelledby": `shelf-${i}` },
      element("h3", { id: `shelf-${i}` }, shelf.title),
      element("ul", { class: "games" }, shelf.games),
    ),
  );
  /** @param {string} text */
  const search = (text) => {
    const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    filled.forEach((shelf, i) => {
      for (const one of shelf.games) {
        const all = `${shelf.title} ${one.textContent}`.toLocaleLowerCase();
        one.hidden = !words.every((word) => all.includes(word));
      }
      sections[i].hidden = shelf.games.every((one) => one.hidden);
    });
    none.textContent = sections.every((section) => section.hidden) ? t`No game here is like this.` : "";
  };
  const field = element("input", { type: "search", oninput: () => search(field.value), autocomplete: "off" });
  return [
    games.length > SEARCHED && element("label", { class: "search" }, element("span", {}, t`Search`), field),
    none,
    ...sections,
  ].filter(Boolean);
}

/**
 * Create the tile of a game. If another game has the same title, it also shows the name of the game's file.
 * @param {Api.CatalogGameView} game
 * @param {Api.CatalogGameView[]} games
 * @param {AbortSignal} signal
 */
function tile(game, games, signal) {
  const hasDuplicateTitle = games.some((one) => one !== game && one.title === game.title);
  const progress = element("div", { class: "wait" });
  const rival = describeRival(lastOptions(game), game);
  const start = element(
    "button",
    { type: "button", class: "primary", "data-game": game.name },
    t`Play now `,
    rival && element("small", {}, rival),
    screenReaderText(`, ${game.title}`),
  );
  start.addEventListener("click", async () => {
    start.disabled = true;
    await playNow(game, progress, signal);
    start.disabled = false;
  });
  return element(
    "li",
    { class: `tile stage-${game.face}` },
    element(
      "a",
      { class: "game-card", href: `#/new/${encodeURIComponent(game.name)}` },
      sceneOf(game),
      element(
        "span",
        { class: "game-card-text" },
        element("strong", {}, game.title, hasDuplicateTitle && element("small", {}, ` ${game.name}.py`)),
        element("span", { class: "game-card-summary" }, displayText(splitSummary(game.summary).text, game.face)),
        element(
          "small",
          {},
          [game.minutes && t`≈ ${game.minutes} min`, seatsInWords(game)].filter(Boolean).join(" · "),
        ),
      ),
    ),
    element("div", { class: "tile-foot" }, start, progress),
  );
}

/**
 * Say how many people can play: "2 players", "1 to 4 players".
 * @param {Api.CatalogGameView} game
 */
function seatsInWords({ players, rules }) {
  const rule = rules.find(({ name }) => name === "players");
  if (!rule?.least || rule.least === rule.greatest) return formatCount(players, "player");
  return t`${rule.least} to ${formatCount(rule.greatest, "player")}`;
}
