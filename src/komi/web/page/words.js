/** The game's words as this person reads them: colours by their names, seats, shares and lists. */

import { settings } from "./settings.js";

const OTHER_COLOURS = { red: "yellow", orange: "white", green: "blue", Red: "Yellow", Orange: "White", Green: "Blue" };
const COLOURED_FACES = new Set(["bag", "board"]);

/** A label with the colours that are really shown. */
export function inColours(text, face) {
  if (settings.colours !== "colour-blind" || !COLOURED_FACES.has(face)) return text;
  return text.replace(/\b(red|orange|green)\b/gi, (colour) => OTHER_COLOURS[colour] ?? colour);
}

/** "Red Light: draw chips ... (Neller et al., 2014)." as what one does in it, and who thought of it. */
export function parted(summary) {
  const [, text, source] = /^(?:[^:]{1,40}:\s*)?(.*?)\s*(?:\(([^()]*)\))?\.?$/s.exec(summary);
  return { text: `${capital(text)}.`, source: source ?? "" };
}

/** Whether that seat is this person's, and nobody else looks at the same device. */
export const isYou = (view, seat) => seat === view.you && view.company !== "device";

/** Who sits there: "You", somebody by name, or the opponent. */
export function nameOf(view, seat) {
  if (isYou(view, seat)) return "You";
  if (view.names) return view.names[seat];
  return view.players > 2 ? `${view.opponent.title} ${seat + 1}` : view.opponent.title;
}

/** A verb as that seat does it: you roll, Hard rolls. */
export function does(view, seat, verb) {
  const [first, ...rest] = verb.split(" ");
  const conjugated = isYou(view, seat) ? first : /(s|sh|ch|x)$/.test(first) ? `${first}es` : `${first}s`;
  return [nameOf(view, seat), conjugated, ...rest].join(" ");
}

/** What a turn that ended in nothing cost: "You lose 5 points", "Hard loses the turn". */
export function losesTurn(view, seat, lost, noun) {
  return `${nameOf(view, seat)} ${isYou(view, seat) ? "lose" : "loses"} ${lost === 0 ? "the turn" : counted(lost, noun)}`;
}

/** Whom a person who makes the chance makes it for: nothing, or " for Hard". */
export function forWhom(view, seat) {
  return isYou(view, seat) ? "" : ` for ${nameOf(view, seat)}`;
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** 0.7125 as "71.3 %". */
export function percent(share, digits = 1) {
  return `${(100 * share).toFixed(digits)}\u00a0%`;
}

/** A difference of chances: 0.032 as "3.2 percentage points". */
export function points(share, digits = 1) {
  return `${(100 * share).toFixed(digits)}\u00a0percentage points`;
}

/** The same with its sign: a gain or a loss. */
export function signed(share, digits = 1) {
  return `${share < 0 ? "−" : "+"}${points(Math.abs(share), digits)}`;
}

/** How what a state is worth is told: as a chance of winning, or as points, say, where somebody plays alone for these. */
export function measureOf({ objective }) {
  const isChance = !objective || objective.startsWith("chance");
  if (isChance) return { title: objective ? capital(objective) : "Your chance of winning", isChance, tell: percent, difference: (share) => `${points(share)}${objective ? "" : " of winning"}`, signed };
  const noun = objective.replace(/^expected /, "");
  const number = (value) => `${Number(value.toFixed(2))}`;
  return {
    title: capital(objective), isChance, tell: (value) => `${number(value)} ${noun}`,
    difference: (value) => `${number(value)} ${noun}`, signed: (value) => `${value < 0 ? "−" : "+"}${number(Math.abs(value))} ${noun}`,
  };
}

/** One or several of something: 1 point, 2 points. */
export function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Words one after another: a, b and c. */
export function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** What the catalog calls an opponent; a strategy by its name is called by it. */
export function titleOf(opponent, game) {
  return game?.opponents.find((one) => one.name === opponent)?.title ?? opponent;
}

/** The way to a game's first page, with the rules that are not as in the rule book. */
export function wayTo(game, rules) {
  const changed = game.rules.filter((rule) => rules[rule.name] !== rule.default);
  return `#/new/${[game.name, changed.map((rule) => `${rule.name}=${rules[rule.name]}`).join(",")].map(encodeURIComponent).join("/")}`;
}

/** A moment in this person's own way of writing it. */
export function moment(text) {
  return new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
