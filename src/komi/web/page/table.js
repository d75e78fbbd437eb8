/** The table of every game: the players, the face (the game's display), messages, choices, and the log. */

import { Clocks } from "./clocks.js";
import { announce, element, focusedData, confirmButton, screenReaderText } from "./dom.js";
import { History } from "./history.js";
import { t, translateServerText } from "./language.js";
import { Race } from "./race.js";
import { rulesButton, showEssence } from "./rules.js";
import { settings } from "./settings.js";
import { snapshotAfter, standing } from "./snapshots.js";
import {
  capitalize,
  sentenceFor,
  displayText,
  isYou,
  formatList,
  measureOf,
  nameOf,
  percent,
  rivalTitle,
  ruleWords,
} from "./words.js";

const MAX_DIGIT_SHORTCUTS = 9; // choices with a digit as their shortcut
/** @type {Record<string, [string, (name: string) => string]>} */
const VERBS = {
  roll: [t`You roll`, (name) => t`${name} rolls`],
  hold: [t`You hold`, (name) => t`${name} holds`],
  draw: [t`You draw`, (name) => t`${name} draws`],
  flip: [t`You flip`, (name) => t`${name} flips`],
  pass: [t`You pass`, (name) => t`${name} passes`],
  stop: [t`You stop`, (name) => t`${name} stops`],
};

export class Table {
  /**
   * Create the table. `send` is called with the label that the user chooses; `resign` and `takeBack` are null if they are not available.
   * @param {Page.View} view
   * @param {Page.Face} face
   * @param {Api.CatalogGameView} game
   * @param {{ send: Page.Send, resign?: () => void, takeBack?: () => void }} options
   */
  constructor(view, face, game, { send, resign = null, takeBack = null }) {
    this.view = view;
    this.face = face;
    this.game = game;
    this.send = (/** @type {string} */ label) => {
      this.root.classList.add("begun"); // before the server responds
      send(label);
    };
    this.race = standing(snapshotAfter(view, view.log.length)) && view.rules.goal ? new Race(view) : null;
    this.seats = this.race ? null : new Seats(view);
    this.history = new History(view);
    this.clocks = view.clock && new Clocks(view);
    this.message = element("p", { class: "message", tabindex: "-1" });
    this.essence = element("p", { class: "essence", hidden: true });
    this.replay = element("div", { class: "replay" });
    this.alert = element("p", { class: "notice", role: "alert", hidden: true });
    this.skip = element("button", { type: "button", class: "skip-ahead", hidden: true }, t`Skip`);
    this.actions = element("div", { class: "actions", role: "group", "aria-label": t`Your choices` });
    this.takeBackButton =
      takeBack &&
      view.mode === "test" &&
      element("button", { type: "button", class: "quiet", onclick: takeBack }, t`Take back the last entry`);
    this.resign = resign && view.players > 1 && confirmButton(t`Resign`, t`Resign and lose the game`, resign);
    this.end = element("div", { class: "end" });
    this.sidePanel = element("aside", { class: "beside", "aria-label": t`Beside the table` });
    face.changed = () => this.offer();
    this.root = element("div", { class: `play stage-${view.face}` }, this.createTable(), this.end, this.sidePanel);
    if (!view.result) showEssence(this.essence, game, view.rules);
  }

  createTable() {
    const { view } = this;
    return element(
      "section",
      { class: "table", "aria-label": t`The table` },
      element(
        "header",
        { class: "table-head" },
        element("h1", {}, this.game.title),
        view.opponent.name && element("p", {}, t`against ${rivalTitle(view)}`),
        view.names && element("p", {}, formatList(view.names.map(translateServerText))),
        view.mode === "test" && element("span", { class: "badge" }, t`Test Mode`),
        rulesButton(this.game, () => this.view.rules),
        changedRules(view, this.game),
      ),
      this.essence,
      this.clocks?.root,
      this.race?.root ?? this.seats.root,
      element("div", { class: "stage" }, this.face.root),
      this.alert,
      element(
        "div",
        { class: "choosing" },
        element("div", { class: "message-row" }, this.message, this.skip),
        this.actions,
      ),
      element("div", { class: "row leaving" }, this.takeBackButton, this.resign),
      this.replay,
    );
  }

