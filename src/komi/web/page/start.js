/** The first page: a game begun to go on with, and the games to choose from. */

import { readCatalog, readGames, readInvitations, removeGame, withdrawInvitation } from "./api.js";
import { lastOptions, playNow, rivalOf } from "./begin.js";
import { element, unseen } from "./dom.js";
import { language, languages, speak, t, tn } from "./language.js";
import { sceneOf } from "./pictures.js";
import { displayName, counted, inColours, listed, moment, parted, titleOf } from "./words.js";

const MAX_BEGUN = 6;
const MAX_PUZZLES = 4;
const ORDER = ["bag", "die", "cards", "tray", "pieces", "board", "coin", "two-dice", "hands", "table"];

/**
 * @param {HTMLElement} container
 * @param {AbortSignal} signal
 */
export async function showStart(container, signal) {
  document.title = t`komi: play`;
  const begun = element("section", { class: "begun", "aria-labelledby": "begun-title", hidden: true });
  const puzzles = element("p", { class: "puzzles", hidden: true });
  const tiles = element("ul", { class: "games" }, element("li", { class: "small" }, t`Loading the games …`));
  const known = Promise.all([readGames(), readInvitations()]);
  container.append(
    element(
      "section",
      { class: "hello" },
      element("h1", {}, t`One more, or stop here?`),
      element(
        "p",
        { class: "lead" },
        t`Small games of chance and choice, against opponents from careless to perfect. Nearly all are solved exactly: afterwards you see what each of your decisions was worth.`,
      ),
    ),
    puzzles,
    begun,
    element(
      "section",
      { "aria-labelledby": "games-title" },
      element("h2", { id: "games-title" }, t`Choose a game`),
      tiles,
    ),
    otherLanguages(),
  );
  const { games } = await readCatalog();
  tiles.replaceChildren(
    ...inOrder(games).map((game) =>
      tile(
        game,
        signal,
        games.some((one) => one !== game && one.title === game.title),
      ),
    ),
  );
  showPuzzles(
    puzzles,
    inOrder(games)
      .filter((game) => game.solved && game.players === 2)
      .slice(0, MAX_PUZZLES),
  );
  known.then(
    ([played, waiting]) => signal.aborted || showBegun(begun, played.games, waiting.invitations, games),
    () => {},
  );
}

/** For those whom the page does not speak to in their language. */
function otherLanguages() {
  const others = languages().filter(([code]) => code !== language);
  return element(
    "p",
    { class: "languages", hidden: others.length === 0 },
    others.map(([code, name]) =>
      element("button", { type: "button", class: "quiet", lang: code, onclick: () => speak(code) }, name),
    ),
  );
}

/**
 * By kind, and within a kind the plainest first.
 * @param {Api.CatalogGameView[]} games
 */
function inOrder(games) {
  /** @param {Api.CatalogGameView} game */
  const rank = (game) => ORDER.indexOf(game.face) * 1000 + game.title.length;
  return [...games].sort((a, b) => rank(a) - rank(b));
}

/**
 * `isTwin` if another game is called the same: then the names of their files tell them apart.
 * @param {Api.CatalogGameView} game
 * @param {AbortSignal} signal
 * @param {boolean} isTwin
 */
function tile(game, signal, isTwin) {
  const wait = element("div", { class: "wait" });
  const rival = rivalOf(lastOptions(game), game);
  const start = element(
    "button",
    { type: "button", class: "primary", "data-game": game.name },
    t`Play now `,
    rival && element("small", {}, rival),
    unseen(`, ${game.title}`),
  );
  start.addEventListener("click", async () => {
    start.disabled = true;
    await playNow(game, wait, signal);
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
        element("strong", {}, game.title, isTwin && element("small", {}, ` ${game.name}.py`)),
        element("span", {}, inColours(parted(game.summary).text, game.face)),
      ),
    ),
    element("div", { class: "tile-foot" }, start, wait),
  );
}

/**
 * @param {HTMLElement} container
 * @param {Api.CatalogGameView[]} games
 */
function showPuzzles(container, games) {
  if (games.length === 0) return;
  const links = games.flatMap((game, i) => [
    i > 0 ? ", " : "",
    element("a", { href: `#/puzzle/${encodeURIComponent(game.name)}` }, game.title),
  ]);
  container.append(t`Puzzle of the day: `, ...links, ".");
  container.hidden = false;
}

/**
 * @param {HTMLElement} section
 * @param {Api.GameSummaryView[]} played
 * @param {Api.InvitationView[]} waiting
 * @param {Api.CatalogGameView[]} games
 */
function showBegun(section, played, waiting, games) {
  /** @param {string} name */
  const titleOf = (name) => games.find((one) => one.name === name)?.title ?? name;
  const open = played.filter((game) => !game.over).slice(0, MAX_BEGUN);
  if (open.length + waiting.length === 0) return;
  section.hidden = false;
  section.append(
    element("h2", { id: "begun-title" }, t`Continue`),
    element(
      "ul",
      { class: "begun-list" },
      waiting.map((table) =>
        begunGame(
          `#/join/${encodeURIComponent(table.id)}`,
          titleOf(table.game),
          isWaitingFor(table),
          removeButton(table.host ? t`Close the table` : t`Leave the table`, titleOf(table.game), () =>
            withdrawInvitation(table.id),
          ),
        ),
      ),
      open.map((game) =>
        begunGame(
          `#/game/${encodeURIComponent(game.id)}`,
          titleOf(game.game),
          `${company(
            game,
            games.find((one) => one.name === game.game),
          )}, ${counted(game.number, "step")}`,
          removeButton(t`Remove`, titleOf(game.game), () => removeGame(game.id)),
          moment(game.started),
        ),
      ),
    ),
  );
}

/**
 * @param {string} href
 * @param {string} title
 * @param {string} words
 * @param {HTMLElement} remove
 * @param {string} [since]
 */
function begunGame(href, title, words, remove, since = null) {
  return element(
    "li",
    { class: "begun-game" },
    element(
      "a",
      { href },
      element("strong", {}, title),
      element("span", {}, words),
      since && element("small", {}, since),
    ),
    remove,
  );
}

/** @param {Api.InvitationView} table */
function isWaitingFor({ players, names }) {
  if (names.length === players) return t`A table with friends: open it to reveal your number and start the game`;
  return tn(
    players - names.length,
    "A table with friends: one seat is free",
    "A table with friends: {0} seats are free",
  );
}

/**
 * Who else plays.
 * @param {Api.GameSummaryView} game
 * @param {Api.CatalogGameView} known
 */
function company({ names, opponent }, known) {
  if (names) return listed(names.map(displayName));
  return opponent ? t`against ${titleOf(opponent, known)}` : t`alone`;
}

/**
 * Pressed twice, it removes what is listed.
 * @param {string} words
 * @param {string} title
 * @param {() => Promise<unknown>} remove
 */
function removeButton(words, title, remove) {
  const button = element("button", { type: "button", class: "quiet", "aria-label": `${words}: ${title}` }, words);
  let isSure = false;
  button.addEventListener("click", async () => {
    if (!isSure) {
      isSure = true;
      button.textContent = t`For good`;
      button.setAttribute("aria-label", t`${words}: ${title}, for good`);
      return;
    }
    try {
      await remove();
      button.closest("li").remove();
    } catch (error) {
      button.textContent = error.message;
    }
  });
  return button;
}
