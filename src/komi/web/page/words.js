/** Texts about games: translated game texts, names of players, sentences about a seat, percentages and counts. */

import { formatList, formatNumber, t, tn, translateServerText } from "./language.js";
import { settings } from "./settings.js";

export { formatList, formatDateTime } from "./language.js";

const COLOUR_REPLACEMENTS = [
  [t`red`, t`yellow`],
  [t`orange`, t`white`],
  [t`green`, t`blue`],
];
const FACES_WITH_COLOURS = new Set(["bag", "board"]);

/**
 * Translate a text of a game file, and replace the names of colours that the user's settings change.
 * @param {string} text
 * @param {string} face
 */
export function displayText(text, face) {
  const translated = translateServerText(text);
  if (settings.colours !== "colour-blind" || !FACES_WITH_COLOURS.has(face)) return translated;
  const stems = new RegExp(
    `(?<!\\p{L})(${COLOUR_REPLACEMENTS.map(([usual]) => usual).join("|")})(?=(?:e[nmrs]?|s)?(?!\\p{L}))`,
    "giu",
  );
  return translated.replace(stems, (/** @type {string} */ colour) => {
    const [, other] = COLOUR_REPLACEMENTS.find(([usual]) => usual.toLowerCase() === colour.toLowerCase());
    return colour === colour.toLowerCase() ? other : capitalize(other);
  });
}

/**
 * Split "Red Light: draw chips ... (Neller et al., 2014)." into the description and its source.
 * @param {string} summary
 */
export function splitSummary(summary) {
  const [, text, source] = /^(?:[^:]{1,40}:\s*)?(.*?)\s*(?:\(([^()]*)\))?\.?$/s.exec(summary);
  return { text: translateServerText(`${capitalize(text)}.`), source: source ?? "" };
}

/**
 * Return whether the seat is this user's and no other player shares the device. Spectators have no seat.
 * @param {Page.Seating} view
 * @param {number} seat
 */
export const isYou = (view, seat) => seat === view.you && view.company !== "device" && !view.isByName;

/**
 * Return the name of the player at a seat: "You", a name, or the opponent's title.
 * @param {Page.Seating} view
 * @param {number} seat
 */
export function nameOf(view, seat) {
  if (isYou(view, seat)) return t`You`;
  if (view.names) return displayName(view.names[seat]);
  return view.players > 2 ? `${rivalTitle(view)} ${seat + 1}` : rivalTitle(view);
}

const DEFAULT_NAME = /^(Player \d|A player|Deleted player)$/; // the server's names for players without one

/**
 * Return a player's name for display. Only the server's default names are translated.
 * @param {string} name
 */
export const displayName = (name) => (DEFAULT_NAME.test(name) ? translateServerText(name) : name);

/**
 * Return the title of the opponent in a game.
 * @param {Page.Seating} view
 */
export const rivalTitle = (view) => translateServerText(view.opponent.title);

/**
 * Choose a sentence about a seat: `own` for this user, else the result of `other`, which gets the player's name.
 * @param {Page.Seating} view
 * @param {number} seat
 * @param {string} own
 * @param {(name: string) => string} other
 */
export function sentenceFor(view, seat, own, other) {
  return isYou(view, seat) ? own : other(nameOf(view, seat));
}

/**
 * Describe the loss of a turn: "You lose 5 points", "Hard loses the turn".
 * @param {Page.Seating} view
 * @param {number} seat
 * @param {number} lost
 * @param {string} noun
 */
export function losesTurn(view, seat, lost, noun) {
  if (lost === 0) return sentenceFor(view, seat, t`You lose the turn`, (name) => t`${name} loses the turn`);
  if (noun === "chicken") {
    return sentenceFor(view, seat, tn(lost, "You lose {0} chicken", "You lose {0} chickens"), (name) =>
      tn(lost, "{1} loses {0} chicken", "{1} loses {0} chickens", name),
    );
  }
  return sentenceFor(view, seat, tn(lost, "You lose {0} point", "You lose {0} points"), (name) =>
    tn(lost, "{1} loses {0} point", "{1} loses {0} points", name),
  );
}

/**
 * Return the phrase for the player for whom a chance event is entered: " for Hard", or empty for this user.
 * @param {Page.Seating} view
 * @param {number} seat
 */
export function forPlayer(view, seat) {
  return isYou(view, seat) ? "" : t` for ${nameOf(view, seat)}`;
}

/** @param {string} text */
export function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Format 0.7125 as "71.3 %".
 * @param {number} share
 * @param {number} [digits]
 */
export function percent(share, digits = 1) {
  return `${formatNumber(100 * share, digits, digits)}\u00a0%`;
}

/**
 * Format a difference of probabilities: 0.032 as "3.2 percentage points".
 * @param {number} share
 * @param {number} [digits]
 */
