/** Before a game: its rules, the opponent, who begins, normal or Test Mode. */

import { prepare, readCatalog, readOpponents, strengths } from "./api.js";
import { layTable, startGame } from "./begin.js";
import { clockInWords } from "./clocks.js";
import { announce, element, pause } from "./dom.js";
import { t, worded } from "./language.js";
import { sceneOf } from "./pictures.js";
import { prepared } from "./preparing.js";
import { rulesButton } from "./rules.js";
import { capital, inColours, listed, parted, percent, titleOf } from "./words.js";

const OTHER = "another";
const BY_LINK = "@link"; // friends, each at a device of their own
const AT_DEVICE = "@device"; // friends at this one
const AFTER_TYPING = 500;
const CLOCKS = [
  { minutes: 1, seconds: 5 },
  { minutes: 3, seconds: 5 },
  { minutes: 10, seconds: 10 },
  { minutes: 30, seconds: 20 },
];

/**
 * `wished` are rules to begin with, as name=value,...
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
    this.wait = element("div", { class: "wait" });
    this.alert = element("p", { class: "notice", role: "alert", hidden: true });
    this.button = element("button", { type: "submit", class: "primary large" }, t`Start`);
    this.rivals = game.opponents.length > 0 ? game.opponents : game.rivals;
    /** @type {HTMLFormElement} */
    this.form = null;
    /** @type {HTMLElement[]} */
    this.known = [];
  }

  /** @param {Map<string, string>} settings */
  show(settings) {
    const { game } = this;
    const { text, source } = parted(game.summary);
    this.form = element(
      "form",
      { class: "setup", onsubmit: (event) => this.start(event) },
      this.company(),
      this.opponents(),
      this.seats(),
      this.modes(),
      this.ruleFields(settings),
      element("div", { class: "start-bar" }, this.alert, this.wait, this.button),
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
          element("p", {}, inColours(text, game.face)),
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
    this.getReady();
  }

  /** Alone or not, in a game that can be either. */
  company() {
    if (this.game.players > 1 || this.rivals.length === 0) return null;
    /** @param {{ target: HTMLInputElement }} event */
    const choose = ({ target }) => {
      this.field("rule-players").value = target.value;
      this.getReady();
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
    this.known = this.knownOpponents(this.usualOpponent);
    const field = element("input", {
      id: "policy",
      name: "policy",
      placeholder: "hold-at:20",
      maxlength: 60,
      autocomplete: "off",
      spellcheck: "false",
    });
    const other = choice("opponent", OTHER, t`Other strategy`, [
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
      this.known,
      other,
      this.friends(),
    );
  }

  get usualOpponent() {
    return this.rivals[Math.min(1, this.rivals.length - 1)].name;
  }

  /**
   * A choice for each opponent.
   * @param {string} chosen
   */
  knownOpponents(chosen) {
    this.strengthLines = new Map(this.rivals.map((one) => [one.name, element("span", { class: "strength" })]));
    return this.rivals.map((one) =>
      choice("opponent", one.name, one.title, [one.summary, this.strengthLines.get(one.name)], one.name === chosen),
    );
  }

  /**
   * Under other rules, such as for more players, there may be other opponents.
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
    const old = this.known;
    this.known = this.knownOpponents(stays ? before : this.usualOpponent);
    old[0].before(...this.known);
    for (const one of old) one.remove();
  }

  /** People to play with, instead of a computer. */
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
      CLOCKS.map((each) => element("option", { value: JSON.stringify(each) }, clockInWords(each))),
    );
    const byLink = choice("opponent", BY_LINK, t`Friends by link`, [
      t`You get a link to send. All players use their own devices.`,
      element("label", { for: "clock" }, t`Time per player`),
      clock,
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
      choice(
        "mode",
        "normal",
        t`By the server`,
        [t`The server commits to a secret seed before the game; your browser checks it afterwards.`],
        true,
      ),
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
            clearTimeout(this.typing);
            this.typing = setTimeout(() => this.getReady(), AFTER_TYPING);
          },
        },
        fields,
      ),
    );
  }

  /**
   * A field of the form, or the group of fields with this name.
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

  /** The rules that differ from the rule book. */
  chosenRules() {
    /** @type {Page.Rules} */
    const rules = {};
    for (const rule of this.game.rules) {
      const field = this.field(`rule-${rule.name}`);
      if (field.value === "" && typeof rule.default === "number") throw new Error(lacking(rule, this.game.face));
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

  /** How many play with these rules. */
  get players() {
    return this.rules.players ?? this.game.players;
  }

  /** Start solving the chosen game while the person still chooses. */
  getReady() {
    clearTimeout(this.typing);
    this.typing = null;
    this.waiting?.abort();
    this.waiting = new AbortController();
    const signal = AbortSignal.any([this.waiting.signal, this.signal]);
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
    const opponents = this.players < 2 ? Promise.resolve() : this.readOpponents(signal).catch(() => {}); // the wait says what is wrong
    const ready = Promise.all([
      prepared(this.wait, { game: this.game.name, rules: this.rules, opponent: null }, signal),
      opponents,
    ]);
    ready.then(
      () => {
        if (!signal.aborted && this.players > 1) this.showStrengths(signal);
      },
      async (error) => {
        await opponents;
        if (!signal.aborted) this.goWithout(error, signal);
      },
    );
  }

  /**
   * A game that cannot be solved: only who can play without is offered.
   * @param {Error} error
   * @param {AbortSignal} signal
   */
  async goWithout(error, signal) {
    /** @type {HTMLInputElement[]} */
    const radios = this.rivals.map((one) => this.form.querySelector(`[name=opponent][value="${one.name}"]`));
    /** @type {boolean[]} */
    let playable;
    try {
      playable = await Promise.all(
        radios.map(async ({ value }) => (await prepare(this.game.name, this.rules, value)).playable),
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
      let known = await strengths(this.game.name, this.rules);
      while (known.ready === false && !signal.aborted) {
        await pause(1000);
        known = await strengths(this.game.name, this.rules);
      }
      if (!signal.aborted) this.rivals.forEach((one) => this.showStrength(one, known.matches));
    } catch {
      // The strengths are a courtesy: the game can begin without them.
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
    this.strengthLines.get(opponent.name).textContent = t`Beats ${listed(words)} of the time.`;
  }

  /** @param {SubmitEvent} event */
  async start(event) {
    event.preventDefault();
    this.button.disabled = true;
    this.alert.hidden = true;
    clearTimeout(this.typing);
    try {
      this.rules = this.chosenRules();
      const options = this.options();
      this.waiting.abort();
      if (options.opponent === BY_LINK) {
        location.hash = `#/join/${encodeURIComponent(await layTable(this.game, options))}`;
        return;
      }
      if (!options.names) await prepared(this.wait, options, this.signal);
      if (this.signal.aborted) return;
      location.hash = `#/game/${encodeURIComponent(await startGame(this.game, options))}`;
    } catch (error) {
      this.showError(error);
    } finally {
      this.button.disabled = false;
    }
  }

  /** @returns {Page.Options} */
  options() {
    const fields = new FormData(this.form);
    /** @param {string} name */
    const field = (name) => /** @type {string | null} */ (fields.get(name)); // it has no files
    const opponent = field("opponent") === OTHER ? field("policy").trim() : field("opponent");
    const mode = /** @type {Page.Options["mode"]} */ (field("mode"));
    const seat = /** @type {Page.Options["seat"]} */ (field("seat") ?? "first");
    const options = { game: this.game.name, rules: this.rules, mode };
    if (opponent === AT_DEVICE) return { ...options, opponent: null, seat: "first", names: this.names(field("names")) };
    const clock = opponent === BY_LINK && field("clock") ? JSON.parse(field("clock")) : null;
    return { ...options, opponent, seat, ...(clock && { clock }) };
  }

  /**
   * A name for each seat, or none.
   * @param {string} text
   */
  names(text) {
    const names = text.split(",").map((name) => name.trim());
    return Array.from({ length: Math.max(this.players, names.length) }, (_, i) => names[i] ?? "");
  }

  /** @param {Error} error */
  showError(error) {
    this.wait.replaceChildren();
    this.alert.textContent = error.message;
    this.alert.hidden = false;
    announce(error.message);
  }
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} title
 * @param {Page.Child} meaning
 * @param {boolean} [checked]
 */
function choice(name, value, title, meaning, checked = false) {
  return element(
    "div",
    { class: "choice" },
    element("label", {}, element("input", { type: "radio", name, value, checked }), element("strong", {}, title)),
    element("div", { class: "meaning" }, meaning),
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
  const says = rule.means === rule.name ? "" : inColours(rule.means ?? "", face);
  return element(
    "div",
    { class: "field" },
    element("label", { for: id }, capital(inColours(rule.name.replaceAll("_", " "), face))),
    ruleInput(rule, value, id),
    says && element("small", {}, says),
  );
}

/**
 * What is said of a field for a number in which none stands.
 * @param {Api.RuleView} rule
 * @param {string} face
 */
function lacking(rule, face) {
  const label = capital(inColours(rule.name.replaceAll("_", " "), face));
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
      rule.words.map((word) => element("option", { value: word, selected: word === value }, worded(word))),
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
