/** The sandbox: set up any position of a game, see the values of its actions, and play on for all seats, with undo. */

import {
  readSandbox,
  readCatalog,
  readOpponents,
  readRecord,
  sandboxHint,
  sandboxRecord,
  sandboxReview,
} from "./api.js";
import { Autoplay } from "./autoplay.js";
import { Classroom } from "./classroom.js";
import { curveSection } from "./curve.js";
import { SANDBOX } from "./dealer.js";
import { announce, element } from "./dom.js";
import { faceOf } from "./faces/faces.js";
import { t } from "./language.js";
import { mistakeSection } from "./mistakes.js";
import { SkipSignal } from "./motion.js";
import { retryWhileBusy } from "./retry.js";
import { snapshotAfter } from "./snapshots.js";
import { Table } from "./table.js";
import { outcomeGroups, worthBars } from "./worth.js";
import { capitalize, displayText, measureOf, nameOf } from "./words.js";

const MAX_RECORD_LENGTH = 16000; // characters of a record

/**
 * Show the sandbox of a game. `settings` are changed rules, as name=value,...
 * @param {HTMLElement} container
 * @param {string} name
 * @param {string} settings
 * @param {AbortSignal} signal
 */
export async function showSandbox(container, name, settings, signal) {
  const { games } = await readCatalog();
  const game = games.find((one) => one.name === name);
  if (!game) throw new Error(t`There is no game called ${name}.`);
  document.title = t`komi: ${game.title}, sandbox`;
  const sandbox = new Sandbox(container, game, signal);
  await sandbox.open(
    storedRequest(name) ?? { game: name, rules: rulesFrom(game, settings), start: null, labels: [], names: [] },
  );
}

/**
 * Open the sandbox and continue a game there.
 * @param {Api.SandboxRequest} request
 */
export function openInSandbox({ game, rules, start = null, labels, names = [] }) {
  storeRequest({ game, rules, start, labels, names });
  location.hash = `#/sandbox/${encodeURIComponent(game)}`;
}

/**
 * Read a file with a record and open it in the sandbox. Return the seat that the record is written from.
 * @param {File} file
 */
export async function openRecord(file) {
  if (file.size > MAX_RECORD_LENGTH) throw new Error(t`This file is too large for a record of a game.`);
  const { seat, ...record } = await readRecord(await file.text());
  openInSandbox(record);
  return seat;
}

export class Sandbox {
  /**
   * @param {HTMLElement} container
   * @param {Api.CatalogGameView} game
   * @param {AbortSignal} signal
   */
  constructor(container, game, signal) {
    /** @type {Api.OpponentView[]} */
    this.opponents = [];
    /** @type {Api.SandboxRequest} */
    this.request = null;
    /** @type {Page.View} */
    this.view = null;
    /** @type {Table} */
    this.table = null;
    this.container = container;
    this.game = game;
    this.signal = signal;
    this.values = element("div", { class: "hint-answer" });
    this.ballot = element("div", { class: "hint-answer" });
    this.undoButton = element(
      "button",
      { type: "button", onclick: () => this.enter(this.request.labels.slice(0, -1)) },
      t`Undo`,
    );
    this.restartButton = element("button", { type: "button", onclick: () => this.enter([]) }, t`Back to the beginning`);
    this.drawButton = element("button", { type: "button", onclick: () => this.choose() }, t`Draw it for me`);
    this.analysis = element("div", { class: "end" });
    this.classroom = new Classroom((isRevealed) => this.showValues(isRevealed));
    signal.addEventListener("abort", () => this.classroom.isOn && this.classroom.setOn(false), { once: true });
    this.alert = element("p", { class: "notice", role: "alert", hidden: true });
  }

  /** @param {Api.SandboxRequest} request */
  async open(request) {
    this.request = request;
    [this.view, this.opponents] = await Promise.all([readSandbox(request), readOpponents(request.game, request.rules)]);
    await this.renderTable();
  }