export function points(share, digits = 1) {
  return t`${formatNumber(100 * share, digits, digits)}\u00a0percentage points`;
}

/**
 * Format a difference of probabilities with its sign.
 * @param {number} share
 * @param {number} [digits]
 */
export function signed(share, digits = 1) {
  return `${share < 0 ? "−" : "+"}${points(Math.abs(share), digits)}`;
}

/**
 * Return the formatters for values of states: chances of winning or, in a single-player game, its own unit.
 * @param {Page.Seating} view
 */
export function measureOf(view) {
  const { objective } = view;
  const isChance = !objective || objective.startsWith("chance");
  const title = objective
    ? capitalize(translateServerText(objective))
    : sentenceFor(view, view.you, t`Your chance of winning`, (name) => t`${name}’s chance of winning`);
  if (isChance)
    return {
      title,
      isChance,
      format: percent,
      gap: (/** @type {number} */ share) => points(share),
      difference: (/** @type {number} */ share) => (objective ? points(share) : t`${points(share)} of winning`),
      signed,
    };
  const noun = translateServerText(objective.replace(/^expected /, ""));
  /** @param {number} value */
  const format = (value) => `${formatNumber(value, 2)} ${noun}`;
  return {
    title,
    isChance,
    format,
    gap: format,
    difference: format,
    signed: (/** @type {number} */ value) => `${value < 0 ? "−" : "+"}${format(Math.abs(value))}`,
  };
}

/** @type {Record<"card" | "chicken" | "wolf" | "day" | "decision" | "event" | "player" | "point" | "step", (number: number) => string>} */
const NOUNS = {
  card: (number) => tn(number, "{0} card", "{0} cards"),
  chicken: (number) => tn(number, "{0} chicken", "{0} chickens"),
  wolf: (number) => tn(number, "{0} wolf", "{0} wolves"),
  day: (number) => tn(number, "{0} day", "{0} days"),
  decision: (number) => tn(number, "{0} decision", "{0} decisions"),
  event: (number) => tn(number, "{0} event", "{0} events"),
  player: (number) => tn(number, "{0} player", "{0} players"),
  point: (number) => tn(number, "{0} point", "{0} points"),
  step: (number) => tn(number, "{0} step", "{0} steps"),
};

/**
 * Format a count with its noun: 1 point, 2 points.
 * @param {number} number
 * @param {keyof typeof NOUNS} noun
 */
export const formatCount = (number, noun) => NOUNS[noun](number);

/**
 * Return the title of an opponent in the catalog, or the name of a strategy that is not in it.
 * @param {string} opponent
 * @param {Api.CatalogGameView | undefined} game
 */
export function titleOf(opponent, game) {
  return game
    ? ([...game.opponents, ...game.rivals].find((one) => one.name === opponent)?.title ?? opponent)
    : opponent;
}

/**
 * Return the link to the setup page of a game, including the rules that differ from their defaults.
 * @param {Api.CatalogGameView} game
 * @param {Page.Rules} rules
 */
export function setupLink(game, rules) {
  const changed = game.rules.filter((rule) => rules[rule.name] !== rule.default);
  return `#/new/${[game.name, changed.map((rule) => `${rule.name}=${rules[rule.name]}`).join(",")].map(encodeURIComponent).join("/")}`;
}

/**
 * Name the rules of a game that differ from their defaults.
 * @param {Page.Rules} rules
 * @param {Api.CatalogGameView} game
 */
export function ruleWords(rules, game) {
  return game.rules
    .filter((rule) => rules[rule.name] !== rule.default)
    .map((rule) => {
      const name = displayText(rule.name.replaceAll("_", " "), game.face);
      return `${name} ${translateServerText(String(rules[rule.name]))}`;
    })
    .join(" · ");
}

/**
 * Describe the other players of a game.
 * @param {Api.GameSummaryView} game
 * @param {Api.CatalogGameView} catalogGame
 */
export function describePlayers({ names, opponent }, catalogGame) {
  if (names) return formatList(names.map(displayName));
  return opponent ? t`against ${titleOf(opponent, catalogGame)}` : t`alone`;
}

/**
 * Say how a game has ended, or who is to move.
 * @param {Api.GameSummaryView} game
 */
export function howItStands({ over, result, turn, mode }) {
  const stands = over ? RESULTS[result ?? "ended"]() : turn ? t`your move` : t`the others move`;
  return mode === "test" ? t`${stands}, in Test Mode` : stands;
}

const RESULTS = {
  won: () => t`you won`,
  lost: () => t`you lost`,
  drew: () => t`a draw`,
  shared: () => t`you shared the win`,
  got: () => t`finished, for points`,
  ended: () => t`finished`,
};
