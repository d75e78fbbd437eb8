/** Progress while a game is being solved. Each set of rules is solved only once. */

import { prepare, preparation } from "./api.js";
import { KEPT } from "./dealer.js";
import { element, pause } from "./dom.js";
import { t, translateServerText } from "./language.js";
import { WaitEstimate, retryWhileBusy } from "./retry.js";
import { capitalize } from "./words.js";

const FIRST_POLL_INTERVAL = 250;
const POLL_INTERVAL = 700;
const WAITING_PREFIX = "waiting"; // the beginning of stages in which the job is queued
const ONCE = "once only"; // in stages that say themselves that they are not repeated
const MIN_SECONDS = 2; // of a stage, before its duration is estimated

/**
 * Wait until the game can be played with these rules and, if given, this opponent. Shows the progress in `container`.
 * @param {HTMLElement} container
 * @param {{ game: string, rules: Page.Rules, opponent?: string | null }} options
 * @param {AbortSignal} signal
 */
export async function waitUntilPlayable(container, { game, rules, opponent }, signal) {
  container.replaceChildren();
  let bar = null;
  const request = () =>
    retryWhileBusy(
      () => prepare(game, rules, opponent),
      (sentence) => (bar ??= progressBar(container)).say(sentence),
      () => !signal.aborted,
    );
  let progress = await request();
  while (!progress.playable) {
    if (progress.error) throw new Error(translateServerText(progress.error));
    bar ??= progressBar(container);
    bar.show(progress);
    await pause(bar.polls++ < 4 ? FIRST_POLL_INTERVAL : POLL_INTERVAL);
    if (signal.aborted) return;
    progress = await preparation(progress.key);
    if (progress.ready || progress.error) progress = await request(); // repeats an interrupted job
  }
  container.replaceChildren();
}

/** @param {HTMLElement} container */
function progressBar(container) {
  const bar = element("progress", { "aria-label": t`Preparing the game` });
  const status = element("p", { class: "small" });
  container.replaceChildren(
    element("div", { class: "preparing" }, element("strong", {}, t`Preparing the game`), bar, status),
  );
  const estimate = new ProgressEstimate();
  return {
    polls: 0,
    /** @param {string} sentence */
    say(sentence) {
      bar.removeAttribute("value");
      status.textContent = sentence;
    },
    /** @param {Page.Preparation} progress */
    show(progress) {
      if (progress.total) {
        bar.max = progress.total;
        bar.value = progress.done;
      } else bar.removeAttribute("value");
      const sentence = estimate.describe(progress);
      const isSaid = progress.stage.includes(ONCE);
      status.textContent = isSaid ? sentence : `${sentence} ${KEPT}`;
    },
  };
}

/** Estimates the remaining time of a stage from its speed so far. */
export class ProgressEstimate {
  constructor() {
    /** @type {string | null} */
    this.stage = null;
    this.startDone = 0;
    this.startTime = 0;
    this.wait = new WaitEstimate();
  }

  /** @param {Page.Preparation} progress */
  describe({ stage, done, total, after }) {
    const stageName = capitalize(translateServerText(stage));
    const seconds = this.secondsLeft(stage, done, total);
    if (stage.startsWith(WAITING_PREFIX) && after) return `${stageName}. ${this.wait.describe(after)}`;
    return seconds === null ? `${stageName}.` : t`${stageName}: about ${seconds} s left for this step.`;
  }

  /**
   * @param {string} stage
   * @param {number} done
   * @param {number} total
   */
  secondsLeft(stage, done, total) {
    const name = stage.split(",")[0]; // the details of a stage follow a comma
    if (name !== this.stage) {
      this.stage = name;
      this.startDone = done;
      this.startTime = Date.now();
    }
    const elapsed = (Date.now() - this.startTime) / 1000;
    return total > 0 && elapsed > MIN_SECONDS && done > this.startDone
      ? Math.ceil(((total - done) * elapsed) / (done - this.startDone))
      : null;
  }
}
