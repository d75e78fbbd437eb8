/** Short animations, which respect the user's preference for reduced motion. */

import { prefersReducedMotion, pause } from "./dom.js";
import { settings } from "./settings.js";

const REDUCED_MOTION_DELAY = 120;
/** @type {Record<string, number>} */
const PACE_FACTORS = { usual: 1, quick: 0.4, instant: 0 }; // factor on every duration
/** @param {number} milliseconds */
const scaled = (milliseconds) => milliseconds * (PACE_FACTORS[settings.pace] ?? 1);

/**
 * Wait so that the user can look at the table. Resolve at once when the user skips.
 * @param {number} milliseconds
 * @param {Page.SkipSignal} skip
 */
export function delay(milliseconds, skip) {
  if (skip.isRequested || scaled(milliseconds) === 0) return Promise.resolve();
  return Promise.race([
    pause(scaled(prefersReducedMotion() ? Math.min(milliseconds, REDUCED_MOTION_DELAY) : milliseconds)),
    skip.requested,
  ]);
}

/**
 * Animate an element from the position of another one to its own.
 * @param {Element} target
 * @param {Element} source
 * @param {Page.SkipSignal} skip
 */
export function flyIn(target, source, skip) {
  const start = source.getBoundingClientRect();
  const end = target.getBoundingClientRect();
  const x = start.x + start.width / 2 - (end.x + end.width / 2);
  const y = start.y + start.height / 4 - (end.y + end.height / 2);
  return runAnimation(
    target,
    [
      { transform: `translate(${x}px, ${y}px) scale(.3)`, opacity: 0 },
      { transform: `translate(${x / 2}px, ${y / 2 - 70}px) scale(1.25)`, opacity: 1, offset: 0.5 },
      { transform: "none" },
    ],
    480,
    skip,
  );
}

/**
 * Run an animation to its end, or jump there when the user skips.
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {number} duration
 * @param {Page.SkipSignal} skip
 * @param {string} [easing]
 */
export async function runAnimation(element, frames, duration, skip, easing = "cubic-bezier(.3,.7,.3,1)") {
  if (skip.isRequested || prefersReducedMotion() || scaled(duration) === 0) return;
  const animation = element.animate(frames, { duration: scaled(duration), easing, fill: "none" });
  await Promise.race([animation.finished, skip.requested]);
  animation.finish();
}

/** A signal that the user wants to skip animations: `requested` resolves when `request` is called. */
export class SkipSignal {
  constructor() {
    this.isRequested = false;
    this.resolve = () => {};
    /** @type {Promise<void>} */
    this.requested = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  request() {
    this.isRequested = true;
    this.resolve();
  }
}