  async renderTable() {
    const { view, game } = this;
    this.table = new Table(view, await faceOf(view), game, {
      send: (label) => this.enter([...this.request.labels, label]),
    });
    this.autoplay?.setOn(false);
    this.autoplay = new Autoplay(this);
    this.table.sidePanel.append(
      this.valuesPanel(),
      this.autoplay.root,
      this.positionPanel(),
      this.recordPanel(),
      this.table.history.root,
    );
    this.table.end.append(this.analysis);
    this.table.root.querySelector(".badge")?.remove(); // nothing to verify: the user enters the chance events
    this.container.replaceChildren(
      element(
        "p",
        { class: "notice" },
        SANDBOX,
        element("a", { href: `#/new/${encodeURIComponent(game.name)}` }, t`Play a real game`),
      ),
      this.table.root,
    );
    this.table.actions.after(
      element("div", { class: "row sandbox-row" }, this.undoButton, this.drawButton, this.restartButton),
      this.alert,
    );
    this.show();
  }

  /**
   * Replace the entries of the game. If there is one more than before, animate it.
   * @param {string[]} labels
   */
  async enter(labels) {
    if (this.busy) return;
    this.busy = true;
    this.table.disableChoices();
    const before = this.request;
    try {
      const view = await readSandbox({ ...before, labels });
      this.request = { ...before, labels };
      await this.showView(view, labels.length > before.labels.length);
    } catch (error) {
      this.showError(error.message);
    }
    this.busy = false;
    this.show();
  }

  /**
   * @param {Page.View} view
   * @param {boolean} isStep
   */
  async showView(view, isStep) {
    this.showError("");
    this.view = this.table.view = this.table.history.view = this.table.face.view = view;
    const entry = view.log.at(-1);
    if (!isStep || !entry) return;
    this.table.say(this.table.sentence(entry));
    await this.table.face.animate(
      entry,
      snapshotAfter(view, entry.number),
      snapshotAfter(view, entry.number + 1),
      new SkipSignal(),
    );
  }

  show() {
    const { view, table } = this;
    storeRequest(this.request);
    this.analysis.replaceChildren();
    table.replay.replaceChildren();
    table.show(view.number);
    table.offer();
    table.announceTurn([]);
    for (const button of [this.undoButton, this.restartButton]) button.disabled = view.log.length === 0;
    this.drawButton.hidden = view.waiting === null || (view.waiting === "action" && !this.game.solved);
    this.drawButton.textContent = view.waiting === "event" ? t`Draw it for me` : t`The best move`;
    this.showValues();
    this.autoplay.playNext();
  }

  /** @param {string} sentence */
  showError(sentence) {
    this.alert.textContent = sentence;
    this.alert.hidden = sentence === "";
    if (sentence) announce(sentence);
  }

  /** Draw a chance event in this browser, or make the best move. */
  async choose() {
    const { view } = this;
    if (view.waiting === "event") {
      let luck = crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32;
      const { label } = view.events.find(({ probability }) => (luck -= probability) < 0) ?? view.events.at(-1);
      await this.enter([...this.request.labels, label]);
    } else if (this.best) await this.enter([...this.request.labels, this.best]);
  }

  /**
   * Show the value of each action. Retry while the game is still being solved.
   * @param {boolean} [isRevealed]
   */
  async showValues(isRevealed = !this.classroom.isOn) {
    const { view, request } = this;
    const token = (this.token = {}); // discards a response to an earlier request, or to one from before a vote
    if (!view) return;
    this.best = null;
    if (!isRevealed || !this.classroom.isOn) this.ballot.replaceChildren(); // the votes stay visible beside the answer
    this.drawButton.disabled = view.waiting === "action";
    this.values.replaceChildren(
      element("p", { class: "small" }, this.game.solved ? "" : t`Optimal play of this game is not known here.`),
    );
    if (view.waiting !== "action" || !this.game.solved) return;
    if (!isRevealed) {
      this.ballot.replaceChildren(...this.classroom.ballotFor(view));
      return;
    }
    try {
      const result = await this.waitUntilSolved(
        () => sandboxHint(request),
        this.values,
        () => token === this.token,
      );
      if (token !== this.token) return;
      this.best = result.best;
      this.drawButton.disabled = false;
      this.values.replaceChildren(
        element(
          "p",
          {},
          element(
            "strong",
            {},
            t`${capitalize(displayText(result.best, view.face))} is best for ${nameOf(view, view.mover)}.`,
          ),
        ),
        ...(result.actions[0].value
          ? outcomeGroups(result.actions, view.face)
          : [
              worthBars(
                result.actions,
                { best: result.best },
                { ...view, objective: view.objective ?? "chance of winning" },
              ),
            ]),
      );
    } catch (error) {
      if (token === this.token) this.values.replaceChildren(element("p", { class: "small" }, error.message));
    }
  }

