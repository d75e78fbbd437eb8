/** The rules of a game: a summary for beginners, and the full rules on request. */

import { howToPlay } from "./api.js";
import { element } from "./dom.js";
import { isTranslatable, formatNumber, t } from "./language.js";
import { openDialog } from "./dialog.js";
import { capitalize, displayText } from "./words.js";

const STORAGE_KEY = "komi.known"; // games that were played to their end in this browser
const EXAMPLE = /^Example:\s*/;
const THOUSANDS = /\b[1-9]\d+000\b/g; // formatted like scores; other digits may be faces of dice

/**
 * Create the button that opens the rules. `rules` returns the chosen ones.
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
 * Show the summary of the rules until the user has finished a game.
 * @param {HTMLElement} container
 * @param {Api.CatalogGameView} game
 * @param {Page.Rules} rules
 */
export async function showEssence(container, game, rules) {
  if (finishedGames().includes(game.name)) return;
  try {
    const [essence] = inWords(await howToPlay(game.name, rules), game);
    if (!essence) return;
    container.textContent = essence.text;
    container.hidden = false;
  } catch {
    // The button shows the error.
  }
}

/**
 * Record that the user has finished a game.
 * @param {string} name
 */
export function markAsKnown(name) {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([...new Set([...finishedGames(), name])]));
  } catch {
    // Without storage, the summary is shown again.
  }
}

/**
 * Return whether the user has finished a game.
 * @param {string} name
 */
export const isKnownGame = (name) => finishedGames().includes(name);

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
  openDialog(
    t`How to play ${game.title}`,
    paragraphs.length > 0
      ? paragraphs.map(paragraph)
      : element("p", {}, t`The rule file of this game has no explanation.`),
  );
}

/**
 * Translate the paragraphs. Keep them in English if one has no translation.
 * @param {Api.HowToPlayResponse} response
 * @param {Api.CatalogGameView} game
 */
function inWords({ paragraphs }, game) {
  const parts = paragraphs.map((text) => ({
    text: EXAMPLE.test(text) ? capitalize(text.replace(EXAMPLE, "")) : text,
    isExample: EXAMPLE.test(text),
  }));
  if (!parts.every(({ text }) => isTranslatable(text))) return parts;
  return parts.map(({ text, isExample }) => ({
    text: displayText(text, game.face).replace(THOUSANDS, (/** @type {string} */ digits) =>
      formatNumber(Number(digits)),
    ),
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

function finishedGames() {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY)) ?? [];
  } catch {
    return [];
  }
}
