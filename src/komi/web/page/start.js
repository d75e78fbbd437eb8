/** The first page: a game begun to go on with, and the games to choose from. */

import { readCatalog, readGames } from "./api.js";
import { element } from "./dom.js";
import { sceneOf } from "./pictures.js";
import { counted, inColours, moment, parted, titleOf } from "./words.js";

const MOST_BEGUN = 6;
const ORDER = ["bag", "die", "cards", "board", "coin", "two-dice", "hands", "table"];

export async function showStart(place, signal) {
  document.title = "komi: play";
  const begun = element("section", { class: "begun", "aria-labelledby": "begun-title", hidden: true });
  const known = readGames();
  const { games } = await readCatalog();
  place.append(
    element("section", { class: "hello" },
      element("h1", {}, "One more, or stop here?"),
      element("p", { class: "lead" },
        "Small games of chance and choice, against opponents from careless to perfect. Nearly all are solved exactly: " +
        "afterwards you see what each of your decisions was worth.")),
    begun,
    element("section", { "aria-labelledby": "games-title" },
      element("h2", { id: "games-title" }, "Choose a game"),
      element("ul", { class: "games" }, inOrder(games).map(gameCard))),
  );
  known.then((list) => signal.aborted || showBegun(begun, list.games, games), () => {});
}

/** By kind, and within a kind the plainest first. */
function inOrder(games) {
  const place = (game) => ORDER.indexOf(game.face) * 1000 + game.title.length;
  return [...games].sort((a, b) => place(a) - place(b));
}

function gameCard(game) {
  return element("li", {},
    element("a", { class: `game-card stage-${game.face}`, href: `#/new/${encodeURIComponent(game.name)}` },
      sceneOf(game),
      element("span", { class: "game-card-text" },
        element("strong", {}, game.title),
        element("span", {}, inColours(parted(game.summary).text, game.face)))));
}

function showBegun(section, played, games) {
  const open = played.filter((game) => !game.over).slice(0, MOST_BEGUN);
  if (open.length === 0) return;
  section.hidden = false;
  section.append(
    element("h2", { id: "begun-title" }, "Go on with"),
    element("ul", { class: "begun-list" }, open.map((game) => {
      const known = games.find((one) => one.name === game.game);
      return element("li", {}, element("a", { href: `#/game/${encodeURIComponent(game.id)}` },
        element("strong", {}, known?.title ?? game.game),
        element("span", {}, `against ${titleOf(game.opponent, known)}, ${counted(game.number, "step")}`),
        element("small", {}, moment(game.started))));
    })));
}
