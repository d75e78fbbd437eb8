/** The start page: games in progress, and the games to choose from. */

import { readCatalog, readGames, readInvitations, removeGame, withdrawInvitation } from "./api.js";
import { recordRemoval } from "./commitment.js";
import { introduction } from "./dealer.js";
import { element } from "./dom.js";
import { language, languages, setLanguage, t, tn } from "./language.js";
import { retryWhileBusy } from "./retry.js";
import { gameShelf } from "./shelf.js";
import { describePlayers, displayName, formatCount, formatDateTime, howItStands } from "./words.js";

const MAX_CONTINUED = 6;
const MAX_PUZZLES = 4;
const ORDER = ["bag", "die", "cards", "tray", "pieces", "board", "coin", "two-dice", "hands", "items", "table"];

/**
 * @param {HTMLElement} container
 * @param {AbortSignal} signal
 */
export async function showStart(container, signal) {
  document.title = t`komi: play`;
  const lead = element("p", { class: "lead" }, introduction([]));
  const continued = element("section", { class: "begun", "aria-labelledby": "begun-title", hidden: true });
  const puzzles = element("p", { class: "puzzles", hidden: true });
  const shelf = element("div", { class: "shelves" }, element("p", { class: "small" }, t`Loading the games …`));
  const read = () => Promise.all([readGames({ over: "false" }), readInvitations()]);
  const resumable = retryWhileBusy(read, undefined, () => !signal.aborted).catch(() => /** @type {null} */ (null));
  container.append(
    element("section", { class: "hello" }, element("h1", {}, t`One more, or stop here?`), lead),
    element(
      "p",
      { class: "lobby-link" },
      element("a", { href: "#/lobby" }, t`Lobby: play with others, or watch`),
      " · ",
      element("a", { href: "#/class" }, t`Class`),
    ),
    puzzles,
    continued,
    element(
      "section",
      { "aria-labelledby": "games-title" },
      element("h2", { id: "games-title" }, t`Choose a game`),
      shelf,
    ),
    otherLanguages(),
  );
  const { games } = await readCatalog();
  lead.textContent = introduction(games);
  shelf.replaceChildren(...gameShelf(inOrder(games), signal));
  showPuzzles(
    puzzles,
    inOrder(games)
      .filter((game) => game.solved && game.players === 2 && !game.hides)
      .slice(0, MAX_PUZZLES),
  );
  resumable.then((found) => {
    if (found && !signal.aborted) showContinued(continued, found[0].games, found[1].invitations, games);
  });
}

/** Create the buttons that change to another language. */
function otherLanguages() {
  const others = languages().filter(([code]) => code !== language);
  return element(
    "p",
    { class: "languages", hidden: others.length === 0 },
    others.map(([code, name]) =>
      element("button", { type: "button", class: "quiet", lang: code, onclick: () => setLanguage(code) }, name),
    ),
  );
}

/**
 * Sort games by face, then by the length of their titles.
 * @param {Api.CatalogGameView[]} games
 */
function inOrder(games) {
  /** @param {Api.CatalogGameView} game */
  const rank = (game) => ORDER.indexOf(game.face) * 1000 + game.title.length;
  return [...games].sort((a, b) => rank(a) - rank(b));
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
  container.append(t`Puzzle of the day: `, ...links, ". ", element("a", { href: "#/puzzles" }, t`All puzzles`));
  container.hidden = false;
}

/**
 * @param {HTMLElement} section
 * @param {Api.GameSummaryView[]} played
 * @param {Api.InvitationView[]} waiting
 * @param {Api.CatalogGameView[]} games
 */
function showContinued(section, played, waiting, games) {
  /** @param {string} name */
  const titleOf = (name) => games.find((one) => one.name === name)?.title ?? name;
  const open = [...played].sort((a, b) => Number(b.turn) - Number(a.turn)).slice(0, MAX_CONTINUED);
  if (open.length + waiting.length === 0) return;
  section.hidden = false;
  section.append(
    element("h2", { id: "begun-title" }, t`Continue`),
    element(
      "ul",
      { class: "begun-list" },
      waiting.map((table) =>
        continuedItem(
          `#/join/${encodeURIComponent(table.id)}`,
          titleOf(table.game),
          describeWaiting(table),
          removeButton(withdrawal(table), titleOf(table.game), () => withdrawInvitation(table.id)),
        ),
      ),
      open.map((game) =>
        continuedItem(
          `#/game/${encodeURIComponent(game.id)}`,
          titleOf(game.game),
          `${describePlayers(
            game,
            games.find((one) => one.name === game.game),
          )}: ${howItStands(game)}, ${formatCount(game.number, "step")}`,
          removeButton(t`Remove`, titleOf(game.game), () => removeGame(game.id).then(() => recordRemoval(game.id))),
          formatDateTime(game.started),
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
 * @param {string} [started]
 */
function continuedItem(href, title, words, remove, started = null) {
  return element(
    "li",
    { class: "begun-game" },
    element(
      "a",
      { href },
      element("strong", {}, title),
      element("span", {}, words),
      started && element("small", {}, started),
    ),
    remove,
  );
}

/** @param {Api.InvitationView} table */
function withdrawal({ host, seated }) {
  if (host) return t`Close the table`;
  return seated ? t`Leave the table` : t`Decline`;
}

/** @param {Api.InvitationView} table */
function describeWaiting({ players, names, seated }) {
  if (!seated) return t`${displayName(names[0])} wants a rematch.`;
  if (names.length === players) return t`A table with friends: open it to reveal your number and start the game`;
  return tn(
    players - names.length,
    "A table with friends: one seat is free",
    "A table with friends: {0} seats are free",
  );
}

/**
 * Create a button that removes an item of the list when it is pressed twice.
 * @param {string} words
 * @param {string} title
 * @param {() => Promise<unknown>} remove
 */
function removeButton(words, title, remove) {
  const button = element("button", { type: "button", class: "quiet", "aria-label": `${words}: ${title}` }, words);
  let isArmed = false;
  button.addEventListener("click", async () => {
    if (!isArmed) {
      isArmed = true;
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
