/** A table that waits for players. Anyone with the link takes a seat by committing to a number. When all seats are taken,
 * the browsers reveal their numbers, and the game begins with the last one. */

import { NetworkError, readCatalog, readInvitation, reveal, withdrawInvitation } from "./api.js";
import { takeSeat } from "./begin.js";
import { describeClock } from "./clocks.js";
import { announce, element, pause } from "./dom.js";
import { termsList } from "./fairness.js";
import { t, tn } from "./language.js";
import { addressOf, linkField } from "./links.js";
import { sceneOf } from "./pictures.js";
import { hashOf, storeHashes, commitmentOf, termsOf } from "./commitment.js";
import { rulesButton } from "./rules.js";
import { displayName, capitalize, displayText } from "./words.js";

const POLL_INTERVAL = 1500; // milliseconds
const KEY = /^[0-9a-f]{32}$/;

/**
 * @param {HTMLElement} container
 * @param {string} id
 * @param {string | null} key the key in the link; the host's browser has stored it
 * @param {AbortSignal} signal
 */
export async function showTable(container, id, key, signal) {
  const [table, { games }] = await Promise.all([readInvitation(id), readCatalog()]);
  const game = games.find((one) => one.name === table.game);
  if (!game) throw new Error(t`This server does not offer ${table.game} any more.`);
  document.title = t`komi: a table of ${game.title}`;
  const waitingTable = new WaitingTable(
    container,
    table,
    game,
    KEY.test(key) ? key : (commitmentOf(id)?.key ?? null),
    signal,
  );
  waitingTable.show();
  waitingTable.poll();
}

class WaitingTable {
  /**
   * @param {HTMLElement} container
   * @param {Api.InvitationView} table
   * @param {Api.CatalogGameView} game
   * @param {string | null} key
   * @param {AbortSignal} signal
   */
  constructor(container, table, game, key, signal) {
    this.container = container;
    this.table = table;
    this.game = game;
    this.key = key;
    this.signal = signal;
    this.alert = element("p", { class: "notice", role: "alert", hidden: true });
  }

  show() {
    const { table, game } = this;
    if (table.begun && table.seated) {
      location.replace(`#/game/${encodeURIComponent(table.id)}`);
      return;
    }
    this.container.replaceChildren(
      element(
        "header",
        { class: `setup-head stage-${game.face}` },
        sceneOf(game),
        element(
          "div",
          { class: "setup-title" },
          element("h1", {}, game.title),
          element("p", {}, this.summary()),
          this.rules(),
          rulesButton(game, () => table.rules),
        ),
      ),
      element(
        "section",
        { class: "panel", "aria-labelledby": "seats-title" },
        element("h2", { id: "seats-title" }, t`At the table`),
        element(
          "ol",
          { class: "places" },
          Array.from({ length: table.players }, (_, i) =>
            element(
              "li",
              { class: table.names[i] ? "taken" : "" },
              table.names[i] ? displayName(table.names[i]) : t`a free seat`,
            ),
          ),
        ),
        table.clock && element("p", { class: "small" }, describeClock(table.clock)),
        table.open && element("p", { class: "small" }, t`The table is in the lobby: anyone may join and watch.`),
        table.seated ? this.links() : this.joinButton(),
        this.alert,
      ),
      element(
        "section",
        { class: "panel promise", "aria-labelledby": "promise-title" },
        element("h2", { id: "promise-title" }, t`Verified randomness`),
        element(
          "p",
          { class: "small" },
          t`The server has committed to a secret seed with this hash. Each browser commits to a number of its own; the numbers are revealed when all seats are taken. After the game, your browser checks everything.`,
        ),
        element("code", { class: "hash" }, table.hash),
        termsList(this.terms(), game),
      ),
    );
  }

  summary() {
    const { table } = this;
    if (table.begun) return t`This game has begun, and all seats are taken.`;
    if (table.seated && table.names.length === table.players)
      return t`All seats are taken: the game begins when every browser has revealed its number.`;
    if (table.seated && table.rematch)
      return t`The players of the last game see your invitation there. Send the link to those who have left.`;
    if (table.seated)
      return tn(
        table.players - table.names.length,
        "Waiting for one more player. The game begins automatically.",
        "Waiting for {0} more players. The game begins automatically.",
      );
    return table.rematch
      ? t`${displayName(table.names[0])} wants a rematch.`
      : t`${displayName(table.names[0])} invites you to play.`;
  }

