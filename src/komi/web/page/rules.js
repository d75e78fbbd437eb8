/** How a game is played: the essence for those who are new to it, all of it with an example when asked for. */

import { howToPlay } from "./api.js";
import { element } from "./dom.js";
import { openSheet } from "./sheet.js";
import { inColours } from "./words.js";

const KNOWN = "komi.known"; // games that were played to their end in this browser
const EXAMPLE = /^Example:\s*/;

/** Opens the rules; `rules` is called for those that are chosen. */
export function rulesButton(game, rules) {
  return element("button", { type: "button", class: "rules-button", onclick: () => openRules(game, rules()) }, "Rules");
}

/** What one does and who wins, until the person has finished a game of it. */
export async function showEssence(place, game, rules) {
  if (known().includes(game.name)) return;
  try {
    const [essence] = (await howToPlay(game.name, rules)).paragraphs;
    if (!essence) return;
    place.textContent = inColours(essence, game.face);
    place.hidden = false;
  } catch {
    // It can be asked for with the button.
  }
}

/** The person has played it to its end, and knows how it goes. */
export function becomeKnown(name) {
  try {
    localStorage.setItem(KNOWN, JSON.stringify([...new Set([...known(), name])]));
  } catch {
    // A browser that keeps nothing tells it again.
  }
}

/** Whether the person has played it to its end. */
export const isKnownGame = (name) => known().includes(name);

async function openRules(game, rules) {
  let paragraphs;
  try {
    ({ paragraphs } = await howToPlay(game.name, rules));
  } catch (error) {
    paragraphs = [error.message];
  }
  openSheet(`How to play ${game.title}`, paragraphs.length > 0 ? paragraphs.map((text, i) => paragraph(inColours(text, game.face), i)) :
    element("p", {}, "The file of this game does not tell its rules."));
}

function paragraph(text, i) {
  if (!EXAMPLE.test(text)) return element("p", { class: i === 0 ? "essence" : null }, text);
  return element("figure", { class: "example" }, element("figcaption", {}, "Example"), element("p", {}, text.replace(EXAMPLE, "")));
}

function known() {
  try {
    return JSON.parse(localStorage.getItem(KNOWN)) ?? [];
  } catch {
    return [];
  }
}
