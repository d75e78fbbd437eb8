/** A class: the teacher opens a room and sees its board, and pupils join by its code and play. */

import { boardAddress, findRoom, joinRoom, leaveRoom, readBoard, readCatalog, readMe, readRooms } from "./api.js";
import { startGame } from "./begin.js";
import { confirmButton, element, pause } from "./dom.js";
import { formatNumber, t } from "./language.js";
import { addressOf, linkField } from "./links.js";
import { waitUntilPlayable } from "./preparing.js";
import { capitalize, displayText, percent, titleOf } from "./words.js";

const POLL_INTERVAL = 5000; // milliseconds
const MAX_ACTIONS = 4; // of a pupil's row, the most frequent ones

/**
 * Show the rooms of this person, or the room with this code.
 * @param {HTMLElement} container
 * @param {string} code the code in the link, or ""
 * @param {AbortSignal} signal
 */
export async function showClasses(container, code, signal) {
  document.title = t`komi: class`;
  const [{ rooms }, { games }] = await Promise.all([readRooms(), readCatalog()]);
  container.append(element("h1", {}, t`Class`));
  const room = code ? await findRoom(code) : null;
  if (room) return showRoom(container, room, games, signal);
  container.append(
    element(
      "p",
      { class: "lead" },
      t`To open a room, choose a game, its rules and an opponent, and press Open a room for a class. Pupils join by the code; your board shows what they play.`,
    ),
    codeForm(),
    element(
      "ul",
      { class: "begun-list" },
      rooms.map((each) => roomItem(each, games)),
    ),
    element("p", {}, element("a", { class: "button", href: "#/" }, t`Choose a game`)),
  );
}

/** Create the form in which a pupil enters the code of a room. */
function codeForm() {
  const field = element("input", {
    id: "room",
    maxlength: 40,
    required: true,
    autocomplete: "off",
    autocapitalize: "none",
  });
  const form = element(
    "form",
    { class: "field room-code" },
    element("label", { for: "room" }, t`The code of a room`),
    element("div", { class: "row" }, field, element("button", { type: "submit", class: "primary" }, t`Enter`)),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = linkTo(field.value);
  });
  return form;
}

/** @param {string} code */
const linkTo = (code) =>
  `#/class/${encodeURIComponent(
    code
      .trim()
      .toLowerCase()
      .replace(/[^a-z]+/g, "-"),
  )}`;

/**
 * @param {Api.RoomView} room
 * @param {Api.CatalogGameView[]} games
 */
function roomItem(room, games) {
  const game = games.find((each) => each.name === room.game);
  return element(
    "li",
    { class: "begun-game" },
    element(
      "a",
      { href: linkTo(room.code) },
      element("strong", {}, game?.title ?? room.game),
      element("span", {}, room.teacher ? t`your room` : t`you have joined`),
      element("small", {}, room.code),
    ),
  );
}

/**
 * @param {HTMLElement} container
 * @param {Api.RoomView} room
 * @param {Api.CatalogGameView[]} games
 * @param {AbortSignal} signal
 */
async function showRoom(container, room, games, signal) {
  const game = games.find((each) => each.name === room.game);
  if (!game) throw new Error(t`This server does not offer ${room.game} any more.`);
  const changed = game.rules.filter((rule) => room.rules[rule.name] !== rule.default);
  const terms = [
    room.opponent && t`against ${titleOf(room.opponent, game)}`,
    ...changed.map(
      ({ name }) => `${capitalize(displayText(name.replaceAll("_", " "), game.face))} ${room.rules[name]}`,
    ),
  ];
  container.append(element("p", { class: "lead" }, [game.title, ...terms.filter(Boolean)].join(" · ")));
  if (room.teacher) await showBoard(container, room, game, signal);
  else container.append(room.joined ? pupilSection(room, game, signal) : await joinSection(room));
}

/**
 * Show the code and the board of the teacher's room, and keep it current.
 * @param {HTMLElement} container
 * @param {Api.RoomView} room
 * @param {Api.CatalogGameView} game
 * @param {AbortSignal} signal
 */
async function showBoard(container, room, game, signal) {
  const board = element("div", { class: "board-rows" });
  const status = element("p", { class: "small", role: "status" });
  const close = async () => {
    await leaveRoom(room.id);
    location.hash = "#/class";
  };
  container.append(
    element(
      "section",
      { class: "panel device", "aria-labelledby": "code-title" },
      element("h2", { id: "code-title" }, t`The code`),
      element("p", { class: "device-words", lang: "zxx" }, room.code),
      linkField(t`Link for the pupils`, addressOf(linkTo(room.code))),
    ),
    element(
      "section",
      { class: "panel", "aria-labelledby": "board-title" },
      element("h2", { id: "board-title" }, t`Board of the class`),
      board,
      status,
      element(
        "div",
        { class: "row" },
        element("a", { class: "button", href: boardAddress(room.id), download: "komi-class.csv" }, t`Save as CSV`),
        confirmButton(t`Close the room`, t`Close it for good`, close, { class: "" }),
      ),
    ),
  );
  const first = await readBoard(room.id);
  showPupils(board, first.pupils, game);
  keepCurrent(room.id, JSON.stringify(first), (found) => showPupils(board, found.pupils, game), signal);
}

/**
 * @param {string} id
 * @param {string} shown
 * @param {(found: Api.BoardResponse) => void} show
 * @param {AbortSignal} signal
 */
