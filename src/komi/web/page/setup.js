/** The setup page of a game: rules, opponent, who begins, normal or Test Mode. */

import { openRoom, prepare, readCatalog, readOpponents, strengths } from "./api.js";
import { openTable, startGame } from "./begin.js";
import { describeClock } from "./clocks.js";
import { BY_DEALER, DEALING } from "./dealer.js";
import { announce, element, pause } from "./dom.js";
import { t, translateServerText } from "./language.js";
import { sceneOf } from "./pictures.js";
import { waitUntilPlayable } from "./preparing.js";
import { rulesButton } from "./rules.js";
import { capitalize, displayText, formatList, splitSummary, percent, titleOf } from "./words.js";

const OTHER_STRATEGY = "another";
const BY_LINK = "@link"; // friends, each on their own device
const AT_DEVICE = "@device"; // friends on this device
const TYPING_DELAY = 500;
const CLOCKS = [
  { minutes: 1, seconds: 5 },
  { minutes: 3, seconds: 5 },
  { minutes: 10, seconds: 10 },
  { minutes: 30, seconds: 20 },
];

/**
 * Show the setup page. `settings` are changed rules, as name=value,...
 * @param {HTMLElement} container
 * @param {string} name
 * @param {string} settings
 * @param {AbortSignal} signal
 */
export async function showSetup(container, name, settings, signal) {
  const { games } = await readCatalog();
  const game = games.find((one) => one.name === name);
  if (!game) throw new Error(t`There is no game called ${name}.`);
  document.title = `komi: ${game.title}`;
  new Setup(container, game, signal).show(
    new Map(settings.split(",").map((rule) => /** @type {[string, string]} */ (rule.split("=")))),
  );
}

class Setup {
  /**
   * @param {HTMLElement} container
   * @param {Api.CatalogGameView} game
   * @param {AbortSignal} signal
   */
  constructor(container, game, signal) {
    this.container = container;
    this.game = game;
    this.signal = signal;
    /** @type {Page.Rules} */
    this.rules = {};
    this.progress = element("div", { class: "wait" });
    this.alert = element("p", { class: "notice", role: "alert", hidden: true });
    this.button = element("button", { type: "submit", class: "primary large" }, t`Start`);
    this.rivals = game.opponents.length > 0 ? game.opponents : game.rivals;
    /** @type {HTMLFormElement} */
    this.form = null;
    /** @type {HTMLElement[]} */
    this.opponentChoices = [];
  }

  /** @param {Map<string, string>} settings */
  show(settings) {
    const { game } = this;
    const { text, source } = splitSummary(game.summary);
    this.form = element(
      "form",
      { class: "setup", onsubmit: (event) => this.start(event) },
      this.company(),
      this.opponents(),
      this.seats(),
      this.modes(),
      this.ruleFields(settings),
      element("div", { class: "start-bar" }, this.alert, this.progress, this.button),
      element(
        "button",
        { type: "button", class: "quiet room-button", onclick: () => this.openRoom() },
        t`Open a room for a class`,
      ),
    );
    this.container.append(
      element(
        "header",
        { class: `setup-head stage-${game.face}` },
        sceneOf(game),
        element(
          "div",
          { class: "setup-title" },
          element("h1", {}, game.title),
          element("p", {}, displayText(text, game.face)),
          source && element("small", {}, source),
          element(
            "div",
            { class: "row" },
            rulesButton(game, () => this.chosenRules()),
            !game.hides &&
              element(
                "a",
                { class: "button rules-button", href: `#/sandbox/${encodeURIComponent(game.name)}` },
                t`Sandbox`,
              ),
          ),
        ),
      ),
      this.form,
    );
    this.prepareGame();
  }

  /** Create the choice of one or two players, in games that allow both. */
  company() {
    if (this.game.players > 1 || this.rivals.length === 0) return null;
    /** @param {{ target: HTMLInputElement }} event */
    const choose = ({ target }) => {
      this.field("rule-players").value = target.value;
      this.prepareGame();
    };
    return element(
      "fieldset",
      { class: "segments", onchange: choose },
      element("legend", {}, t`Who plays`),
      segment("company", "1", t`You alone`),
      segment("company", "2", t`You and another`),
    );
  }

  opponents() {
    if (this.rivals.length === 0) return null;
    this.opponentChoices = this.createOpponentChoices(this.defaultOpponent);
    const field = element("input", {
      id: "policy",
      name: "policy",
      placeholder: "hold-at:20",
      maxlength: 60,
      autocomplete: "off",
      spellcheck: "false",
    });
    const other = choice("opponent", OTHER_STRATEGY, t`Other strategy`, [
      element("label", { for: "policy" }, t`The name of a strategy, such as hold-at:20 or random`),
      field,
    ]);
    field.addEventListener("input", () => {
      /** @type {HTMLInputElement} */ (other.querySelector("[type=radio]")).checked = true;
    });
    return element(
      "fieldset",
      { class: "choices opponents" },
      element("legend", {}, t`Your opponent`),
      this.opponentChoices,
      other,
      this.friends(),
    );
  }