  rules() {
    const changed = this.game.rules.filter((rule) => this.table.rules[rule.name] !== rule.default);
    if (changed.length === 0) return null;
    return element(
      "small",
      {},
      changed
        .map(
          (rule) =>
            `${capitalize(displayText(rule.name.replaceAll("_", " "), this.game.face))} ${this.table.rules[rule.name]}`,
        )
        .join(" · "),
    );
  }

  joinButton() {
    if (this.table.begun) return element("a", { class: "button", href: "#/" }, t`To the games`);
    return element("button", { type: "button", class: "primary large", onclick: () => this.join() }, t`Take a seat`);
  }

  links() {
    const { table } = this;
    return element(
      "div",
      { class: "links" },
      linkField(
        table.players > 2 ? t`Send this link to the others` : t`Send this link to the other player`,
        addressOf(["#/join", table.id, this.key].filter(Boolean).join("/")),
      ),
      !this.game.hides && linkField(t`Link for spectators`, addressOf(`#/watch/${table.watch}`)),
      table.host &&
        element("button", { type: "button", class: "quiet", onclick: () => this.withdraw() }, t`Close the table`),
    );
  }

  /** Return the terms that the table currently states. */
  terms() {
    const { rules, seat, clock, players } = this.table;
    const terms = termsOf(this.game, { rules, seat, clock }, "link");
    return { ...terms, players: terms.players ?? players };
  }

  async join() {
    await this.attempt(async () => {
      this.table = await takeSeat(this.table, this.game, this.key);
      announce(t`You have a seat.`);
      this.show();
      await this.reveal();
    });
  }

  /** Reveal this browser's number when all players have committed to theirs, if the terms are still the agreed ones. */
  async reveal() {
    const { id, seated, revealed, begun, names, players, number_hashes: hashes } = this.table;
    const stored = commitmentOf(id);
    if (!seated || revealed || begun || names.length < players) return;
    if (!stored) throw new Error(t`Your number is stored in the browser in which you took your seat: continue there.`);
    if (!this.hasAgreedTerms(stored))
      throw new Error(
        t`The table has changed since you took your seat: your number is not revealed, and the game does not begin.`,
      );
    storeHashes(id, hashes);
    this.table = await reveal(id, stored.number);
    this.show();
  }

  /**
   * Return whether the table has the agreed terms and one commitment for each seat, including this browser's. If this browser
   * has already revealed its number, the commitments must be those of that time.
   * @param {Page.StoredCommitment} stored
   */
  hasAgreedTerms({ hash, number, rules, players, seat, clock, isHost, hashes }) {
    const { table } = this;
    const terms = this.terms();
    const ownIndex = table.number_hashes.indexOf(hashOf(number));
    const guests = table.number_hashes.slice(1);
    return (
      table.hash === hash &&
      table.game === this.game.name &&
      isEqual(terms.rules, rules) &&
      terms.seat === seat &&
      isEqual(terms.clock, clock) &&
      table.players === (players ?? table.players) &&
      table.number_hashes.length === table.players &&
      new Set(table.number_hashes).size === table.players &&
      (isHost ? ownIndex === 0 : ownIndex > 0) &&
      isEqual(guests, [...guests].sort()) &&
      isEqual(hashes ?? table.number_hashes, table.number_hashes)
    );
  }

  withdraw() {
    return this.attempt(async () => {
      await withdrawInvitation(this.table.id);
      location.hash = "#/";
    });
  }

  /** @param {() => Promise<void>} action */
  async attempt(action) {
    try {
      await action();
    } catch (error) {
      this.showError(error);
    }
  }

  /** @param {Error} error */
  showError(error) {
    this.alert.textContent = error.message;
    this.alert.hidden = false;
  }

  /** Poll the table until the game begins. */
  async poll() {
    while (!this.signal.aborted && !this.table.begun) {
      await this.reveal().catch((error) => error instanceof NetworkError || this.showError(error));
      await pause(POLL_INTERVAL);
      if (this.signal.aborted) continue; // hidden tabs poll too: the other players wait for this number
      try {
        const table = await readInvitation(this.table.id);
        if (this.signal.aborted || JSON.stringify(table) === JSON.stringify(this.table)) continue;
        this.table = table;
        this.show();
      } catch (error) {
        if (error.status !== 404) continue; // a network error: try again
        this.showError(this.table.rematch ? new Error(t`The rematch was declined, or the table was closed.`) : error);
        return;
      }
    }
  }
}

/**
 * @param {unknown} one
 * @param {unknown} other
 */
const isEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);
