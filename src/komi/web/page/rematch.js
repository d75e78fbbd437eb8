/** The rematch after a game among friends: a player proposes it, the others see that at the ended game and accept or decline;
 * and the score of the games that followed each other. */

import { readRematch, withdrawInvitation } from "./api.js";
import { callAttention } from "./attention.js";
import { openTable, takeSeat } from "./begin.js";
import { commitmentOf, sortKeys } from "./commitment.js";
import { announce, element, pause } from "./dom.js";
import { formatList, formatNumber, t } from "./language.js";
import { displayName, nameOf } from "./words.js";

/** @type {Omit<Api.RematchResponse, "phrases">} */
const NONE = { table: null, games: 1, score: [] };
const FIRST_POLL_INTERVAL = 3000; // milliseconds
const MAX_POLL_INTERVAL = 30_000;
const SLOWER = 1.03; // factor of the interval after each request

/**
 * Create the controls for a rematch, which follow what the others do until the page is left.
 * @param {Page.View} view
 * @param {Api.CatalogGameView} game
 * @param {(phrases: Api.PhraseView[]) => void} hear called with what the players say
 * @param {AbortSignal} signal
 */
export function rematchSection(view, game, hear, signal) {
  const section = new RematchSection(view, game, hear);
  section.poll(signal);
  return section.root;
}

class RematchSection {
  /**
   * @param {Page.View} view
   * @param {Api.CatalogGameView} game
   * @param {(phrases: Api.PhraseView[]) => void} hear
   */
  constructor(view, game, hear) {
    this.view = view;
    this.game = game;
    this.hear = hear;
    this.shown = "";
    this.status = element("p", { role: "status" });
    this.buttons = element("div", { class: "row" });
    this.score = element("p", { class: "small", hidden: true });
    this.root = element(
      "section",
      { class: "rematch", "aria-label": t`Rematch` },
      this.status,
      this.buttons,
      this.score,
    );
    this.show(NONE);
  }

  /** @param {AbortSignal} signal */
  async poll(signal) {
    for (
      let interval = FIRST_POLL_INTERVAL;
      !signal.aborted;
      interval = Math.min(interval * SLOWER, MAX_POLL_INTERVAL)
    ) {
      try {
        const rematch = await readRematch(this.view.id);
        if (signal.aborted) return;
        this.hear(rematch.phrases);
        this.show(rematch);
      } catch {
        // The network comes back, or the next request fails as well.
      }
      await pause(interval);
      if (!this.root.isConnected) return;
    }
  }

  /** @param {Omit<Api.RematchResponse, "phrases">} rematch */
  show({ table, games, score }) {
    const shown = JSON.stringify([table, games, score]);
    if (shown === this.shown) return;
    this.shown = shown;
    const [sentence, buttons] = this.describe(table);
    this.status.textContent = sentence;
    this.buttons.replaceChildren(...buttons);
    this.score.hidden = games < 2;
    const parts = score.map((won, seat) => `${nameOf(this.view, seat)} ${formatNumber(won, 2)}`);
    this.score.textContent = games < 2 ? "" : t`After ${games} games: ${formatList(parts)}`;
  }

  /**
   * Return the sentence and the buttons for the table of the rematch, if there is one.
   * @param {Api.InvitationView | null} table
   * @returns {[string, HTMLElement[]]}
   */
  describe(table) {
    const isFull = table && table.names.length === table.players;
    if (table?.seated) {
      const words = table.begun ? t`To the rematch` : t`To the table`;
      const link = element("a", { class: "button primary", href: `#/join/${encodeURIComponent(table.id)}` }, words);
      return [table.begun ? "" : t`You have a seat: the game begins when all have accepted.`, [link]];
    }
    if (table && !isFull) {
      const sentence = t`${displayName(table.names[0])} wants a rematch.`;
      announce(sentence);
      callAttention(sentence);
      return [
        sentence,
        [this.button(t`Accept`, () => this.accept(table)), this.button(t`Decline`, () => this.decline(table), "")],
      ];
    }
    if (table) return [t`The rematch has begun without you.`, []];
    const words = this.view.players === 2 ? t`Rematch with seats exchanged` : t`Rematch, one seat on`;
    return ["", [this.button(words, () => this.propose())]];
  }

  /**
   * @param {string} words
   * @param {() => Promise<void>} act
   * @param {string} [style]
   */
  button(words, act, style = "primary") {
    const button = element("button", { type: "button", class: style }, words);
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        await act();
      } catch (error) {
        this.status.textContent = error.message;
      }
      button.disabled = false;
    });
    return button;
  }

  /** The terms of the rematch: those of the game, with the seat of the player who proposes it. */
  terms(/** @type {boolean} */ isHost) {
    const { rules, players, you, clock } = this.view;
    const isSecond = isHost ? you === 0 : you === 1;
    /** @type {Api.InvitationView["seat"]} */
    const seat = players > 2 ? "next" : isSecond ? "second" : "first";
    return { rules, seat, clock: clock && { minutes: clock.minutes, seconds: clock.seconds } };
  }

  async propose() {
    const options = {
      game: this.view.game,
      mode: this.view.mode,
      opponent: /** @type {null} */ (null),
      ...this.terms(true),
    };
    const table = await openTable(this.game, options, this.view.id);
    if (table.seated) location.hash = `#/join/${encodeURIComponent(table.id)}`;
    else await this.accept(table); // another player has proposed it at the same time
  }

  /**
   * Take a seat, if the table has the terms of the game; else show it first.
   * @param {Api.InvitationView} table
   */
  async accept(table) {
    const key = commitmentOf(this.view.id)?.key ?? null;
    const { rules, seat, clock } = table;
    const isSame = JSON.stringify(sortKeys({ rules, seat, clock })) === JSON.stringify(sortKeys(this.terms(false)));
    if (isSame) await takeSeat({ ...table, follows: this.view.id }, this.game, key);
    location.hash = ["#/join", encodeURIComponent(table.id), key].filter(Boolean).join("/");
  }

  /** @param {Api.InvitationView} table */
  async decline(table) {
    await withdrawInvitation(table.id);
    this.show(NONE);
  }
}
