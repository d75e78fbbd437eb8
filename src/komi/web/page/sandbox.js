/** The sandbox: any position of a game, what everything there is worth, played on by hand, with undo. */

import {
  laySandbox,
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
import { announce, element } from "./dom.js";
import { faceOf } from "./faces/faces.js";
import { t } from "./language.js";
import { mistakeSection } from "./mistakes.js";
import { Hurry } from "./motion.js";
import { retryWhileBusy } from "./retry.js";
import { momentAfter } from "./standing.js";
import { Table } from "./table.js";
import { outcomeGroups, worthBars } from "./worth.js";
import { capital, inColours, measureOf, nameOf } from "./words.js";

const LARGEST = 16000; // letters of a record

/**
 * `wished` are rules to begin with, as name=value,...
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
  const box = new Sandbox(container, game, signal);
  await box.open(
    remembered(name) ?? { game: name, rules: rulesFrom(game, settings), start: null, labels: [], names: [] },
  );
}

/**
 * Go on with a game in the sandbox.
 * @param {Api.SandboxRequest} request
 */
export function openInSandbox({ game, rules, start = null, labels, names = [] }) {
  remember({ game, rules, start, labels, names });
  location.hash = `#/sandbox/${encodeURIComponent(game)}`;
}

/**
 * Ask for a file with a record, and open it.
 * @param {File} file
 */
export async function openRecord(file) {
  if (file.size > LARGEST) throw new Error(t`This file is too large for a record of a game.`);
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
    this.worths = element("div", { class: "hint-answer" });
    this.ballot = element("div", { class: "hint-answer" });
    this.back = element(
      "button",
      { type: "button", onclick: () => this.enter(this.request.labels.slice(0, -1)) },
      t`Undo`,
    );
    this.again = element("button", { type: "button", onclick: () => this.enter([]) }, t`Back to the beginning`);
    this.forMe = element("button", { type: "button", onclick: () => this.choose() }, t`Draw it for me`);
    this.analysis = element("div", { class: "end" });
    this.classroom = new Classroom((isRevealed) => this.weigh(isRevealed));
    signal.addEventListener("abort", () => this.classroom.isOn && this.classroom.turn(false), { once: true });
    this.alert = element("p", { class: "notice", role: "alert", hidden: true });
  }

  /** @param {Api.SandboxRequest} request */
  async open(request) {
    this.request = request;
    [this.view, this.opponents] = await Promise.all([laySandbox(request), readOpponents(request.game, request.rules)]);
    await this.lay();
  }

  async lay() {
    const { view, game } = this;
    this.table = new Table(view, await faceOf(view), game, {
      send: (label) => this.enter([...this.request.labels, label]),
    });
    this.autoplay?.turn(false);
    this.autoplay = new Autoplay(this);
    this.table.beside.append(
      this.worthPanel(),
      this.autoplay.root,
      this.positionPanel(),
      this.recordPanel(),
      this.table.history.root,
    );
    this.table.end.append(this.analysis);
    this.table.root.querySelector(".badge")?.remove(); // chance is entered by hand: no verification
    this.container.replaceChildren(
      element(
        "p",
        { class: "notice" },
        t`In the sandbox, you play for every seat. Nothing counts, and the server stores nothing. `,
        element("a", { href: `#/new/${encodeURIComponent(game.name)}` }, t`Play a real game`),
      ),
      this.table.root,
    );
    this.table.actions.after(
      element("div", { class: "row sandbox-row" }, this.back, this.forMe, this.again),
      this.alert,
    );
    this.show();
  }

  /**
   * What has happened is this; if it is one step more, it is shown.
   * @param {string[]} labels
   */
  async enter(labels) {
    if (this.busy) return;
    this.busy = true;
    this.table.rest();
    const before = this.request;
    try {
      const view = await laySandbox({ ...before, labels });
      this.request = { ...before, labels };
      await this.turnTo(view, labels.length > before.labels.length);
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
  async turnTo(view, isStep) {
    this.showError("");
    this.view = this.table.view = this.table.history.view = this.table.face.view = view;
    const entry = view.log.at(-1);
    if (!isStep || !entry) return;
    this.table.say(this.table.sentence(entry));
    await this.table.face.happen(
      entry,
      momentAfter(view, entry.number),
      momentAfter(view, entry.number + 1),
      new Hurry(),
    );
  }

  show() {
    const { view, table } = this;
    remember(this.request);
    this.analysis.replaceChildren();
    table.replay.replaceChildren();
    table.show(view.number);
    table.offer();
    table.conclude([]);
    for (const button of [this.back, this.again]) button.disabled = view.log.length === 0;
    this.forMe.hidden = view.waiting === null || (view.waiting === "action" && !this.game.solved);
    this.forMe.textContent = view.waiting === "event" ? t`Draw it for me` : t`The best move`;
    this.weigh();
    this.autoplay.goOn();
  }

  /** @param {string} sentence */
  showError(sentence) {
    this.alert.textContent = sentence;
    this.alert.hidden = sentence === "";
    if (sentence) announce(sentence);
  }

  /** What chance does, by this browser's own chance; or the best move. */
  async choose() {
    const { view } = this;
    if (view.waiting === "event") {
      let luck = crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32;
      const { label } = view.events.find(({ probability }) => (luck -= probability) < 0) ?? view.events.at(-1);
      await this.enter([...this.request.labels, label]);
    } else if (this.best) await this.enter([...this.request.labels, this.best]);
  }

  /**
   * What each action is worth; a game that is still being solved is waited for.
   * @param {boolean} [isRevealed]
   */
  async weigh(isRevealed = !this.classroom.isOn) {
    const { view, request } = this;
    const token = (this.token = {}); // discards a response to an earlier request, or to one from before a vote
    if (!view) return;
    this.best = null;
    if (!isRevealed || !this.classroom.isOn) this.ballot.replaceChildren(); // after the answer, the votes stay beside it
    this.forMe.disabled = view.waiting === "action";
    this.worths.replaceChildren(
      element("p", { class: "small" }, this.game.solved ? "" : t`komi does not solve this game.`),
    );
    if (view.waiting !== "action" || !this.game.solved) return;
    if (!isRevealed) {
      this.ballot.replaceChildren(...this.classroom.vote(view));
      return;
    }
    try {
      const known = await this.solved(
        () => sandboxHint(request),
        this.worths,
        () => token === this.token,
      );
      if (token !== this.token) return;
      this.best = known.best;
      this.forMe.disabled = false;
      this.worths.replaceChildren(
        element(
          "p",
          {},
          element(
            "strong",
            {},
            t`${capital(inColours(known.best, view.face))} is best for ${nameOf(view, view.mover)}.`,
          ),
        ),
        ...(known.actions[0].value
          ? outcomeGroups(known.actions, view.face)
          : [
              worthBars(
                known.actions,
                { best: known.best },
                { ...view, objective: view.objective ?? "chance of winning" },
              ),
            ]),
      );
    } catch (error) {
      if (token === this.token) this.worths.replaceChildren(element("p", { class: "small" }, error.message));
    }
  }

  /**
   * @template T
   * @param {() => Promise<T>} load
   * @param {HTMLElement} container
   * @param {() => boolean} isWanted
   */
  solved(load, container, isWanted) {
    /** @param {string} sentence */
    const say = (sentence) =>
      container.replaceChildren(
        element("p", { class: "small" }, `${t`This game is still being solved …`} ${sentence}`),
      );
    return retryWhileBusy(load, say, () => !this.signal.aborted && isWanted());
  }

  worthPanel() {
    return element(
      "section",
      { class: "panel", "aria-labelledby": "worth-title" },
      element("h2", { id: "worth-title" }, t`Values of the actions`),
      this.ballot,
      this.worths,
      element("div", { class: "row" }, this.classroom.button),
    );
  }

  /** Any position: field by field, or in the game's notation. */
  positionPanel() {
    const { start, written } = {
      ...this.view.start,
      ...(this.view.start.state ? { start: this.view.start.state } : {}),
    };
    const means = Object.fromEntries(this.game.fields.map((field) => [field.name, field.means]));
    const fields = written
      ? [this.field("written", t`Position, in the game's notation`, written, {})]
      : Object.entries(start ?? {}).map(([name, value]) =>
          this.field(
            name,
            capital(inColours(name.replaceAll("_", " "), this.view.face)),
            value,
            { type: "number", inputmode: "numeric", step: 1 },
            inColours(means[name] ?? "", this.view.face),
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
   * @param {string} [means]
   */
  field(name, title, value, attributes, means = "") {
    const id = `field-${name}`;
    return element(
      "div",
      { class: "field" },
      element("label", { for: id }, title),
      element("input", { id, name, value, autocomplete: "off", required: true, ...attributes }),
      means && element("small", {}, means),
    );
  }

  /**
   * @param {SubmitEvent} event
   * @param {boolean} isWritten
   */
  async setUp(event, isWritten) {
    event.preventDefault();
    const fields = [...new FormData(/** @type {HTMLFormElement} */ (event.target))];
    const start = isWritten ? String(fields[0][1]).trim() : fields.map(([name, value]) => `${name}=${value}`).join(",");
    try {
      await this.open({ ...this.request, start, labels: [] });
      this.showError("");
      announce(t`The position is set up.`);
    } catch (error) {
      this.showError(error.message);
    }
  }

  recordPanel() {
    const said = element("p", { class: "small", role: "status" });
    /** @param {() => Promise<void>} act */
    const attempt = (act) =>
      act().catch((error) => {
        said.textContent = error.message;
      });
    const file = element("input", {
      type: "file",
      accept: ".txt,text/plain",
      "aria-label": t`Record to open`,
      onchange: () =>
        attempt(async () => {
          await openRecord(file.files[0]);
          const kept = remembered(this.request.game);
          if (location.hash.startsWith(`#/sandbox/${encodeURIComponent(this.game.name)}`) && kept)
            await this.open(kept);
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
      said,
    );
  }

  async save() {
    const { text } = await sandboxRecord(this.request);
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    element("a", { href: address, download: `${this.game.name}.txt` }).click();
    URL.revokeObjectURL(address);
  }

  /**
   * The same as after a real game, for any seat.
   * @param {number} seat
   */
  async analyze(seat) {
    const { request } = this;
    if (request.labels.length === 0) throw new Error(t`Nothing has happened yet.`);
    const known = await this.solved(
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
        : t`Step ${steps}, ${nameOf(view, view.log[steps - 1].seat)}: ${inColours(view.log[steps - 1].label, view.face)}.`;
    const curve = curveSection(
      known,
      { ...measureOf(view), title: t`${nameOf(view, seat)}: chance of winning` },
      describe,
      (length) => this.table.show(length),
    );
    this.table.replay.replaceChildren(curve);
    this.analysis.replaceChildren(await mistakeSection(view, known));
    curve.scrollIntoView({ block: "nearest" });
  }
}

/**
 * @param {Api.CatalogGameView} game
 * @param {string} settings
 */
function rulesFrom(game, settings) {
  const given = new Map(
    settings
      .split(",")
      .filter(Boolean)
      .map((rule) => /** @type {[string, string]} */ (rule.split("="))),
  );
  return Object.fromEntries(
    game.rules.filter(({ name }) => given.has(name)).map((rule) => [rule.name, valueOf(rule, given.get(rule.name))]),
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
function remember(request) {
  try {
    sessionStorage.setItem(key(request.game), JSON.stringify(request));
  } catch {
    // A browser that keeps nothing begins anew.
  }
}

/** @param {string} name */
function remembered(name) {
  try {
    return JSON.parse(sessionStorage.getItem(key(name)));
  } catch {
    return null;
  }
}
