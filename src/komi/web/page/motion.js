/** Short animations; none if the person prefers reduced motion. */

import { isCalm, pause } from "./dom.js";
import { settings } from "./settings.js";

const CALM_PAUSE = 120;
/** @type {Record<string, number>} */
const PACES = { usual: 1, quick: 0.4, instant: 0 }; // of the usual time
/** @param {number} milliseconds */
const paced = (milliseconds) => milliseconds * (PACES[settings.pace] ?? 1);

/**
 * Give time to look, unless the person is in a hurry.
 * @param {number} milliseconds
 * @param {Page.Hurry} hurry
 */
export function settle(milliseconds, hurry) {
  if (hurry.now || paced(milliseconds) === 0) return Promise.resolve();
  return Promise.race([pause(paced(isCalm() ? Math.min(milliseconds, CALM_PAUSE) : milliseconds)), hurry.wanted]);
}

/**
 * An element that comes flying from another one.
 * @param {Element} flying
 * @param {Element} from
 * @param {Page.Hurry} hurry
 */
export function tossed(flying, from, hurry) {
  const start = from.getBoundingClientRect();
  const end = flying.getBoundingClientRect();
  const x = start.x + start.width / 2 - (end.x + end.width / 2);
  const y = start.y + start.height / 4 - (end.y + end.height / 2);
  return moved(
    flying,
    [
      { transform: `translate(${x}px, ${y}px) scale(.3)`, opacity: 0 },
      { transform: `translate(${x / 2}px, ${y / 2 - 70}px) scale(1.25)`, opacity: 1, offset: 0.5 },
      { transform: "none" },
    ],
    480,
    hurry,
  );
}

/**
 * Run an animation to its end, or jump there.
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {number} duration
 * @param {Page.Hurry} hurry
 * @param {string} [easing]
 */
export async function moved(element, frames, duration, hurry, easing = "cubic-bezier(.3,.7,.3,1)") {
  if (hurry.now || isCalm() || paced(duration) === 0) return;
  const animation = element.animate(frames, { duration: paced(duration), easing, fill: "none" });
  await Promise.race([animation.finished, hurry.wanted]);
  animation.finish();
}

/** Whether the person would rather not wait: `wanted` resolves when they say so. */
export class Hurry {
  constructor() {
    this.now = false;
    this.resolve = () => {};
    /** @type {Promise<void>} */
    this.wanted = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  please() {
    this.now = true;
    this.resolve();
  }
}
