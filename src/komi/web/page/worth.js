/** What actions are worth, as bars. */

import { element } from "./dom.js";
import { capital, inColours, percent } from "./words.js";

const MOST_BARS = 12;

/** The best first; `best` and `chosen` are marked in words. */
export function worthBars(actions, { best, chosen }, face) {
  const sorted = [...actions].sort((a, b) => b.worth - a.worth || (a.label === best ? -1 : b.label === best ? 1 : 0));
  const shown = sorted.filter((action, i) => i < MOST_BARS || action.label === best || action.label === chosen);
  return element("ul", { class: "worths" }, shown.map((action) => {
    const bar = element("span", { class: "bar" });
    bar.style.setProperty("--share", action.worth);
    const tags = [action.label === best && "best", action.label === chosen && "you chose this"].filter(Boolean);
    return element("li", { class: action.label === best ? "best" : "" },
      element("span", { class: "worth-name" }, capital(inColours(action.label, face)), tags.map((tag) => element("em", {}, tag))),
      element("span", { class: "worth-value" }, inWords(action)), bar);
  }));
}

/** A chance of winning, or how a game without chance goes on from there. */
export function inWords({ worth, value, plies }) {
  if (!value) return percent(worth);
  return value === "draw" || !plies ? value : `${value} in ${plies}`;
}
