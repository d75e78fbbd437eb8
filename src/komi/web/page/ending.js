/** After a game: again or another, what the decisions were worth, the curve, and whether chance was fair. */

import { review } from "./api.js";
import { element } from "./dom.js";
import { curveSection } from "./curve.js";
import { fairnessSection } from "./fairness.js";
import { mistakeSection } from "./mistakes.js";
import { startGame } from "./setup.js";
import { inColours, nameOf, wayTo } from "./words.js";

/** Fill the place under the table; `go` shows the table as it was after so many steps. */
export async function showEnding(place, view, game, go) {
  const waiting = element("p", { class: "panel small" }, "Looking at your decisions …");
  place.replaceChildren(again(view, game), waiting);
  waiting.replaceWith(...await lookBack(view, go));
  if (view.mode === "normal") place.append(fairnessSection(view, game));
}

async function lookBack(view, go) {
  try {
    const known = await review(view.id);
    const curve = known.curve.length > 0 ? [curveSection(known, (steps) => describe(view, steps), go)] : [];
    return [await mistakeSection(view, known), ...curve];
  } catch (error) {
    return [element("p", { class: "panel small" }, error.message)];
  }
}

function again(view, game) {
  const trouble = element("p", { class: "small", role: "alert" });
  const wishes = {
    game: view.game, rules: view.rules, opponent: view.opponent.name, mode: view.mode,
    seat: view.you === 0 && view.players > 1 ? "second" : "first",
  };
  const start = () => startGame(wishes).then(
    (id) => { location.hash = `#/game/${encodeURIComponent(id)}`; },
    (error) => { trouble.textContent = error.message; });
  return element("div", { class: "again" },
    element("button", { type: "button", class: "primary", onclick: start }, view.players > 1 ? "Again, from the other seat" : "Again"),
    element("a", { class: "button", href: wayTo(game, view.rules) }, "Other rules or opponent"),
    element("a", { class: "button", href: "#/" }, "Another game"), trouble);
}

function describe(view, steps) {
  if (steps === 0) return "At the start:";
  const entry = view.log[steps - 1];
  return `Step ${steps}, ${nameOf(view, entry.seat)}: ${inColours(entry.label, view.face)}.`;
}
