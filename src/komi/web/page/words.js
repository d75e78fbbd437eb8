/** The game's words as this person reads them: colours by their names, seats, shares and lists. */

import { numeral, t, tn, worded } from "./language.js";
import { settings } from "./settings.js";

export { listed, moment } from "./language.js";

const OTHER_COLOURS = [
  [t`red`, t`yellow`],
  [t`orange`, t`white`],
  [t`green`, t`blue`],
];
const COLOURED_FACES = new Set(["bag", "board"]);

/**
 * What a game's file says, in the person's language, with the colours that are really shown.
 * @param {string} text
 * @param {string} face
 */
export function inColours(text, face) {
  const said = worded(text);
  if (settings.colours !== "colour-blind" || !COLOURED_FACES.has(face)) return said;
  const stems = new RegExp(
    `(?<!\\p{L})(${OTHER_COLOURS.map(([usual]) => usual).join("|")})(?=(?:e[nmrs]?|s)?(?!\\p{L}))`,
    "giu",
  );
  return said.replace(stems, (/** @type {string} */ colour) => {
    const [, other] = OTHER_COLOURS.find(([usual]) => usual.toLowerCase() === colour.toLowerCase());
    return colour === colour.toLowerCase() ? other : capital(other);
  });
}

/**
 * "Red Light: draw chips ... (Neller et al., 2014)." as what one does in it, and who thought of it.
 * @param {string} summary
 */
export function parted(summary) {
  const [, text, source] = /^(?:[^:]{1,40}:\s*)?(.*?)\s*(?:\(([^()]*)\))?\.?$/s.exec(summary);
  return { text: worded(`${capital(text)}.`), source: source ?? "" };
}

/**
 * True if the seat is this person's and no other player shares the device; spectators have no seat.
 * @param {Page.Seating} view
 * @param {number} seat
 */
export const isYou = (view, seat) => seat === view.you && view.company !== "device" && !view.isByName;

/**
 * The name of the player at a seat: "You", a name, or the opponent's title.
 * @param {Page.Seating} view
 * @param {number} seat
 */
export function nameOf(view, seat) {
  if (isYou(view, seat)) return t`You`;
  if (view.names) return displayName(view.names[seat]);
  return view.players > 2 ? `${rivalIn(view)} ${seat + 1}` : rivalIn(view);
}

const GIVEN = /^(Player \d|A player|Deleted player)$/; // the server's names for players without one

/**
 * A player's name; only the server's default names are translated.
 * @param {string} name
 */
export const displayName = (name) => (GIVEN.test(name) ? worded(name) : name);

/**
 * What the opponent in a game is called.
 * @param {Page.Seating} view
 */
export const rivalIn = (view) => worded(view.opponent.title);

/**
 * A sentence about a seat: `own` for this person; `other` is called with any other player's name.
 * @param {Page.Seating} view
 * @param {number} seat
 * @param {string} own
 * @param {(name: string) => string} other
 */
export function does(view, seat, own, other) {
  return isYou(view, seat) ? own : other(nameOf(view, seat));
}

/**
 * What a turn that ended in nothing cost: "You lose 5 points", "Hard loses the turn".
 * @param {Page.Seating} view
 * @param {number} seat
 * @param {number} lost
 * @param {string} noun
 */
export function losesTurn(view, seat, lost, noun) {
  if (lost === 0) return does(view, seat, t`You lose the turn`, (name) => t`${name} loses the turn`);
  if (noun === "chicken") {
    return does(view, seat, tn(lost, "You lose {0} chicken", "You lose {0} chickens"), (name) =>
      tn(lost, "{1} loses {0} chicken", "{1} loses {0} chickens", name),
    );
  }
  return does(view, seat, tn(lost, "You lose {0} point", "You lose {0} points"), (name) =>
    tn(lost, "{1} loses {0} point", "{1} loses {0} points", name),
  );
}

/**
 * Whom a person who makes the chance makes it for: nothing, or " for Hard".
 * @param {Page.Seating} view
 * @param {number} seat
 */
export function forWhom(view, seat) {
  return isYou(view, seat) ? "" : t` for ${nameOf(view, seat)}`;
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * 0.7125 as "71.3 %".
 * @param {number} share
 * @param {number} [digits]
 */
export function percent(share, digits = 1) {
  return `${numeral(100 * share, digits, digits)}\u00a0%`;
}

/**
 * A difference of chances: 0.032 as "3.2 percentage points".
 * @param {number} share
 * @param {number} [digits]
 */
export function points(share, digits = 1) {
  return t`${numeral(100 * share, digits, digits)}\u00a0percentage points`;
}

/**
 * The same with its sign: a gain or a loss.
 * @param {number} share
 * @param {number} [digits]
 */
export function signed(share, digits = 1) {
  return `${share < 0 ? "−" : "+"}${points(Math.abs(share), digits)}`;
}

/**
 * How to display the value of a state: as a chance of winning or, in a single-player game, in its own unit.
 * @param {Page.Seating} view
 */
export function measureOf(view) {
  const { objective } = view;
  const isChance = !objective || objective.startsWith("chance");
  const title = objective
    ? capital(worded(objective))
    : does(view, view.you, t`Your chance of winning`, (name) => t`${name}’s chance of winning`);
  if (isChance)
    return {
      title,
      isChance,
      tell: percent,
      gap: (/** @type {number} */ share) => points(share),
      difference: (/** @type {number} */ share) => (objective ? points(share) : t`${points(share)} of winning`),
      signed,
    };
  const noun = worded(objective.replace(/^expected /, ""));
  /** @param {number} value */
  const tell = (value) => `${numeral(value, 2)} ${noun}`;
  return {
    title,
    isChance,
    tell,
    gap: tell,
    difference: tell,
    signed: (/** @type {number} */ value) => `${value < 0 ? "−" : "+"}${tell(Math.abs(value))}`,
  };
}

/** @type {Record<"card" | "chicken" | "wolf" | "day" | "decision" | "event" | "point" | "step", (number: number) => string>} */
const NOUNS = {
  card: (number) => tn(number, "{0} card", "{0} cards"),
  chicken: (number) => tn(number, "{0} chicken", "{0} chickens"),
  wolf: (number) => tn(number, "{0} wolf", "{0} wolves"),
  day: (number) => tn(number, "{0} day", "{0} days"),
  decision: (number) => tn(number, "{0} decision", "{0} decisions"),
  event: (number) => tn(number, "{0} event", "{0} events"),
  point: (number) => tn(number, "{0} point", "{0} points"),
  step: (number) => tn(number, "{0} step", "{0} steps"),
};

/**
 * One or several of something: 1 point, 2 points.
 * @param {number} number
 * @param {keyof typeof NOUNS} noun
 */
export const counted = (number, noun) => NOUNS[noun](number);

/**
 * What the catalog calls an opponent; a strategy by its name is called by it.
 * @param {string} opponent
 * @param {Api.CatalogGameView | undefined} game
 */
export function titleOf(opponent, game) {
  return game
    ? ([...game.opponents, ...game.rivals].find((one) => one.name === opponent)?.title ?? opponent)
    : opponent;
}

/**
 * The way to a game's first page, with the rules that are not as in the rule book.
 * @param {Api.CatalogGameView} game
 * @param {Page.Rules} rules
 */
export function wayTo(game, rules) {
  const changed = game.rules.filter((rule) => rules[rule.name] !== rule.default);
  return `#/new/${[game.name, changed.map((rule) => `${rule.name}=${rules[rule.name]}`).join(",")].map(encodeURIComponent).join("/")}`;
}
