/** How to play: the essence for newcomers, all of it with an example on request. */

import { howToPlay } from "./api.js";
import { element } from "./dom.js";
import { isWorded, numeral, t } from "./language.js";
import { openSheet } from "./sheet.js";
import { capital, inColours } from "./words.js";

const KNOWN = "komi.known"; // games that were played to their end in this browser
const EXAMPLE = /^Example:\s*/;
const THOUSANDS = /\b[1-9]\d+000\b/g; // to be written as the scores are; other rows of digits may be what dice show

/**
 * Opens the rules; `rules` is called for those that are chosen.
 * @param {Api.CatalogGameView} game
 * @param {() => Page.Rules} rules
 */
export function rulesButton(game, rules) {
  return element(
    "button",
    { type: "button", class: "rules-button", onclick: () => openRules(game, rules()) },
    t`Rules`,
  );
}

/**
 * What one does and who wins, until the person has finished a game of it.
 * @param {HTMLElement} container
 * @param {Api.CatalogGameView} game
 * @param {Page.Rules} rules
 */
export async function showEssence(container, game, rules) {
  if (known().includes(game.name)) return;
  try {
    const [essence] = inWords(await howToPlay(game.name, rules), game);
    if (!essence) return;
    container.textContent = essence.text;
    container.hidden = false;
  } catch {
    // The button shows it.
  }
}

/**
 * The person has played it to its end, and knows how it goes.
 * @param {string} name
 */
export function becomeKnown(name) {
  try {
    localStorage.setItem(KNOWN, JSON.stringify([...new Set([...known(), name])]));
  } catch {
    // A browser that keeps nothing tells it again.
  }
}

/**
 * Whether the person has played it to its end.
 * @param {string} name
 */
export const isKnownGame = (name) => known().includes(name);

/**
 * @param {Api.CatalogGameView} game
 * @param {Page.Rules} rules
 */
async function openRules(game, rules) {
  let paragraphs;
  try {
    paragraphs = inWords(await howToPlay(game.name, rules), game);
  } catch (error) {
    paragraphs = [{ text: error.message, isExample: false }];
  }
  openSheet(
    t`How to play ${game.title}`,
    paragraphs.length > 0
      ? paragraphs.map(paragraph)
      : element("p", {}, t`The rule file of this game has no explanation.`),
  );
}

/**
 * The paragraphs in the person's language; as the game's file has them, if it does not have all of them in that language.
 * @param {Api.HowToPlayResponse} response
 * @param {Api.CatalogGameView} game
 */
function inWords({ paragraphs }, game) {
  const parts = paragraphs.map((text) => ({
    text: EXAMPLE.test(text) ? capital(text.replace(EXAMPLE, "")) : text,
    isExample: EXAMPLE.test(text),
  }));
  if (!parts.every(({ text }) => isWorded(text))) return parts;
  return parts.map(({ text, isExample }) => ({
    text: inColours(text, game.face).replace(THOUSANDS, (/** @type {string} */ digits) => numeral(Number(digits))),
    isExample,
  }));
}

/**
 * @param {{ text: string, isExample: boolean }} part
 * @param {number} i
 */
function paragraph({ text, isExample }, i) {
  if (!isExample) return element("p", { class: i === 0 ? "essence" : null }, text);
  return element("figure", { class: "example" }, element("figcaption", {}, t`Example`), element("p", {}, text));
}

function known() {
  try {
    return JSON.parse(localStorage.getItem(KNOWN)) ?? [];
  } catch {
    return [];
  }
}