  get defaultOpponent() {
    return this.rivals[Math.min(1, this.rivals.length - 1)].name;
  }

  /**
   * Create a choice for each opponent.
   * @param {string} chosen
   */
  createOpponentChoices(chosen) {
    this.strengthLines = new Map(this.rivals.map((one) => [one.name, element("span", { class: "strength" })]));
    return this.rivals.map((one) =>
      choice("opponent", one.name, one.title, [one.summary, this.strengthLines.get(one.name)], one.name === chosen),
    );
  }

  /**
   * Update the opponents, which may depend on the rules, such as the number of players.
   * @param {AbortSignal} signal
   */
  async readOpponents(signal) {
    const rivals = await readOpponents(this.game.name, this.rules);
    if (signal.aborted || rivals.length === 0 || JSON.stringify(rivals) === JSON.stringify(this.rivals)) return;
    const before = this.field("opponent").value;
    /** @param {Api.OpponentView[]} all */
    const names = (all) => all.map(({ name }) => name);
    const stays = !names(this.rivals).includes(before) || names(rivals).includes(before);
    this.rivals = rivals;
    const old = this.opponentChoices;
    this.opponentChoices = this.createOpponentChoices(stays ? before : this.defaultOpponent);
    old[0].before(...this.opponentChoices);
    for (const one of old) one.remove();
  }

  /** Create the choices for playing with other people. */
  friends() {
    const names = element("input", {
      id: "names",
      name: "names",
      maxlength: 200,
      autocomplete: "off",
      placeholder: t`Ann, Bob`,
    });
    const here = choice("opponent", AT_DEVICE, t`Friends on this device`, [
      element("label", { for: "names" }, t`You take turns on this device. Names, separated by commas`),
      names,
    ]);
    names.addEventListener("input", () => {
      /** @type {HTMLInputElement} */ (here.querySelector("[type=radio]")).checked = true;
    });
    const clock = element(
      "select",
      { id: "clock", name: "clock" },
      element("option", { value: "" }, t`No clock`),
      CLOCKS.map((each) => element("option", { value: JSON.stringify(each) }, describeClock(each))),
    );
    const byLink = choice("opponent", BY_LINK, t`Friends by link`, [
      t`You get a link to send. All players use their own devices.`,
      element("label", { for: "clock" }, t`Time per player`),
      clock,
      element(
        "label",
        { class: "open-table" },
        element("input", { type: "checkbox", name: "open" }),
        t` Show the table in the lobby: anyone may join and watch`,
      ),
    ]);
    clock.addEventListener("input", () => {
      /** @type {HTMLInputElement} */ (byLink.querySelector("[type=radio]")).checked = true;
    });
    return [byLink, here];
  }

  seats() {
    if (this.rivals.length === 0) return null;
    return element(
      "fieldset",
      { class: "segments seats" },
      element("legend", {}, t`Who begins`),
      segment("seat", "first", t`You`, true),
      segment("seat", "second", t`Your opponent`),
      segment("seat", "either", t`By lot`),
    );
  }

  modes() {
    if (this.game.hides) return element("input", { type: "hidden", name: "mode", value: "normal" });
    return element(
      "fieldset",
      { class: "choices two" },
      element("legend", {}, t`Chance events`),
      choice("mode", "normal", BY_DEALER, [DEALING], true),
      choice("mode", "test", t`By you: Test Mode`, [
        t`You roll, draw or flip real dice, cards or coins and enter the results.`,
      ]),
    );
  }

  /** @param {Map<string, string>} settings */
  ruleFields(settings) {
    if (this.game.rules.length === 0) return null;
    const fields = this.game.rules.map((rule) =>
      ruleField(rule, settings.get(rule.name) ?? String(rule.default), this.game.face),
    );
    return element(
      "details",
      { class: "rules", open: this.game.rules.some((rule) => settings.has(rule.name)) },
      element("summary", {}, t`Change the rules`),
      element(
        "div",
        {
          class: "rule-fields",
          oninput: () => {
            clearTimeout(this.typingTimer);
            this.typingTimer = setTimeout(() => this.prepareGame(), TYPING_DELAY);
          },
        },
        fields,
      ),
    );
  }