  /**
   * Show the position after the first `length` entries of the log.
   * @param {number} length
   */
  show(length) {
    const snapshot = snapshotAfter(this.view, length);
    if (snapshot.state === null || snapshot.state === undefined) return;
    const before = length === this.view.log.length && this.view.result ? lastTurnStart(this.view) : length;
    if (this.view.log.length > 0) this.root.classList.add("begun");
    this.face.show(snapshotAfter(this.view, before), this.view.log.slice(0, before));
    (this.race ?? this.seats).show(snapshot);
    this.history.show(length);
  }

  /**
   * Describe an entry of the log in a sentence.
   * @param {Page.Line} entry
   */
  sentence(entry) {
    const { view } = this;
    const description = this.face.describe(
      entry,
      snapshotAfter(view, entry.number),
      snapshotAfter(view, entry.number + 1),
    );
    if (description) return description;
    if (entry.kind === "event") return `${capitalize(displayText(entry.label, view.face))}.`;
    if (!(entry.label in VERBS)) return `${nameOf(view, entry.seat)}: ${displayText(entry.label, view.face)}.`;
    return this.withHoldResult(entry, sentenceFor(view, entry.seat, ...VERBS[entry.label]));
  }

  /**
   * Add the points of a hold to its sentence.
   * @param {Page.Line} entry
   * @param {string} sentence
   */
  withHoldResult(entry, sentence) {
    const before = standing(snapshotAfter(this.view, entry.number));
    const after = standing(snapshotAfter(this.view, entry.number + 1));
    if (entry.label !== "hold" || !before || !after) return `${sentence}.`;
    const total = after.scores[entry.seat];
    const gain = total - before.scores[entry.seat];
    return gain === 0 ? `${sentence}.` : t`${sentence} plus ${gain}: ${total} in all.`;
  }

  /** @param {string} sentence */
  say(sentence) {
    this.message.textContent = sentence;
  }

  /** @param {string} sentence */
  showError(sentence) {
    this.alert.textContent = sentence;
    this.alert.hidden = sentence === "";
  }

  /** Show the user's current choices. */
  offer() {
    const { view } = this;
    this.face.offer?.(view.waiting === "action" ? view.actions : [], this.send);
    const isHandledByFace = this.face.offerEvents?.(view.waiting === "event" ? view.events : [], this.send);
    const buttons =
      view.waiting === "event"
        ? isHandledByFace
          ? []
          : view.events.map((event) => eventButton(event, view))
        : view.waiting === "action"
          ? [...(this.face.buttons?.() ?? []), ...this.actionButtons()]
          : [];
    const focused = focusedData().label;
    const hadFocus = this.actions.contains(document.activeElement) || this.skip === document.activeElement;
    this.actions.classList.toggle("many", buttons.length > 4);
    if (this.takeBackButton) this.takeBackButton.hidden = !view.log.some(({ by }) => by === "hand" || by === "you");
    if (this.resign) this.resign.hidden = view.result !== null;
    this.actions.replaceChildren(...buttons);
    const keys = shortcuts(buttons);
    buttons.forEach((button, i) => this.bindButton(button, button.dataset.key ?? keys[i]));
    if (hadFocus && buttons.length > 0)
      (buttons.find((button) => button.dataset.label === focused) ?? buttons[0]).focus();
  }

  actionButtons() {
    return this.view.actions
      .filter((action) => !this.face.takes?.(action))
      .map((action, i) =>
        element(
          "button",
          {
            type: "button",
            class: `action action-${i} ${action.label === "hold" ? "hold" : "go-on"}`,
            "data-label": action.label,
          },
          element(
            "span",
            {},
            this.face.label?.(capitalize(translateServerText(action.label))) ??
              capitalize(displayText(action.label, this.view.face)),
          ),
        ),
      );
  }

  /**
   * @param {HTMLElement} button
   * @param {string} key
   */
  bindButton(button, key) {
    button.addEventListener(
      "click",
      () => button.getAttribute("aria-disabled") !== "true" && this.send(button.dataset.label),
    );
    if (key && settings.shortcuts) {
      button.append(element("kbd", { "aria-hidden": "true" }, key));
      button.setAttribute("aria-keyshortcuts", key);
      button.dataset.key = key;
    }
  }