  /**
   * @template T
   * @param {() => Promise<T>} load
   * @param {HTMLElement} container
   * @param {() => boolean} isWanted
   */
  waitUntilSolved(load, container, isWanted) {
    /** @param {string} sentence */
    const say = (sentence) =>
      container.replaceChildren(
        element("p", { class: "small" }, `${t`This game is still being solved …`} ${sentence}`),
      );
    return retryWhileBusy(load, say, () => !this.signal.aborted && isWanted());
  }

  valuesPanel() {
    return element(
      "section",
      { class: "panel", "aria-labelledby": "worth-title" },
      element("h2", { id: "worth-title" }, t`Values of the actions`),
      this.ballot,
      this.values,
      element("div", { class: "row" }, this.classroom.button),
    );
  }

  /** Create the panel in which a position is set up, field by field or in the game's notation. */
  positionPanel() {
    const { start, written } = {
      ...this.view.start,
      ...(this.view.start.state ? { start: this.view.start.state } : {}),
    };
    const meanings = Object.fromEntries(this.game.fields.map((field) => [field.name, field.means]));
    const fields = written
      ? [this.field("written", t`Position, in the game's notation`, written, {})]
      : Object.entries(start ?? {}).map(([name, value]) =>
          this.field(
            name,
            capitalize(displayText(name.replaceAll("_", " "), this.view.face)),
            value,
            Number.isNaN(Number(value)) ? {} : { type: "number", inputmode: "numeric", step: 1 },
            displayText(meanings[name] ?? "", this.view.face),
          ),
        );
    const form = element(
      "form",
      { class: "position", onsubmit: (event) => this.setUp(event, Boolean(written)) },
      element("p", { class: "small" }, this.view.players > 1 ? t`As seen by the first player, who is to move.` : ""),
      element("div", { class: "rule-fields" }, fields),
      element("button", { type: "submit", class: "primary" }, t`Set up`),
    );
    return element(
      "details",
      { class: "panel" },
      element("summary", {}, element("h2", {}, t`Set up a position`)),
      form,
    );
  }

  /**
   * @param {string} name
   * @param {string} title
   * @param {string | number} value
   * @param {Page.Attributes} attributes
   * @param {string} [meaning]
   */
  field(name, title, value, attributes, meaning = "") {
    const id = `field-${name}`;
    return element(
      "div",
      { class: "field" },
      element("label", { for: id }, title),
      element("input", { id, name, value, autocomplete: "off", required: true, ...attributes }),
      meaning && element("small", {}, meaning),
    );
  }

  /**
   * @param {SubmitEvent} event
   * @param {boolean} isNotation
   */
  async setUp(event, isNotation) {
    event.preventDefault();
    const fields = [...new FormData(/** @type {HTMLFormElement} */ (event.target))];
    const start = isNotation
      ? String(fields[0][1]).trim()
      : fields.map(([name, value]) => `${name}=${value}`).join(",");
    try {
      await this.open({ ...this.request, start, labels: [] });
      this.showError("");
      announce(t`The position is set up.`);
    } catch (error) {
      this.showError(error.message);
    }
  }

