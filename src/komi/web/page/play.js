/** A game being played: sends what the person chooses, shows what comes of it, and loses nothing on the way. */

import { ApiError, NetworkError, move, news, readCatalog, readGame, resign, takeBack } from "./api.js";
import { celebrate } from "./celebration.js";
import { curtain } from "./curtain.js";
import { pause } from "./dom.js";
import { faceOf } from "./faces/faces.js";
import { promisePanel } from "./fairness.js";
import { Guide } from "./guide.js";
import { Hint } from "./hint.js";
import { forgetMove, keepMove, keptMove } from "./kept.js";
import { LandscapePanel } from "./landscape.js";
import { t } from "./language.js";
import { Hurry, settle } from "./motion.js";
import { onSettings, settings } from "./settings.js";
import { becomeKnown } from "./rules.js";
import { finish } from "./sound.js";
import { keepRefused, keepSent, keepSteps } from "./promise.js";
import { HIDDEN, momentAfter } from "./standing.js";
import { Table } from "./table.js";
import { displayName } from "./words.js";

const FIRST_WAIT = 600;
const MAX_WAIT = 5000;
const THINKING = 550;
const READING = 450;
const POLL_INTERVAL = 1200; // milliseconds, while others are to move
const OWN_TURN_POLL_INTERVAL = 4000; // milliseconds, while this person is: the others may resign
const TABS = "BroadcastChannel" in globalThis ? new BroadcastChannel("komi.moves") : null; // of this browser
const ANOTHER = t`The server returned a different game.`;

/**
 * @param {HTMLElement} container
 * @param {string} id
 * @param {AbortSignal} signal
 */
export async function showGame(container, id, signal) {
  const [view, { games }] = await Promise.all([readGame(id), readCatalog()]);
  if (view.id !== id) throw new Error(ANOTHER);
  const game = games.find((one) => one.name === view.game);
  if (!game) throw new Error(t`This server does not offer ${view.game} any more.`);
  document.title = `komi: ${game.title}`;
  const play = new Play(container, view, game, signal);
  await play.setUp();
}

class Play {
  /**
   * @param {HTMLElement} container
   * @param {Page.View} view
   * @param {Api.CatalogGameView} game
   * @param {AbortSignal} signal
   */
  constructor(container, view, game, signal) {
    this.container = container;
    this.view = view;
    this.game = game;
    this.signal = signal;
    this.shown = Math.min(seen(view), view.number);
    keepSteps(view, game.hides);
    this.busy = false;
    this.guide = null;
    this.hurry = null;
    /** @type {number | null} */
    this.holder = null;
  }

