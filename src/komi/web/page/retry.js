/** Retries while the server is busy, after the time that its Retry-After header gives. */

import { pause } from "./dom.js";
import { t, tn } from "./language.js";

const MIN_INTERVAL = 1.5; // seconds between two requests
const MAX_INTERVAL = 10;
const MINUTE = 60;
const TOLERANCE = 2; // seconds by which the end of a wait may be put off before its estimate is hidden

/**
 * Repeat a request until the server has a response, while `isWanted` returns true. `say` is called with a sentence before
 * each pause.
 * @template T
 * @param {() => Promise<T>} request
 * @param {Page.Say} [say]
 * @param {() => boolean} [isWanted]
 */
export async function retryWhileBusy(request, say = (_sentence) => {}, isWanted = () => true) {
  const estimate = new WaitEstimate();
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (error.after === undefined || !isWanted()) throw error;
      say(estimate.describe(error.after));
      await pauseFor(error.after);
      if (!isWanted()) throw error;
    }
  }
}

/**
 * Pause for a quarter of the estimated time, because the response may be ready earlier.
 * @param {number} seconds
 */
export const pauseFor = (seconds) => pause(1000 * Math.min(Math.max(seconds / 4, MIN_INTERVAL), MAX_INTERVAL));

/** Describes the estimated time of one wait. An estimate that does not count down is not shown any more. */
export class WaitEstimate {
  constructor() {
    /** @type {number | null} */
    this.end = null;
    this.isKept = true;
  }

  /** @param {number} seconds */
  describe(seconds) {
    const end = Date.now() / 1000 + seconds;
    this.isKept &&= this.end === null || end <= this.end + TOLERANCE;
    this.end ??= end;
    return this.isKept ? describeWait(seconds) : t`This continues automatically.`;
  }
}

/**
 * Describe the estimated time.
 * @param {number} seconds
 */
function describeWait(seconds) {
  const minutes = Math.round(seconds / MINUTE);
  const words =
    seconds < 1.5 * MINUTE
      ? tn(Math.ceil(seconds), "about a second", "about {0} seconds")
      : tn(minutes, "about a minute", "about {0} minutes");
  return t`This takes ${words} and continues automatically.`;
}
