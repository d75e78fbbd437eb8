/** After a game: again or another, what the decisions were worth, the curve, and whether chance was fair. */

import { review } from "./api.js";
import { element, pause } from "./dom.js";
import { curveSection } from "./curve.js";
import { fairnessSection } from "./fairness.js";
import { mistakeSection } from "./mistakes.js";
import { startGame } from "./begin.js";
import { inColours, measureOf, nameOf, wayTo } from "./words.js";

const SOLVING = 503; // what the server answers as long as the game is not solved
const PATIENCE = 1500;

/** Put the curve under the table, and below it what else there is to say. */
export async function showEnding(table, view, game, signal) {
  const place = table.end;
  const waiting = element("p", { class: "panel small", role: "status" }, "Looking at your decisions …");
  place.replaceChildren(again(view, game), waiting);
  if (view.mode === "normal") place.append(fairnessSection(view, game));
  try {
    const known = await reviewed(view, waiting, signal);
    if (known.curve.length > 0) table.replay.replaceChildren(curveSection(known, measureOf(view), (steps) => describe(view, steps), (length) => table.show(length)));
    waiting.replaceWith(await mistakeSection(view, known));
  } catch (error) {
    waiting.textContent = error.message;
  }
}

/** The review; a game that is still being solved is waited for. */
async function reviewed(view, waiting, signal) {
  for (;;) {
    try {
      return await review(view.id);
    } catch (error) {
      if (error.status !== SOLVING || signal.aborted) throw error;
      waiting.textContent = "This game is still being solved. When it is, your decisions are shown here.";
      await pause(PATIENCE);
    }
  }
}

function again(view, game) {
  const trouble = element("p", { class: "small", role: "alert" });
  const wishes = {
    game: view.game, rules: view.rules, opponent: view.opponent.name || null, mode: view.mode,
    seat: view.you === 0 && view.players > 1 ? "second" : "first",
  };
  const start = () => startGame(wishes).then(
    (id) => { location.hash = `#/game/${encodeURIComponent(id)}`; },
    (error) => { trouble.textContent = error.message; });
  return element("div", { class: "again" },
    element("button", { type: "button", class: "primary", onclick: start }, view.players === 2 ? "Again, from the other seat" : "Again"),
    element("a", { class: "button", href: wayTo(game, view.rules) }, view.players > 1 ? "Other rules or opponent" : "Other rules"),
    element("a", { class: "button", href: "#/" }, "Another game"), trouble);
}

function describe(view, steps) {
  if (steps === 0) return "At the start:";
  const entry = view.log[steps - 1];
  return `Step ${steps}, ${nameOf(view, entry.seat)}: ${inColours(entry.label, view.face)}.`;
}
