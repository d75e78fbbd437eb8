/** The page of a game in progress: sends the user's moves, retries until the server responds, and shows what happens. */

import { ApiError, NetworkError, move, news, readCatalog, readGame, resign, takeBack } from "./api.js";
import { callAttention } from "./attention.js";
import { celebrate } from "./celebration.js";
import { SENT_AGAIN } from "./dealer.js";
import { confirmHandover } from "./handover.js";
import { pause } from "./dom.js";
import { faceOf } from "./faces/faces.js";
import { commitmentPanel } from "./fairness.js";
import { ComputedGame } from "./game-rules.js";
import { Guide } from "./guide.js";
import { Hint } from "./hint.js";
import { Phrases } from "./phrases.js";
import { clearPendingMove, storePendingMove, readPendingMove } from "./pending-move.js";
import { HoldSurfacePanel } from "./hold-surface.js";
import { t } from "./language.js";
import { SkipSignal, delay } from "./motion.js";
import { onSettings, settings } from "./settings.js";
import { retryWhileBusy } from "./retry.js";
import { markAsKnown } from "./rules.js";
import { finish } from "./sound.js";
import { markRefused, recordVanished, storeSent, storeSteps } from "./commitment.js";
import { HIDDEN, snapshotAfter } from "./snapshots.js";
import { Table } from "./table.js";
import { displayName, displayText } from "./words.js";

const FIRST_RETRY_INTERVAL = 600;
const MAX_RETRY_INTERVAL = 5000;
const THINKING_TIME = 550;
const READING_TIME = 450;
const POLL_INTERVAL = 1200; // milliseconds, during other players' turns
const OWN_TURN_POLL_INTERVAL = 4000; // milliseconds, during the user's own turn: other players may resign
const TABS_CHANNEL = "BroadcastChannel" in globalThis ? new BroadcastChannel("komi.moves") : null; // notifies the other tabs of this browser
const GONE = [401, 403, 404, 410]; // statuses of a game that the server does not have, or not for this browser
const WRONG_GAME = t`The server returned a different game.`;

/**
 * Read a game. If the server does not have it any more, record that.
 * @param {string} id
 */
async function readPresent(id) {
  try {
    return await readGame(id);
  } catch (error) {
    if (GONE.includes(error.status)) recordVanished(id);
    throw error;
  }
}

/**
 * Return whether a refused move was offered, and the game has not continued or ended in another window.
 * @param {Page.View} view
 * @param {{ number: number, label: string | null }} sent
 * @param {ApiError} error
 */
function isOffered(view, { number, label }, { game }) {
  const isSame = view.number === number && (!game || (game.number === number && !game.result));
  return isSame && (label === null || view.actions.some((action) => action.label === label));
}

/**
 * @param {HTMLElement} container
 * @param {string} id
 * @param {AbortSignal} signal
 */
export async function showGame(container, id, signal) {
  const computed = new ComputedGame(signal);
  const [response, { games }] = await Promise.all([
    retryWhileBusy(
      () => readPresent(id),
      undefined,
      () => !signal.aborted,
    ),
    readCatalog(),
  ]);
  if (response.id !== id) throw new Error(WRONG_GAME);
  const game = games.find((one) => one.name === response.game);
  if (!game) throw new Error(t`This server does not offer ${response.game} any more.`);
  document.title = `komi: ${game.title}`;
  storeSteps(response, game.hides);
  const play = new Play(container, await computed.view(response), computed, game, signal);
  await play.setUp();
}

class Play {
  /**
   * @param {HTMLElement} container
   * @param {Page.View} view
   * @param {ComputedGame} computed
   * @param {Api.CatalogGameView} game
   * @param {AbortSignal} signal
   */
  constructor(container, view, computed, game, signal) {
    this.container = container;
    this.view = view;
    this.computed = computed;
    this.game = game;
    this.signal = signal;
    this.shown = Math.min(stepsSeen(view), view.number);
    this.busy = false;
    this.guide = null;
    this.phrases = new Phrases(view);
    this.calledAt = ""; // the state of the game when the user was called back to the page
    this.skip = null;
    /** @type {number | null} */
    this.deviceHolder = null;
  }

