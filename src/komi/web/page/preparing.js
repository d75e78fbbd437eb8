/** The wait while a game is being solved: once for each set of rules, then never again. */

import { prepare, preparation } from "./api.js";
import { element, pause } from "./dom.js";
import { t, worded } from "./language.js";
import { retryWhileBusy, takes } from "./retry.js";
import { capital } from "./words.js";

const FIRST_POLL_INTERVAL = 250;
const POLL_INTERVAL = 700;
const WAITING = "waiting"; // how a stage begins in which others come first
const PACED = 2; // seconds of a stage after which its pace is known

/**
 * Resolves when the game with these rules, against this opponent if one is named, can be played; shows how far
 * it is.
 * @param {HTMLElement} container
 * @param {{ game: string, rules: Page.Rules, opponent?: string | null }} options
 * @param {AbortSignal} signal
 */
export async function prepared(container, { game, rules, opponent }, signal) {
  container.replaceChildren();
  let bar = null;
  const request = () =>
    retryWhileBusy(
      () => prepare(game, rules, opponent),
      (sentence) => (bar ??= progressBar(container)).say(sentence),
      () => !signal.aborted,
    );
  let known = await request();
  while (!known.playable) {
    if (known.error) throw new Error(worded(known.error));
    bar ??= progressBar(container);
    bar.show(known);
    await pause(bar.polls++ < 4 ? FIRST_POLL_INTERVAL : POLL_INTERVAL);
    if (signal.aborted) return;
    known = await preparation(known.key);
    if (opponent && (known.ready || known.error)) known = await request();
  }
  container.replaceChildren();
}

/** @param {HTMLElement} container */
function progressBar(container) {
  const bar = element("progress", { "aria-label": t`Preparing the game` });
  const words = element("p", { class: "small" });
  container.replaceChildren(
    element("div", { class: "preparing" }, element("strong", {}, t`Preparing the game`), bar, words),
  );
  const pace = new Pace();
  return {
    polls: 0,
    /** @param {string} sentence */
    say(sentence) {
      bar.removeAttribute("value");
      words.textContent = sentence;
    },
    /** @param {Page.Preparation} known */
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
    /** @type {string | null} */
    this.name = null;
    this.from = 0;
    this.since = 0;
  }

  /** @param {Page.Preparation} known */
  words({ stage, done, total, after }) {
    const doing = capital(worded(stage));
    const seconds = this.left(stage, done, total);
    if (stage.startsWith(WAITING) && after) return `${doing}. ${takes(after)}`;
    return seconds === null ? `${doing}.` : t`${doing}: about ${seconds} s left for this step.`;
  }

  /**
   * @param {string} stage
   * @param {number} done
   * @param {number} total
   */
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
