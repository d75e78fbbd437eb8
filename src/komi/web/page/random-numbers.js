/** Verifiable uniform random numbers: the first 53 bits of HMAC-SHA256(key: seed, message: "number:entry"), divided by 2^53. */

import { bytesFromHex, hex, hmac, sha256, textBytes } from "./sha256.js";

/**
 * Return the random number of an entry of the log.
 * @param {string} seed
 * @param {string} number
 * @param {number} entry
 */
export function randomNumberOf(seed, number, entry) {
  const words = new DataView(hmac(bytesFromHex(seed), textBytes(`${number}:${entry}`)).buffer);
  return (words.getUint32(0) * 2 ** 21 + (words.getUint32(4) >>> 11)) / 2 ** 53;
}

/**
 * Return the seat that is drawn by lot.
 * @param {string} seed
 * @param {string} number
 * @param {number} players
 */
export function drawSeat(seed, number, players) {
  return Math.floor(randomNumberOf(seed, `${number}:seat`, 0) * players);
}

/**
 * Return the index of the outcome that a random number selects. The outcomes are pairs of label and probability.
 * @param {[string, number][]} outcomes
 * @param {number} uniform
 */
export function sampledOutcome(outcomes, uniform) {
  let end = 0;
  const index = outcomes.findIndex(([, probability]) => uniform < (end += probability));
  return index === -1 ? outcomes.length - 1 : index; // the rounded probabilities may add up to less than 1
}

/**
 * Rescale the random number of an event within the interval of its outcome. The result is uniform and independent of the outcome.
 * @param {Page.Line} entry
 */
export function remainingRandomness({ luck: uniform, outcomes, label }) {
  if (uniform === null || !outcomes) return Math.random();
  const index = outcomes.findIndex(([name]) => name === label);
  const low = outcomes.slice(0, index).reduce((sum, [, probability]) => sum + probability, 0);
  return Math.min(Math.max((uniform - low) / outcomes[index][1], 0), 1 - Number.EPSILON);
}

/**
 * Combine the numbers of several players into one.
 * @param {string[]} numbers
 */
export const combineNumbers = (numbers) => hex(sha256(textBytes(numbers.join(":")))).slice(0, 32);