  /**
   * Return a field of the form, or the group of fields with this name.
   * @param {string} name
   */
  field(name) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name));
  }

  /**
   * @param {string} name
   * @returns {NodeListOf<HTMLInputElement>}
   */
  radios(name) {
    return this.form.querySelectorAll(`[name=${name}]`);
  }

  /** Return the rules that differ from their defaults. */
  chosenRules() {
    /** @type {Page.Rules} */
    const rules = {};
    for (const rule of this.game.rules) {
      const field = this.field(`rule-${rule.name}`);
      if (field.value === "" && typeof rule.default === "number")
        throw new Error(missingNumberMessage(rule, this.game.face));
      const value =
        typeof rule.default === "boolean"
          ? field.checked
          : typeof rule.default === "number"
            ? Number(field.value)
            : field.value;
      if (value !== rule.default) rules[rule.name] = value;
    }
    return rules;
  }

  /** The number of players under the chosen rules. */
  get players() {
    return this.rules.players ?? this.game.players;
  }

  /** Start solving the chosen game while the user is still choosing options. */
  prepareGame() {
    clearTimeout(this.typingTimer);
    this.typingTimer = null;
    this.preparation?.abort();
    this.preparation = new AbortController();
    const signal = AbortSignal.any([this.preparation.signal, this.signal]);
    this.alert.hidden = true;
    for (const radio of this.radios("opponent")) radio.disabled = false;
    try {
      this.rules = this.chosenRules();
    } catch (error) {
      this.showError(error);
      return;
    }
    for (const radio of this.radios("company")) radio.checked = Number(radio.value) === this.players;
    /** @type {NodeListOf<HTMLFieldSetElement>} */
    const fieldsets = this.form.querySelectorAll(".opponents, .seats");
    for (const choices of fieldsets) choices.hidden = choices.disabled = this.players < 2;
    /** @type {Promise<unknown>} */
    const opponents = this.players < 2 ? Promise.resolve() : this.readOpponents(signal).catch(() => {}); // waitUntilPlayable reports the error
    const ready = Promise.all([
      waitUntilPlayable(this.progress, { game: this.game.name, rules: this.rules, opponent: null }, signal),
      opponents,
    ]);
    ready.then(
      () => {
        if (!signal.aborted && this.players > 1) this.showStrengths(signal);
      },
      async (error) => {
        await opponents;
        if (!signal.aborted) this.offerUnsolved(error, signal);
      },
    );
  }

  /**
   * Offer only the opponents that do not need a solution, in a game that cannot be solved.
   * @param {Error} error
   * @param {AbortSignal} signal
   */
  async offerUnsolved(error, signal) {
    /** @type {HTMLInputElement[]} */
    const radios = this.rivals.map((one) => this.form.querySelector(`[name=opponent][value="${one.name}"]`));
    /** @type {boolean[]} */
    let playable;
    try {
      playable = await Promise.all(
        radios.map(async ({ value }) => {
          const { playable, error } = await prepare(this.game.name, this.rules, value);
          return playable || !error; // what is still being prepared will be
        }),
      );
    } catch {
      playable = [];
    }
    if (signal.aborted) return;
    if (!playable.includes(true)) {
      this.showError(error);
      return;
    }
    radios.forEach((radio, i) => {
      radio.disabled = !playable[i];
    });
    if (radios.some((radio) => radio.checked && radio.disabled)) radios[playable.indexOf(true)].checked = true;
    this.showError(
      new Error(
        t`With these rules, the game is too large to be solved here: you can play it, but there are no hints and no review.`,
      ),
    );
  }

  /** @param {AbortSignal} signal */
  async showStrengths(signal) {
    try {
      let result = await strengths(this.game.name, this.rules);
      while (result.ready === false && !signal.aborted) {
        await pause(1000);
        result = await strengths(this.game.name, this.rules);
      }
      if (!signal.aborted) this.rivals.forEach((one) => this.showStrength(one, result.matches));
    } catch {
      // The game can start without the strengths.
    }
  }

  /**
   * @param {Api.OpponentView} opponent
   * @param {Api.StrengthView[]} matches
   */
  showStrength(opponent, matches) {
    const against = matches.filter((match) => match.a === opponent.name && match.b !== opponent.name);
    const words = against.map((match) => `${titleOf(match.b, this.game)} ${percent(match.average)}`);
    if (words.length === 0) return;
    this.strengthLines.get(opponent.name).textContent = t`Beats ${formatList(words)} of the time.`;
  }

  /** @param {SubmitEvent} event */
  async start(event) {
    event.preventDefault();
    this.button.disabled = true;
    this.alert.hidden = true;
    clearTimeout(this.typingTimer);
    try {
      this.rules = this.chosenRules();
      const options = this.options();
      this.preparation.abort();
      if (options.opponent === BY_LINK) {
        location.hash = `#/join/${encodeURIComponent((await openTable(this.game, options)).id)}`;
        return;
      }
      if (!options.names) await waitUntilPlayable(this.progress, options, this.signal);
      if (this.signal.aborted) return;
      location.hash = `#/game/${encodeURIComponent(await startGame(this.game, options))}`;
    } catch (error) {
      this.showError(error);
    } finally {
      this.button.disabled = false;
    }
  }

  /** Open a room in which a class plays this game under these rules. */
  async openRoom() {
    try {
      this.rules = this.chosenRules();
      const { game, rules, opponent, names } = this.options();
      if (names || opponent === BY_LINK) throw new Error(t`In a class all play against the same opponent: choose one.`);
      const room = await openRoom({ game, rules, opponent });
      location.hash = `#/class/${encodeURIComponent(room.code.replaceAll(" ", "-"))}`;
    } catch (error) {
      this.showError(error);
    }
  }

  /** @returns {Page.Options} */
  options() {
    const fields = new FormData(this.form);
    /** @param {string} name */
    const field = (name) => /** @type {string | null} */ (fields.get(name)); // the form has no file inputs
    const opponent = field("opponent") === OTHER_STRATEGY ? field("policy").trim() : field("opponent");
    const mode = /** @type {Page.Options["mode"]} */ (field("mode"));
    const seat = /** @type {Page.Options["seat"]} */ (field("seat") ?? "first");
    const options = { game: this.game.name, rules: this.rules, mode };
    if (opponent === AT_DEVICE) return { ...options, opponent: null, seat: "first", names: this.names(field("names")) };
    const clock = opponent === BY_LINK && field("clock") ? JSON.parse(field("clock")) : null;
    const open = opponent === BY_LINK && field("open") !== null;
    return { ...options, opponent, seat, ...(clock && { clock }), ...(open && { open }) };
  }

  /**
   * Return a name for each seat. Missing names are empty.
   * @param {string} text
   */
  names(text) {
    const names = text.split(",").map((name) => name.trim());
    return Array.from({ length: Math.max(this.players, names.length) }, (_, i) => names[i] ?? "");
  }

  /** @param {Error} error */
  showError(error) {
    this.progress.replaceChildren();
    this.alert.textContent = error.message;
    this.alert.hidden = false;
    announce(error.message);
  }
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} title
 * @param {Page.Child} details
 * @param {boolean} [checked]
 */