  async setUp() {
    await this.handOverDevice();
    await this.renderTable();
    addEventListener("keydown", (event) => this.handleKey(event), { signal: this.signal });
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.refresh(), {
      signal: this.signal,
    });
    TABS_CHANNEL?.addEventListener("message", ({ data }) => data === this.view.id && this.refresh(), {
      signal: this.signal,
    });
    onSettings(() => this.renderTable(), this.signal);
    this.catchUp().then(() => this.sendPendingMove());
    if (this.view.company === "link") this.poll();
    if (this.view.mover === this.view.you) this.callBack(this.view.number, false);
  }

  /** On a shared device, hide the table until the next player has the device. */
  async handOverDevice() {
    const { view, game } = this;
    if (view.company !== "device" || !game.hides || view.result || this.deviceHolder === view.you) return;
    this.deviceHolder = view.you;
    if (this.table) this.table.root.hidden = true;
    await confirmHandover(displayName(view.names[view.you]), this.signal);
    if (this.table) this.table.root.hidden = false;
  }

  /** Poll for moves of the other players. */
  async poll() {
    while (!this.signal.aborted && !this.view.result) {
      await pause(this.view.mover === this.view.you ? OWN_TURN_POLL_INTERVAL : POLL_INTERVAL);
      if (this.signal.aborted || this.busy) continue;
      try {
        const { number, over, turn, phrases } = await news(this.view.id);
        this.phrases.show(phrases);
        const isNew = number !== this.view.number || over !== (this.view.result !== null);
        if (document.visibilityState === "visible") await (isNew && this.refresh());
        else if (isNew && (turn || over)) this.callBack(number, over);
      } catch {
        // A network error: try again.
      }
    }
  }

  /**
   * Call the user back to the page, once for each turn.
   * @param {number} number
   * @param {boolean} isOver
   */
  callBack(number, isOver) {
    const at = `${number} ${isOver}`;
    if (this.calledAt === at) return;
    this.calledAt = at;
    callAttention(isOver ? t`The game is over` : t`Your move`);
  }

  /** Send a move that was chosen before the page was closed and that the server has not received. */
  sendPendingMove() {
    const pending = readPendingMove(this.view.id);
    if (!pending) return;
    const { id, log, received } = this.view;
    const entry = log[pending.number];
    if (entry?.label === pending.label && ["you", "hand"].includes(entry.by)) clearPendingMove(id);
    else this.change(() => move({ id, number: pending.number, log: received.log }, pending.label), pending); // the server refuses it if it is too late
  }

  /** Create the table and its panels. */
  async renderTable() {
    const face = await faceOf(this.view);
    this.table = new Table(this.view, face, this.game, {
      send: (label) => this.choose(label),
      resign: () => this.change(() => resign(this.view.id), { number: this.view.number, label: null }),
      takeBack: () => this.takeBack(),
    });
    this.hint = new Hint(this.view, this.table);
    this.holdSurface = new HoldSurfacePanel(this.view, this.signal);
    this.guide ??= new Guide(this.view, this.game);
    this.guide.essence = () => this.table.essence.textContent;
    this.table.essence.after(this.guide.root);
    this.table.sidePanel.append(
      this.hint.root,
      this.holdSurface.root,
      this.table.history.root,
      commitmentPanel(this.view, this.game),
    );
    this.table.skip.addEventListener("click", () => this.skip?.request());
    this.table.clocks?.run(this.signal, () => this.refresh());
    if (this.view.company === "link") this.table.replay.before(this.phrases.root);
    this.container.replaceChildren(this.table.root);
    this.table.show(this.shown);
    if (!this.busy && this.shown === this.view.number) this.showTurn();
  }

  /**
   * Send the user's choice, retrying until the server responds.
   * @param {string} label
   */
  async choose(label) {
    if (this.busy) return;
    const { view } = this;
    storePendingMove(view.id, view.number, label);
    await this.change(() => move({ ...view, log: view.received.log }, label), { number: view.number, label });
  }

  /**
   * Request a change of the game, retrying until the server responds, and show it; `sent` is stored for the check.
   * @param {() => Promise<Page.View>} send
   * @param {{ number: number, label: string | null }} [sent]
   */
  async change(send, sent = null) {
    if (this.busy) return;
    const { id } = this.view;
    if (sent) storeSent(id, sent.number, sent.label);
    this.busy = true;
    this.table.disableChoices();
    this.hint.clear();
    try {
      await this.receive(await this.retry(send));
      this.table.showError("");
    } catch (error) {
      if (error instanceof ApiError && sent)
        markRefused(id, sent.number, sent.label, isOffered(this.view, sent, error));
      if (GONE.includes(error.status)) recordVanished(id);
      if (error instanceof ApiError && error.game) await this.receive(error.game);
      this.table.showError(error.message);
    }
    if (!this.signal.aborted) clearPendingMove(this.view.id);
    TABS_CHANNEL?.postMessage(this.view.id);
    this.busy = false;
    await this.catchUp();
  }

  /** Take back the last entry and show the table before it. */
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
    await this.renderTable();
    await this.catchUp();
  }

  /** @param {() => Promise<Page.View>} send */
  async retry(send) {
    for (let interval = FIRST_RETRY_INTERVAL; ; interval = Math.min(interval * 2, MAX_RETRY_INTERVAL)) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof NetworkError || error.after) || this.signal.aborted) throw error;
        this.table.showError(`${error.message} ${SENT_AGAIN}`);
        await Promise.race([
          pause(interval),
          new Promise((resolve) => addEventListener("online", resolve, { once: true })),
        ]);
      }
    }
  }

  /** Load the game again: it may have continued in another tab. */
  async refresh() {
    if (this.busy) return;
    try {
      const response = await readPresent(this.view.id);
      const { number, result } = this.view.received;
      if (this.busy || (response.number === number && !response.result === !result)) return;
      await this.receive(response);
      this.shown = Math.min(this.shown, this.view.number);
      await this.catchUp();
    } catch {
      // The next move reports the error.
    }
  }

  /** @param {Page.View} response */
  async receive(response) {
    if (response.id !== this.view.id) throw new Error(WRONG_GAME);
    storeSteps(response, this.game.hides);
    const view = await this.computed.view(response);
    this.view = view;
    this.table.clocks?.update(view);
    this.table.view =
      this.hint.view =
      this.guide.view =
      this.holdSurface.view =
      this.table.history.view =
      this.table.face.view =
        view;
  }

  /** Show the entries of the log that have not been shown yet, one after the other. */
  async catchUp() {
    if (this.busy) return;
    this.busy = true;
    this.table.disableChoices();
    await this.handOverDevice();
    this.skip = new SkipSignal();
    const sentences = [];
    const hasJustEnded = this.view.result && !this.concludedTable;
    this.table.skip.hidden = this.view.number - this.shown < 4;
    while (this.shown < this.view.number && !this.signal.aborted) {
      sentences.push(await this.playEntry(this.view.log[this.shown]));
    }
    this.busy = false;
    if (this.signal.aborted) return;
    this.table.skip.hidden = true;
    storeStepsSeen(this.view);
    this.table.show(this.shown);
    this.showTurn(sentences.filter(Boolean));
    if (hasJustEnded && (sentences.length > 0 || this.view.result.resigned !== null)) this.celebrateEnd();
  }

  /**
   * Show one entry of the log, with its animation. Return its sentence for the screen reader.
   * @param {Page.Line} entry
   */
  async playEntry(entry) {
    const { table, skip } = this;
    if (entry.label === HIDDEN) {
      this.shown = entry.number + 1;
      return this.sayRevealed(entry);
    }
    const before = snapshotAfter(this.view, entry.number);
    const after = snapshotAfter(this.view, entry.number + 1);
    const isAnnounced = entry.kind === "action" && this.view.log[entry.number + 1]?.kind === "event";
    const sentence = after.state ? table.sentence(entry) : null;
    const isOthers = entry.seat !== this.view.you;
    if (isOthers && entry.kind === "action") await delay(THINKING_TIME, skip);
    if (sentence && entry.kind === "action") table.say(sentence);
    if (after.state) await table.face.animate(entry, before, after, skip);
    if (sentence && entry.kind === "event") table.say(sentence);
    this.shown = entry.number + 1;
    table.show(this.shown);
    if (!isAnnounced) await delay(READING_TIME, skip);
    const revealed = await this.sayRevealed(entry);
    const own = isAnnounced && !isOthers ? null : sentence;
    return [own, revealed].filter(Boolean).join(" ") || null;
  }

  /**
   * Show what an entry reveals to all players, if it does. Return the sentence.
   * @param {Page.Line} entry
   */
  async sayRevealed(entry) {
    if (!entry.revealed) return null;
    const sentence = displayText(entry.revealed, this.view.face);
    this.table.say(sentence);
    await delay(READING_TIME, this.skip);
    return sentence;
  }

  /**
   * Show the choices of the turn, or the end of the game.
   * @param {string[]} [sentences]
   */
  showTurn(sentences = []) {
    this.table.offer();
    this.table.announceTurn(sentences);
    this.hint.update();
    this.guide.update();
    this.holdSurface.update();
    if (this.view.decided) this.playForcedAction();
    if (this.view.result && this.concludedTable !== this.table) this.showEnd();
  }

  /** Take the only action that is left, which decides the game. */
  async playForcedAction() {
    this.table.disableChoices();
    const { number } = this.view;
    await delay(READING_TIME, this.skip ?? new SkipSignal());
    if (!this.signal.aborted && !this.busy && this.view.number === number)
      await this.choose(this.view.actions[0].label);
  }

  /** Celebrate the end of a game that has just been shown. */
  celebrateEnd() {
    const well = hasDoneWell(this.view);
    finish(well);
    if (well) celebrate(this.signal);
    markAsKnown(this.game.name);
    if (document.activeElement === document.body) this.table.message.focus({ preventScroll: true }); // the focused button has been removed
  }

  async showEnd() {
    this.concludedTable = this.table;
    this.table.root.classList.add("over");
    if (this.view.company === "link") {
      const { rematchSection } = await import("./rematch.js");
      this.phrases.root.before(
        rematchSection(this.view, this.game, (phrases) => this.phrases.show(phrases), this.signal),
      );
    }
    const { showEnding } = await import("./ending.js");
    await showEnding(this.table, this.view, this.game, this.signal);
    const { consentQuestion } = await import("./consent.js");
    const question = await consentQuestion();
    if (question && !this.signal.aborted) this.table.end.append(question);
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    if (!settings.shortcuts || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (
      /** @type {Element} */ (event.target).matches("input, select, textarea") ||
      document.querySelector("dialog[open]")
    )
      return;
    if (event.key === "Escape" && this.busy) this.skip?.request();
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
 * Return whether the user's payoff is more than an even share.
 * @param {Page.View} view
 */
function hasDoneWell({ result, you, players }) {
  return players === 1 ? result.you === "won" : result.payoffs[you] > 1 / players || result.you === "shared";
}

/**
 * Return the number of steps that this tab has already shown.
 * @param {Page.View} view
 */
function stepsSeen(view) {
  const number = sessionStorage.getItem(`komi.seen.${view.id}`);
  return number === null ? view.number : Number(number);
}

/** @param {Page.View} view */
function storeStepsSeen(view) {
  sessionStorage.setItem(`komi.seen.${view.id}`, String(view.number));
}
