/** The wait while a game is being solved: once for each set of rules, then never again. */

import { prepare, preparation } from "./api.js";
import { element, pause } from "./dom.js";
import { t, worded } from "./language.js";
import { capital } from "./words.js";

const FIRST_LOOK = 250;
const LATER_LOOKS = 700;

/** Resolves when the game with these rules, against this opponent if one is named, can be played; shows how far
 * it is. */
export async function prepared(place, { game, rules, opponent }, signal) {
  place.replaceChildren();
  let known = await prepare(game, rules, opponent);
  let bar = null;
  while (!known.playable) {
    if (known.error) throw new Error(worded(known.error));
    bar ??= progressBar(place);
    bar.show(known);
    await pause(bar.looks++ < 4 ? FIRST_LOOK : LATER_LOOKS);
    if (signal.aborted) return;
    known = await preparation(known.key);
    if (opponent && (known.ready || known.error)) known = await prepare(game, rules, opponent);
  }
  place.replaceChildren();
}

function progressBar(place) {
  const bar = element("progress", { "aria-label": t`Getting the game ready` });
  const words = element("p", { class: "small" });
  place.replaceChildren(element("div", { class: "preparing" },
    element("strong", {}, t`Getting the game ready`), bar, words));
  return {
    looks: 0,
    show({ stage, done, total }) {
      if (total) {
        bar.max = total;
        bar.value = done;
      } else bar.removeAttribute("value");
      words.textContent = t`${capital(worded(stage ?? "solving"))}. This happens once; the answer is kept.`;
    },
  };
}
