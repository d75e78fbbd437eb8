/** Your games, running and finished, with filters; each opens with its replay, its review and its link to share. */

import { readCatalog, readGames } from "./api.js";
import { announce, element } from "./dom.js";
import { t, tn } from "./language.js";
import { describePlayers, formatCount, formatDateTime, howItStands, titleOf } from "./words.js";

/**
 * @param {HTMLElement} container
 * @param {AbortSignal} signal
 */
export async function showArchive(container, signal) {
  document.title = t`komi: my games`;
  const [first, { games }] = await Promise.all([readGames(), readCatalog()]);
  container.append(element("h1", {}, t`My games`));
  if (first.played.length === 0) {
    container.append(
      element("p", { class: "lead" }, t`No games yet. Every game that you begin is kept here.`),
      element("p", {}, element("a", { class: "button primary", href: "#/" }, t`Choose a game`)),
    );
    return;
  }
  container.append(...new Archive(first, games, signal).elements);
}

class Archive {
  /**
   * @param {Api.GamesResponse} first
   * @param {Api.CatalogGameView[]} games
   * @param {AbortSignal} signal
   */
  constructor(first, games, signal) {
    this.games = games;
    this.signal = signal;
    this.list = element("ul", { class: "begun-list archive" });
    this.status = element("p", { class: "small", role: "status" });
    this.more = element("button", { type: "button", onclick: () => this.read(this.list.lastElementChild.id) }, t`More`);
    this.form = this.filters(first.played);
    this.show(first, true);
  }

  get elements() {
    return [this.form, this.status, this.list, this.more];
  }

  /** @param {Api.PlayedView[]} played */
  filters(played) {
    const form = element(
      "form",
      { class: "filters", role: "search", "aria-label": t`My games`, onsubmit: (event) => event.preventDefault() },
      choice(
        "game",
        t`Game`,
        pairs(
          played,
          (pair) => pair.game,
          (pair) => this.titleOfGame(pair.game),
        ),
      ),
      choice(
        "opponent",
        t`Against`,
        pairs(
          played,
          (pair) => pair.opponent,
          (pair) => this.rivalOf(pair),
        ),
      ),
      choice("result", t`Result`, [
        ["running", t`running`],
        ["won", t`won`],
        ["lost", t`lost`],
        ["drew", t`drawn`],
        ["shared", t`win shared`],
        ["got", t`points alone`],
      ]),
      element(
        "label",
        { hidden: !played.some((pair) => pair.opponent === "people") },
        element("span", {}, t`Name of a player`),
        element("input", { type: "search", name: "text", maxlength: "40", autocomplete: "off" }),
      ),
    );
    form.addEventListener("input", () => this.read());
    return form;
  }

  /**
   * Read the games that pass the filters: the first ones, or those after the game with this id.
   * @param {string} [before]
   */
  async read(before) {
    const chosen = Object.fromEntries([...new FormData(this.form)].filter(([, value]) => value !== ""));
    if (chosen.result === "running") {
      delete chosen.result;
      chosen.over = "false";
    }
    const question = { ...chosen, ...(before && { before }) };
    const asked = (this.asked = JSON.stringify(question));
    try {
      const found = await readGames(question);
      if (this.asked === asked && !this.signal.aborted) this.show(found, !before);
    } catch (error) {
      this.status.textContent = error.message;
    }
  }

  /**
   * @param {Api.GamesResponse} found
   * @param {boolean} isNew
   */
  show({ games, more }, isNew) {
    const items = games.map((game) => this.item(game));
    if (isNew) this.list.replaceChildren(...items);
    else {
      this.list.append(...items);
      items[0]?.querySelector("a").focus();
    }
    const count = this.list.childElementCount;
    this.more.hidden = !more;
    this.status.textContent = count === 0 ? t`No game of yours is like this.` : "";
    if (this.form.isConnected) announce(more ? t`${count} games, and more` : tn(count, "{0} game", "{0} games"));
  }

  /** @param {Api.GameSummaryView} game */
  item(game) {
    return element(
      "li",
      { id: game.id, class: `begun-game ${game.result ?? (game.over ? "ended" : "running")}` },
      element(
        "a",
        { href: `#/game/${game.id}` },
        element("strong", {}, this.titleOfGame(game.game)),
        element("span", {}, describePlayers(game, this.catalogGame(game.game))),
        element("span", { class: "ended-how" }, `${howItStands(game)}, ${formatCount(game.number, "step")}`),
        element("small", {}, formatDateTime(game.ended ?? game.started)),
      ),
    );
  }

  /** @param {string} name */
  catalogGame(name) {
    return this.games.find((one) => one.name === name);
  }

  /** @param {string} name */
  titleOfGame(name) {
    return this.catalogGame(name)?.title ?? name;
  }

  /** @param {Api.PlayedView} pair */
  rivalOf({ game, opponent }) {
    if (opponent === "people") return t`people`;
    return opponent === "alone" ? t`alone` : titleOf(opponent, this.catalogGame(game));
  }
}

/**
 * Return the different values of the pairs, each with its words, in the order of these.
 * @param {Api.PlayedView[]} played
 * @param {(pair: Api.PlayedView) => string} value
 * @param {(pair: Api.PlayedView) => string} words
 */
function pairs(played, value, words) {
  return [...new Map(played.map((pair) => [value(pair), words(pair)]))].sort(([, a], [, b]) => a.localeCompare(b));
}

/**
 * Create a choice of a filter.
 * @param {string} name
 * @param {string} label
 * @param {string[][]} options
 */
function choice(name, label, options) {
  return element(
    "label",
    { hidden: options.length < 2 },
    element("span", {}, label),
    element(
      "select",
      { name },
      element("option", { value: "" }, t`all`),
      options.map(([value, words]) => element("option", { value }, words)),
    ),
  );
}
