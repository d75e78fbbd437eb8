/** The wait while a game is being solved: once for each set of rules, then never again. */

import { prepare, preparation } from "./api.js";
import { element, pause } from "./dom.js";
import { t, worded } from "./language.js";
import { patiently, takes } from "./patience.js";
import { capital } from "./words.js";

const FIRST_LOOK = 250;
const LATER_LOOKS = 700;
const WAITING = "waiting"; // how a stage begins in which others come first
const PACED = 2; // seconds of a stage after which its pace is known

/** Resolves when the game with these rules, against this opponent if one is named, can be played; shows how far
 * it is. */
export async function prepared(place, { game, rules, opponent }, signal) {
  place.replaceChildren();
  let bar = null;
  const ask = () =>
    patiently(
      () => prepare(game, rules, opponent),
      (sentence) => (bar ??= progressBar(place)).say(sentence),
      () => !signal.aborted,
    );
  let known = await ask();
  while (!known.playable) {
    if (known.error) throw new Error(worded(known.error));
    bar ??= progressBar(place);
    bar.show(known);
    await pause(bar.looks++ < 4 ? FIRST_LOOK : LATER_LOOKS);
    if (signal.aborted) return;
    known = await preparation(known.key);
    if (opponent && (known.ready || known.error)) known = await ask();
  }
  place.replaceChildren();
}

function progressBar(place) {
  const bar = element("progress", { "aria-label": t`Preparing the game` });
  const words = element("p", { class: "small" });
  place.replaceChildren(
    element("div", { class: "preparing" }, element("strong", {}, t`Preparing the game`), bar, words),
  );
  const pace = new Pace();
  return {
    looks: 0,
    say(sentence) {
      bar.removeAttribute("value");
      words.textContent = sentence;
    },
    show(known) {
      if (known.total) {
        bar.max = known.total;
        bar.value = known.done;
      } else bar.removeAttribute("value");
      words.textContent = t`${pace.words(known)} This is needed only once; the result is saved.`;
    },
  };
}

/** How far a preparation is, and how long the rest of a stage takes if it goes on as it has. */
export class Pace {
  constructor() {
    this.name = null;
    this.from = 0;
    this.since = 0;
  }

  words({ stage, done, total, after }) {
    const doing = capital(worded(stage));
    const seconds = this.left(stage, done, total);
    if (stage.startsWith(WAITING) && after) return `${doing}. ${takes(after)}`;
    return seconds === null ? `${doing}.` : t`${doing}: about ${seconds} s left for this step.`;
  }

  left(stage, done, total) {
    const name = stage.split(",")[0]; // what a stage notes stands behind a comma
    if (name !== this.name) {
      this.name = name;
      this.from = done;
      this.since = Date.now();
    }
    const gone = (Date.now() - this.since) / 1000;
    return total > 0 && gone > PACED && done > this.from
      ? Math.ceil(((total - done) * gone) / (done - this.from))
      : null;
  }
}