async function keepCurrent(id, shown, show, signal) {
  while (!signal.aborted) {
    await pause(POLL_INTERVAL);
    if (signal.aborted || document.visibilityState === "hidden") continue;
    try {
      const found = await readBoard(id);
      if (signal.aborted || JSON.stringify(found) === shown) continue;
      shown = JSON.stringify(found);
      show(found);
    } catch {
      // The network comes back, or the next request fails as well.
    }
  }
}

/**
 * @param {HTMLElement} board
 * @param {Api.PupilView[]} pupils
 * @param {Api.CatalogGameView} game
 */
function showPupils(board, pupils, game) {
  if (pupils.length === 0) return board.replaceChildren(element("p", {}, t`Nobody has joined yet.`));
  /** @type {Record<string, number>} */
  const all = {};
  for (const { actions } of pupils)
    for (const [label, count] of Object.entries(actions)) all[label] = (all[label] ?? 0) + count;
  const heads = [t`Name`, t`Games`, t`Won`, t`Given away per decision`, t`Actions`];
  board.replaceChildren(
    element(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": t`All pupils` },
      element(
        "table",
        { class: "class-board" },
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            heads.map((head) => element("th", { scope: "col" }, head)),
          ),
        ),
        element(
          "tbody",
          {},
          pupils.map((pupil) => pupilRow(pupil, game)),
        ),
      ),
    ),
    element("h3", {}, t`All together`),
    element(
      "ul",
      { class: "class-actions" },
      sharesOf(all).map(([label, share]) => bar(label, share, game)),
    ),
  );
}

/**
 * Return the shares of the most frequent actions.
 * @param {Record<string, number>} actions
 * @returns {[string, number][]}
 */
function sharesOf(actions) {
  const total = Object.values(actions).reduce((sum, count) => sum + count, 0);
  const ordered = Object.entries(actions).sort(([, a], [, b]) => b - a);
  return ordered.slice(0, MAX_ACTIONS).map(([label, count]) => [label, count / total]);
}

/**
 * @param {Api.PupilView} pupil
 * @param {Api.CatalogGameView} game
 */
function pupilRow({ name, playing, games, won, loss, actions }, game) {
  const words = sharesOf(actions).map(([label, share]) => `${displayText(label, game.face)} ${percent(share, 0)}`);
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, name, playing && element("span", { class: "badge" }, t`plays`)),
    element("td", {}, formatNumber(games)),
    element("td", {}, formatNumber(won, 2)),
    element("td", {}, loss === null ? "–" : percent(loss, 2)),
    element("td", {}, words.join(", ") || "–"),
  );
}

/**
 * @param {string} label
 * @param {number} share
 * @param {Api.CatalogGameView} game
 */
function bar(label, share, game) {
  const row = element(
    "li",
    {},
    element("span", {}, capitalize(displayText(label, game.face))),
    element("strong", {}, percent(share, 0)),
  );
  row.style.setProperty("--share", String(share));
  return row;
}

/**
 * Create the section in which a pupil joins.
 * @param {Api.RoomView} room
 */
async function joinSection(room) {
  const status = element("p", { class: "small", role: "status" });
  const { name } = await readMe();
  const field = element("input", {
    id: "pupil",
    maxlength: 40,
    required: true,
    value: name ?? "",
    autocomplete: "nickname",
  });
  const form = element(
    "form",
    { class: "field" },
    element("label", { for: "pupil" }, t`Your name on the board`),
    field,
    element("button", { type: "submit", class: "primary" }, t`Join the class`),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await joinRoom(room.code, field.value.trim());
      dispatchEvent(new HashChangeEvent("hashchange"));
    } catch (error) {
      status.textContent = error.message;
    }
  });
  return element(
    "section",
    { class: "panel device", "aria-labelledby": "join-title" },
    element("h2", { id: "join-title" }, t`Join the class`),
    element(
      "p",
      {},
      t`The teacher sees this name, and your games with these rules from now on: results, losses and actions.`,
    ),
    form,
    status,
  );
}

/**
 * Create the section in which a pupil plays, or leaves the room.
 * @param {Api.RoomView} room
 * @param {Api.CatalogGameView} game
 * @param {AbortSignal} signal
 */
function pupilSection(room, game, signal) {
  const status = element("p", { class: "small", role: "status" });
  const progress = element("div", { class: "wait" });
  const start = element("button", { type: "button", class: "primary large" }, t`Play`);
  start.addEventListener("click", async () => {
    start.disabled = true;
    /** @type {Page.Options} */
    const options = {
      game: room.game,
      rules: room.rules,
      opponent: room.opponent || null,
      seat: "first",
      mode: "normal",
    };
    try {
      await waitUntilPlayable(progress, options, signal);
      if (!signal.aborted) location.hash = `#/game/${encodeURIComponent(await startGame(game, options))}`;
    } catch (error) {
      status.textContent = error.message;
    }
    start.disabled = false;
  });
  const leave = async () => {
    await leaveRoom(room.id);
    location.hash = "#/class";
  };
  return element(
    "section",
    { class: "panel device", "aria-labelledby": "play-title" },
    element("h2", { id: "play-title" }, t`You have joined the class`),
    element(
      "p",
      {},
      t`Each game with these rules against this opponent counts, also when you press Play again after it.`,
    ),
    start,
    progress,
    confirmButton(t`Leave the class`, t`Leave for good`, leave),
    status,
  );
}