  async setUp() {
    await this.handOver();
    await this.lay();
    addEventListener("keydown", (event) => this.press(event), { signal: this.signal });
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.refresh(), {
      signal: this.signal,
    });
    TABS?.addEventListener("message", ({ data }) => data === this.view.id && this.refresh(), { signal: this.signal });
    onSettings(() => this.lay(), this.signal);
    this.catchUp().then(() => this.sendKept());
    if (this.view.company === "link") this.listen();
  }

  /** At one device the next one's hand is not shown before the device is theirs. */
  async handOver() {
    const { view, game } = this;
    if (view.company !== "device" || !game.hides || view.result || this.holder === view.you) return;
    this.holder = view.you;
    if (this.table) this.table.root.hidden = true;
    await curtain(displayName(view.names[view.you]), this.signal);
    if (this.table) this.table.root.hidden = false;
  }

  /** Look again and again whether the others have done something. */
  async listen() {
    while (!this.signal.aborted && !this.view.result) {
      await pause(this.view.mover === this.view.you ? OWN_TURN_POLL_INTERVAL : POLL_INTERVAL);
      if (this.signal.aborted || this.busy || document.visibilityState === "hidden") continue;
      try {
        const { number, over } = await news(this.view.id);
        if (number !== this.view.number || over !== (this.view.result !== null)) await this.refresh();
      } catch {
        // The network comes back.
      }
    }
  }

  /** Send a move that was chosen before the page was closed and that the server has not received. */
  sendKept() {
    const kept = keptMove(this.view.id);
    if (!kept) return;
    const { id, log } = this.view;
    const happened = log[kept.number];
    if (happened?.label === kept.label && ["you", "hand"].includes(happened.by)) forgetMove(id);
    else this.change(() => move({ id, number: kept.number, log }, kept.label), kept); // if it is too late, the server says so
  }

  /** Lay the table, as it is now. */
  async lay() {
    const face = await faceOf(this.view);
    this.table = new Table(this.view, face, this.game, {
      send: (label) => this.choose(label),
      resign: () => this.change(() => resign(this.view.id), { number: this.view.number, label: null }),
      takeBack: () => this.takeBack(),
    });
    this.hint = new Hint(this.view, this.table);
    this.landscape = new LandscapePanel(this.view, this.signal);
    this.guide ??= new Guide(this.view, this.game);
    this.guide.gist = () => this.table.essence.textContent;
    this.table.essence.after(this.guide.root);
    this.table.beside.append(
      this.hint.root,
      this.landscape.root,
      this.table.history.root,
      promisePanel(this.view, this.game),
    );
    this.table.skip.addEventListener("click", () => this.hurry?.please());
    this.table.clocks?.run(this.signal, () => this.refresh());
    this.container.replaceChildren(this.table.root);
    this.table.show(this.shown);
    if (!this.busy && this.shown === this.view.number) this.rest();
  }

  /**
   * Send the person's choice, retrying until the server responds.
   * @param {string} label
   */
  async choose(label) {
    if (this.busy) return;
    const { view } = this;
    keepMove(view.id, view.number, label);
    await this.change(() => move(view, label), { number: view.number, label });
  }

  /**
   * Request a change of the game, retrying until the server responds, and show it; `sent` is stored for the check.
   * @param {() => Promise<Page.View>} send
   * @param {{ number: number, label: string | null }} [sent]
   */
  async change(send, sent = null) {
    if (this.busy) return;
    const { id } = this.view;
    if (sent) keepSent(id, sent.number, sent.label);
    this.busy = true;
    this.table.rest();
    this.hint.clear();
    try {
      this.take(await this.retry(send));
      this.table.showError("");
    } catch (error) {
      if (error instanceof ApiError && sent) keepRefused(id, sent.number, sent.label);
      if (error instanceof ApiError && error.game) this.take(error.game);
      this.table.showError(error.message);
    }
    if (!this.signal.aborted) forgetMove(this.view.id);
    TABS?.postMessage(this.view.id);
    this.busy = false;
    await this.catchUp();
  }

  /** Take back what was entered last, and lay the table as it was before. */
  async takeBack() {
    const { id, number, log } = this.view;
    await this.change(() => takeBack(id, number));
    if (this.view.number > number) return;
    this.shown = Math.min(
      this.view.number,
      Math.max(
        log.findLastIndex(({ by }) => by === "hand" || by === "you"),
        0,
      ),
    );
    await this.lay();
    await this.catchUp();
  }

  /** @param {() => Promise<Page.View>} send */
  async retry(send) {
    for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, MAX_WAIT)) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof NetworkError || error.after) || this.signal.aborted) throw error;
        this.table.showError(
          `${error.message} ${t`Your move is saved and will be sent again as soon as the server responds.`}`,
        );
        await Promise.race([
          pause(wait),
          new Promise((resolve) => addEventListener("online", resolve, { once: true })),
        ]);
      }
    }
  }

  /** Another tab, or another day, may have moved on. */
  async refresh() {
    if (this.busy) return;
    try {
      const view = await readGame(this.view.id);
      if (this.busy || (view.number === this.view.number && !view.result === !this.view.result)) return;
      this.take(view);
      this.shown = Math.min(this.shown, view.number);
      await this.catchUp();
    } catch {
      // The next move will say what is wrong.
    }
  }

  /** @param {Page.View} view */
  take(view) {
    if (view.id !== this.view.id) throw new Error(ANOTHER);
    this.view = view;
    keepSteps(view, this.game.hides);
    this.table.clocks?.set(view);
    this.table.view =
      this.hint.view =
      this.guide.view =
      this.landscape.view =
      this.table.history.view =
      this.table.face.view =
        view;
  }

  /** Show one after another what has happened since the last look. */
  async catchUp() {
    if (this.busy) return;
    this.busy = true;
    this.table.rest();
    await this.handOver();
    this.hurry = new Hurry();
    const happened = [];
    const isNews = this.view.result && !this.concluded;
    this.table.skip.hidden = this.view.number - this.shown < 4;
    while (this.shown < this.view.number && !this.signal.aborted) {
      happened.push(await this.happen(this.view.log[this.shown]));
    }
    this.busy = false;
    if (this.signal.aborted) return;
    this.table.skip.hidden = true;
    remember(this.view);
    this.table.show(this.shown);
    this.rest(happened.filter(Boolean));
    if (isNews && (happened.length > 0 || this.view.result.resigned !== null)) this.end();
  }

  /**
   * One entry of the log happens before the person's eyes.
   * @param {Page.Line} entry
   */
  async happen(entry) {
    const { table, hurry } = this;
    if (entry.label === HIDDEN) {
      this.shown = entry.number + 1;
      return null;
    }
    const before = momentAfter(this.view, entry.number);
    const after = momentAfter(this.view, entry.number + 1);
    const isAnnounced = entry.kind === "action" && this.view.log[entry.number + 1]?.kind === "event";
    const sentence = after.state ? table.sentence(entry) : null;
    const theirs = entry.seat !== this.view.you;
    if (theirs && entry.kind === "action") await settle(THINKING, hurry);
    if (sentence && entry.kind === "action") table.say(sentence);
    if (after.state) await table.face.happen(entry, before, after, hurry);
    if (sentence && entry.kind === "event") table.say(sentence);
    this.shown = entry.number + 1;
    table.show(this.shown);
    if (!isAnnounced) await settle(READING, hurry);
    return isAnnounced && !theirs ? null : sentence;
  }

  /**
   * It is the person's turn, or the game is over.
   * @param {string[]} [happened]
   */
  rest(happened = []) {
    this.table.offer();
    this.table.conclude(happened);
    this.hint.offer();
    this.guide.follow();
    this.landscape.follow();
    if (this.view.settled) this.settle();
    if (this.view.result && this.concluded !== this.table) this.showEnd();
  }

  /** Nothing is left to decide: the only action is taken for the person. */
  async settle() {
    this.table.rest();
    const { number } = this.view;
    await settle(READING, this.hurry ?? new Hurry());
    if (!this.signal.aborted && !this.busy && this.view.number === number)
      await this.choose(this.view.actions[0].label);
  }

  /** The game has just ended before the person's eyes. */
  end() {
    const well = hasDoneWell(this.view);
    finish(well);
    if (well) celebrate(this.signal);
    becomeKnown(this.game.name);
    if (document.activeElement === document.body) this.table.message.focus({ preventScroll: true }); // the buttons are gone
  }

  async showEnd() {
    this.concluded = this.table;
    this.table.root.classList.add("over");
    const { showEnding } = await import("./ending.js");
    await showEnding(this.table, this.view, this.game, this.signal);
    const { consentQuestion } = await import("./consent.js");
    const question = await consentQuestion();
    if (question && !this.signal.aborted) this.table.end.append(question);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (!settings.shortcuts || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (
      /** @type {Element} */ (event.target).matches("input, select, textarea") ||
      document.querySelector("dialog[open]")
    )
      return;
    if (event.key === "Escape" && this.busy) this.hurry?.please();
    else if (event.key === "?") this.hint.show();
    else if (this.busy || !this.table.face.press?.(event.key.toLowerCase())) {
      const button = this.table.buttonFor(event.key.toLowerCase());
      if (!button || this.busy) return;
      button.focus();
      button.click();
    }
    event.preventDefault();
  }
}

/**
 * Whether the person got more than an even share.
 * @param {Page.View} view
 */
function hasDoneWell({ result, you, players }) {
  return players === 1 ? result.you === "won" : result.payoffs[you] > 1 / players || result.you === "shared";
}

/**
 * How much of the game this tab has shown already.
 * @param {Page.View} view
 */
function seen(view) {
  const number = sessionStorage.getItem(`komi.seen.${view.id}`);
  return number === null ? view.number : Number(number);
}

/** @param {Page.View} view */
function remember(view) {
  sessionStorage.setItem(`komi.seen.${view.id}`, String(view.number));
}
