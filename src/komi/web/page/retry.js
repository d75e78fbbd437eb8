/** Asking again while the server is busy: it says when, and the page says so. */

import { pause } from "./dom.js";
import { t, tn } from "./language.js";

const LEAST = 1.5; // seconds between two requests
const MOST = 10;
const MINUTE = 60;

/**
 * What `ask` resolves to once the server has it, as long as it `isWanted`; until then `say` gets a sentence.
 * @template T
 * @param {() => Promise<T>} request
 * @param {Page.Say} [say]
 * @param {() => boolean} [isWanted]
 */
export async function retryWhileBusy(request, say = (_sentence) => {}, isWanted = () => true) {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (error.after === undefined || !isWanted()) throw error;
      say(takes(error.after));
      await pauseFor(error.after);
      if (!isWanted()) throw error;
    }
  }
}

/**
 * Pause for a part of the time that something takes: it may be ready earlier.
 * @param {number} seconds
 */
export const pauseFor = (seconds) => pause(1000 * Math.min(Math.max(seconds / 4, LEAST), MOST));

/**
 * How long something takes.
 * @param {number} seconds
 */
export function takes(seconds) {
  const minutes = Math.round(seconds / MINUTE);
  const words =
    seconds < 1.5 * MINUTE
      ? tn(Math.ceil(seconds), "about a second", "about {0} seconds")
      : tn(minutes, "about a minute", "about {0} minutes");
  return t`This takes ${words} and continues automatically.`;
}