  recordPanel() {
    const status = element("p", { class: "small", role: "status" });
    /** @param {() => Promise<void>} action */
    const attempt = (action) =>
      action().catch((error) => {
        status.textContent = error.message;
      });
    const file = element("input", {
      type: "file",
      accept: ".txt,text/plain",
      "aria-label": t`Record to open`,
      onchange: () =>
        attempt(async () => {
          await openRecord(file.files[0]);
          const stored = storedRequest(this.request.game);
          if (location.hash.startsWith(`#/sandbox/${encodeURIComponent(this.game.name)}`) && stored)
            await this.open(stored);
        }),
    });
    const seats = Array.from({ length: this.view.players }, (_, seat) =>
      element(
        "button",
        { type: "button", onclick: () => attempt(() => this.analyze(seat)) },
        this.view.players > 1 ? t`Review as ${nameOf({ ...this.view, company: "device" }, seat)}` : t`Review`,
      ),
    );
    return element(
      "section",
      { class: "panel", "aria-labelledby": "record-title" },
      element("h2", { id: "record-title" }, t`The record`),
      element(
        "p",
        { class: "small" },
        t`Enter a game that you played elsewhere, save it as a text file, open a saved record, or review a game. In the terminal: komi review FILE.`,
      ),
      element(
        "div",
        { class: "row" },
        element("button", { type: "button", onclick: () => attempt(() => this.save()) }, t`Save the record`),
        this.game.solved && seats,
      ),
      element("label", { class: "field" }, t`Open a record`, file),
      status,
    );
  }

  async save() {
    const { text } = await sandboxRecord(this.request);
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    element("a", { href: address, download: `${this.game.name}.txt` }).click();
    URL.revokeObjectURL(address);
  }

  /**
   * Show the review for any seat, as after a real game.
   * @param {number} seat
   */
  async analyze(seat) {
    const { request } = this;
    if (request.labels.length === 0) throw new Error(t`Nothing has happened yet.`);
    const result = await this.waitUntilSolved(
      () => sandboxReview(request, seat),
      this.analysis,
      () => request === this.request,
    );
    if (request !== this.request) return;
    /** @type {Page.View} */
    const view = { ...this.view, you: seat, mode: "normal" };
    /** @param {number} steps */
    const describe = (steps) =>
      steps === 0
        ? t`At the start:`
        : t`Step ${steps}, ${nameOf(view, view.log[steps - 1].seat)}: ${displayText(view.log[steps - 1].label, view.face)}.`;
    const curve = curveSection(
      result,
      { ...measureOf(view), title: t`${nameOf(view, seat)}: chance of winning` },
      describe,
      (length) => this.table.show(length),
    );
    this.table.replay.replaceChildren(curve);
    this.analysis.replaceChildren(await mistakeSection(view, result));
    curve.scrollIntoView({ block: "nearest" });
  }
}

/**
 * @param {Api.CatalogGameView} game
 * @param {string} settings
 */
function rulesFrom(game, settings) {
  const values = new Map(
    settings
      .split(",")
      .filter(Boolean)
      .map((rule) => /** @type {[string, string]} */ (rule.split("="))),
  );
  return Object.fromEntries(
    game.rules.filter(({ name }) => values.has(name)).map((rule) => [rule.name, valueOf(rule, values.get(rule.name))]),
  );
}

/**
 * @param {Api.RuleView} rule
 * @param {string} text
 */
function valueOf(rule, text) {
  if (typeof rule.default === "boolean") return text === "true";
  return typeof rule.default === "number" ? Number(text) : text;
}

/** @param {string} name */
const key = (name) => `komi.sandbox.${name}`;

/** @param {Api.SandboxRequest} request */
function storeRequest(request) {
  try {
    sessionStorage.setItem(key(request.game), JSON.stringify(request));
  } catch {
    // Without storage, the sandbox starts from the beginning.
  }
}

/** @param {string} name */
function storedRequest(name) {
  try {
    return JSON.parse(sessionStorage.getItem(key(name)));
  } catch {
    return null;
  }
}