  /** Disable the choices during an animation. The focus does not move. */
  disableChoices() {
    for (const button of this.actions.children) button.setAttribute("aria-disabled", "true");
    this.face.offer?.([], this.send);
    this.face.offerEvents?.([], this.send);
  }

  /**
   * Return the button that has a key as its shortcut.
   * @param {string} key
   */
  buttonFor(key) {
    return /** @type {HTMLElement[]} */ ([...this.actions.children]).find((button) => button.dataset.key === key);
  }

  /**
   * Show whose turn it is, or the result. Announce it to screen readers, after the sentences about the last steps.
   * @param {string[]} sentences
   */
  announceTurn(sentences) {
    const { view } = this;
    const now = view.result
      ? [describeResult(view), describePoints(view)].filter(Boolean).join(" ")
      : view.waiting === "event" && view.events.length > 0
        ? this.question()
        : describeTurn(view);
    if (view.waiting === "action") this.say(sentences.length > 0 ? `${sentences.at(-1)} ${now}` : now);
    else this.say(now);
    announce([...sentences, now].join(" "));
  }

  question() {
    const { view } = this;
    const seat = view.mover ?? view.log.at(-1)?.seat ?? 0;
    const opening =
      view.pending && view.pending.label in VERBS ? `${sentenceFor(view, seat, ...VERBS[view.pending.label])}. ` : "";
    return opening + (this.face.question?.(seat) ?? t`What came up?`);
  }
}

/**
 * Return the number of entries before a hold that ended the game. The face then shows the winning turn instead of an empty table.
 * @param {Page.View} view
 */
function lastTurnStart({ log }) {
  const last = log.at(-1);
  return last?.kind === "action" && log.at(-2)?.state?.turn > 0 ? log.length - 1 : log.length;
}

/** The list of players, in games without lanes. */
class Seats {
  /** @param {Page.View} view */
  constructor(view) {
    this.view = view;
    this.items = Array.from({ length: view.players }, (_, seat) =>
      element(
        "li",
        { class: seat === view.you ? "mine" : "theirs" },
        element("strong", {}, nameOf(view, seat)),
        element("span", { class: "to-move" }, t`to move`),
      ),
    );
    this.root = element("ul", { class: "seats", "aria-label": t`Players`, hidden: view.players === 1 }, this.items);
  }

  /** @param {Page.Snapshot} snapshot */
  show({ mover }) {
    this.items.forEach((item, seat) => {
      item.classList.toggle("moving", seat === mover);
      /** @type {HTMLElement} */ (item.querySelector(".to-move")).hidden = seat !== mover;
    });
  }
}

/**
 * @param {Api.EventView} event
 * @param {Page.View} view
 */
function eventButton(event, view) {
  const colour = { green: "go", red: "stop" }[event.label];
  return element(
    "button",
    {
      type: "button",
      class: `action event ${colour && view.face === "bag" ? `event-${colour}` : ""}`,
      "data-label": event.label,
    },
    element("span", {}, capitalize(displayText(event.label, view.face))),
    element("small", {}, screenReaderText(t`probability `), percent(event.probability)),
  );
}

/**
 * Choose a shortcut for each button: its first letter if that is unique, else its number.
 * @param {HTMLElement[]} buttons
 */
function shortcuts(buttons) {
  const letters = buttons.map((button) => button.textContent[0].toLowerCase());
  return letters.map((letter, i) => {
    if (/[a-z]/.test(letter) && letters.indexOf(letter) === letters.lastIndexOf(letter)) return letter;
    if (/^\d$/.test(buttons[i].dataset.label)) return buttons[i].dataset.label;
    return i < MAX_DIGIT_SHORTCUTS && letters.every((other) => !/\d/.test(other)) ? String(i + 1) : null;
  });
}

/**
 * Describe whose turn it is.
 * @param {Page.View} view
 */