function choice(name, value, title, details, checked = false) {
  return element(
    "div",
    { class: "choice" },
    element("label", {}, element("input", { type: "radio", name, value, checked }), element("strong", {}, title)),
    element("div", { class: "meaning" }, details),
  );
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} title
 * @param {boolean} [checked]
 */
function segment(name, value, title, checked = false) {
  return element("label", {}, element("input", { type: "radio", name, value, checked }), element("span", {}, title));
}

/**
 * @param {Api.RuleView} rule
 * @param {string} value
 * @param {string} face
 */
function ruleField(rule, value, face) {
  const id = `rule-${rule.name}`;
  const explanation = rule.means === rule.name ? "" : displayText(rule.means ?? "", face);
  return element(
    "div",
    { class: "field" },
    element("label", { for: id }, capitalize(displayText(rule.name.replaceAll("_", " "), face))),
    ruleInput(rule, value, id),
    explanation && element("small", {}, explanation),
  );
}

/**
 * Return the error message for a number field without a number.
 * @param {Api.RuleView} rule
 * @param {string} face
 */
function missingNumberMessage(rule, face) {
  const label = capitalize(displayText(rule.name.replaceAll("_", " "), face));
  return Number.isFinite(rule.least) && Number.isFinite(rule.greatest)
    ? t`“${label}” must be from ${rule.least} to ${rule.greatest}.`
    : t`“${label}” must be a number.`;
}

/**
 * @param {Api.RuleView} rule
 * @param {string} value
 * @param {string} id
 */
function ruleInput(rule, value, id) {
  if (typeof rule.default === "boolean")
    return element("input", { id, name: id, type: "checkbox", role: "switch", checked: value === "true" });
  if (rule.words) {
    return element(
      "select",
      { id, name: id },
      rule.words.map((word) => element("option", { value: word, selected: word === value }, translateServerText(word))),
    );
  }
  if (typeof rule.default === "string") return element("input", { id, name: id, value });
  return element("input", {
    id,
    name: id,
    type: "number",
    inputmode: "numeric",
    min: rule.least,
    max: rule.greatest,
    value,
    step: Number.isInteger(rule.default) ? 1 : "any",
    required: true,
  });
}
