/** The lobby: open tables, by game and clock, which anyone may join; and their games in progress, which anyone may watch. */

import { readCatalog, readLobby } from "./api.js";
import { describeClock } from "./clocks.js";
import { element, pause } from "./dom.js";
import { formatList, t, tn } from "./language.js";
import { capitalize, displayName, displayText } from "./words.js";

const POLL_INTERVAL = 4000; // milliseconds

/**
 * @param {HTMLElement} container
 * @param {AbortSignal} signal
 */
export async function showLobby(container, signal) {
  document.title = t`komi: lobby`;
  const [first, { games }] = await Promise.all([readLobby(), readCatalog()]);
  const lobby = new Lobby(games);
  container.append(...lobby.elements);
  lobby.show(first);
  lobby.poll(signal);
}

class Lobby {
  /** @param {Api.CatalogGameView[]} games */
  constructor(games) {
    this.games = games;
    /** @type {Api.LobbyResponse} */
    this.found = { waiting: [], running: [] };
    this.shown = "";
    this.game = this.filter("game", t`Game`);
    this.clock = this.filter("clock", t`Clock`);
    this.waiting = element("ul", { class: "begun-list" });
    this.running = element("ul", { class: "begun-list" });
    this.nobody = element("p", { role: "status" });
    this.watching = element(
      "section",
      { "aria-labelledby": "watch-title", hidden: true },
      element("h2", { id: "watch-title" }, t`Games to watch`),
      this.running,
    );
  }

  get elements() {
    return [
      element("h1", {}, t`Lobby`),
      element(
        "p",
        { class: "lead" },
        t`Tables that anyone may join. To open one, choose a game, then friends by link, and show the table in the lobby.`,
      ),
      element("form", { class: "filters", "aria-label": t`Lobby` }, this.game.parentElement, this.clock.parentElement),
      element(
        "section",
        { "aria-labelledby": "waiting-title" },
        element("h2", { id: "waiting-title" }, t`Waiting players`),
        this.nobody,
        this.waiting,
      ),
      this.watching,
      element("p", {}, element("a", { class: "button", href: "#/" }, t`Choose a game`)),
    ];
  }

  /**
   * Create a filter, in a label.
   * @param {string} name
   * @param {string} label
   */
  filter(name, label) {
    const choices = element("select", { name, oninput: () => this.list() }, element("option", { value: "" }, t`all`));
    element("label", {}, element("span", {}, label), choices);
    return choices;
  }

  /** @param {AbortSignal} signal */
  async poll(signal) {
    while (!signal.aborted) {
      await pause(POLL_INTERVAL);
      if (signal.aborted || document.visibilityState === "hidden") continue;
      try {
        const found = await readLobby();
        if (!signal.aborted) this.show(found);
      } catch {
        // The network comes back, or the next request fails as well.
      }
    }
  }

  /** @param {Api.LobbyResponse} found */
  show(found) {
    if (JSON.stringify(found) === this.shown) return;
    this.shown = JSON.stringify(found);
    this.found = found;
    const tables = [...found.waiting, ...found.running];
    fillChoices(
      this.game,
      tables.map(({ game }) => [game, this.titleOf(game)]),
    );
    fillChoices(
      this.clock,
      tables.map(({ clock }) => [clockWords(clock), clockWords(clock)]),
    );
    this.list();
  }

  /** List the tables that pass the filters. */
  list() {
    /** @param {{ game: string, clock: Api.TimeControlView | null }} table */
    const passes = ({ game, clock }) =>
      ["", game].includes(this.game.value) && ["", clockWords(clock)].includes(this.clock.value);
    const waiting = this.found.waiting.filter(passes);
    const running = this.found.running.filter(passes);
    this.waiting.replaceChildren(...waiting.map((table) => this.waitingItem(table)));
    this.running.replaceChildren(...running.map((table) => this.runningItem(table)));
    this.nobody.textContent =
      waiting.length === 0 ? t`Nobody is waiting now. New tables are shown here by themselves.` : "";
    this.watching.hidden = running.length === 0;
  }

  /** @param {Api.WaitingTableView} table */
  waitingItem(table) {
    const free = table.players - table.names.length;
    return this.item(
      `#/join/${encodeURIComponent(table.id)}`,
      table,
      table.seated ? t`Your table` : t`${formatList(table.names.map(displayName))} waiting`,
      tn(free, "one seat is free", "{0} seats are free"),
    );
  }

  /** @param {Api.RunningTableView} table */
  runningItem(table) {
    return this.item(
      `#/watch/${encodeURIComponent(table.watch)}`,
      table,
      formatList(table.names.map(displayName)),
      t`watch`,
    );
  }

  /**
   * @param {string} href
   * @param {{ game: string, rules: Page.Rules, clock: Api.TimeControlView | null }} table
   * @param {string} people
   * @param {string} more
   */
  item(href, table, people, more) {
    const terms = [clockWords(table.clock), ...this.changedRules(table)];
    return element(
      "li",
      { class: "begun-game" },
      element(
        "a",
        { href },
        element("strong", {}, this.titleOf(table.game)),
        element("span", {}, `${people}, ${more}`),
        element("small", {}, terms.join(" · ")),
      ),
    );
  }

  /** @param {{ game: string, rules: Page.Rules }} table */
  changedRules({ game, rules }) {
    const found = this.games.find((one) => one.name === game);
    const changed = found?.rules.filter((rule) => rules[rule.name] !== rule.default) ?? [];
    return changed.map(
      (rule) => `${capitalize(displayText(rule.name.replaceAll("_", " "), found.face))} ${rules[rule.name]}`,
    );
  }

  /** @param {string} name */
  titleOf(name) {
    return this.games.find((one) => one.name === name)?.title ?? name;
  }
}

/** @param {Api.TimeControlView | null} clock */
const clockWords = (clock) => (clock ? describeClock(clock) : t`No clock`);

/**
 * Offer these values besides all, and keep the chosen one.
 * @param {HTMLSelectElement} choices
 * @param {string[][]} values
 */
function fillChoices(choices, values) {
  const { value } = choices;
  const options = [...new Map(values.map(([each, words]) => [each, words]))].sort(([, a], [, b]) => a.localeCompare(b));
  choices.replaceChildren(
    element("option", { value: "" }, t`all`),
    ...options.map(([each, words]) => element("option", { value: each }, words)),
  );
  choices.parentElement.hidden = options.length < 2;
  choices.value = options.some(([each]) => each === value) ? value : "";
}
