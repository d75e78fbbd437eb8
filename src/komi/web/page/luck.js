/** Luck, from 0 to 1: the first 53 bits of HMAC-SHA256(key: seed, message: "number:entry"), divided by 2^53. */

import { bytesOf, hex, hmac, sha256, textBytes } from "./sha256.js";

/**
 * The luck of an entry of the log.
 * @param {string} seed
 * @param {string} number
 * @param {number} entry
 */
export function luckOf(seed, number, entry) {
  const words = new DataView(hmac(bytesOf(seed), textBytes(`${number}:${entry}`)).buffer);
  return (words.getUint32(0) * 2 ** 21 + (words.getUint32(4) >>> 11)) / 2 ** 53;
}

/**
 * The seat that is drawn by lot.
 * @param {string} seed
 * @param {string} number
 * @param {number} players
 */
export function seatByLot(seed, number, players) {
  return Math.floor(luckOf(seed, `${number}:seat`, 0) * players);
}

/**
 * Which of outcomes, each a label and its probability, luck falls on if they lie side by side.
 * @param {[string, number][]} outcomes
 * @param {number} luck
 */
export function sampledOutcome(outcomes, luck) {
  let end = 0;
  const index = outcomes.findIndex(([, probability]) => luck < (end += probability));
  return index === -1 ? outcomes.length - 1 : index; // rounding may leave a sliver
}

/**
 * What is left of an event's luck once the event is known: a number from 0 to 1.
 * @param {Page.Line} entry
 */
export function restOfLuck({ luck, outcomes, label }) {
  if (luck === null || !outcomes) return Math.random();
  const index = outcomes.findIndex(([name]) => name === label);
  const low = outcomes.slice(0, index).reduce((sum, [, probability]) => sum + probability, 0);
  return Math.min(Math.max((luck - low) / outcomes[index][1], 0), 1 - Number.EPSILON);
}

/**
 * The number that those of several players make.
 * @param {string[]} numbers
 */
export const joined = (numbers) => hex(sha256(textBytes(numbers.join(":")))).slice(0, 32);