function describeTurn(view) {
  if (view.isSpectator) return t`It is ${nameOf(view, view.mover)}'s turn.`;
  if (view.company === "device") return t`${nameOf(view, view.mover)}, your turn.`;
  return view.mover === view.you ? t`Your turn.` : t`${nameOf(view, view.mover)} is to move.`;
}

/** @param {Page.View} view */
function describeResult(view) {
  if (view.players === 1) return describeSoloResult(view);
  if (view.names && !view.result.stopped) return describeGroupResult(view);
  if (view.result.stopped) return t`A draw: the game made no progress.`;
  if (view.result.resigned !== null) return describeResignation(view);
  /** @type {Partial<Record<Api.ResultView["you"], string>>} */
  const sentences = {
    won: t`You win!`,
    lost: view.players > 2 ? t`You lose.` : t`${rivalTitle(view)} wins.`,
    drew: t`A draw.`,
    shared: t`You share the win.`,
  };
  return sentences[view.result.you] ?? `${formatList(seatsOwnFirst(view).map((seat) => gets(view, seat)))}.`;
}

/**
 * Describe the payoff in a game for points or money: "Your payoff: +2 points."; "" in other games.
 * @param {Page.View} view
 */
function describePoints(view) {
  const { points } = view.result;
  if (points === null) return "";
  const payoff = measureOf(view).signed(points[view.you]);
  return view.company === "device" || view.isSpectator
    ? t`${nameOf(view, view.you)}'s payoff: ${payoff}.`
    : t`Your payoff: ${payoff}.`;
}

/**
 * Describe the result of a game between several people.
 * @param {Page.View} view
 */
function describeGroupResult(view) {
  const { payoffs, resigned } = view.result;
  if (resigned !== null) {
    const reason = view.result.late
      ? sentenceFor(view, resigned, t`Your time is up`, (name) => t`${name} has run out of time`)
      : sentenceFor(view, resigned, t`You have resigned`, (name) => t`${name} has resigned`);
    return `${reason}: ${formatList(payoffs.flatMap((payoff, seat) => (payoff > 0 ? [wins(view, seat)] : [])))}.`;
  }
  const winner = payoffs.indexOf(1);
  if (winner >= 0) return `${wins(view, winner)}${isYou(view, winner) || view.company === "device" ? "!" : "."}`;
  return new Set(payoffs).size === 1
    ? t`A draw.`
    : `${formatList(seatsOwnFirst(view).map((seat) => gets(view, seat)))}.`;
}

/** @param {Page.View} view */
function describeResignation(view) {
  const { resigned } = view.result;
  if (resigned !== view.you) return t`${nameOf(view, resigned)} has resigned: you win!`;
  return view.players > 2
    ? t`You have resigned: the others win.`
    : t`You have resigned: ${nameOf(view, 1 - resigned)} wins.`;
}

/**
 * Describe the result of a single-player game.
 * @param {Page.View} view
 */
function describeSoloResult({ result, objective, you }) {
  if (result.score !== null) return t`It is over: ${measureOf({ objective }).format(result.score)}.`;
  /** @type {Partial<Record<Api.ResultView["you"], string>>} */
  const sentences = { won: t`You made it!`, lost: t`You lost.` };
  return sentences[result.you] ?? t`It is over: ${result.payoffs[you]}.`;
}

/** @param {Page.View} view */
function seatsOwnFirst({ players, you }) {
  return Array.from({ length: players }, (_, i) => i).sort((one, other) => Number(other === you) - Number(one === you));
}

/**
 * Describe a payoff that is neither a win nor a loss: "You get 0.75".
 * @param {Page.View} view
 * @param {number} seat
 */
function gets(view, seat) {
  const payoff = view.result.payoffs[seat];
  return sentenceFor(view, seat, t`You get ${payoff}`, (name) => t`${name} gets ${payoff}`);
}

/**
 * @param {Page.View} view
 * @param {number} seat
 */
const wins = (view, seat) => sentenceFor(view, seat, t`You win`, (name) => t`${name} wins`);

/**
 * @param {Page.View} view
 * @param {Api.CatalogGameView} game
 */
function changedRules(view, game) {
  const words = ruleWords(view.rules, game);
  return words && element("p", { class: "rule-words" }, words);
}
