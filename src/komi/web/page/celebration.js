/** Confetti for the winner, unless the user prefers reduced motion. */

import { element, prefersReducedMotion } from "./dom.js";

const PIECE_COUNT = 70;
const MAX_DURATION = 2600; // milliseconds
const COLOUR_COUNT = 6; // classes paper-0 to paper-5 in the style sheet

/** @param {AbortSignal} signal */
export function celebrate(signal) {
  if (prefersReducedMotion()) return;
  const pieces = Array.from({ length: PIECE_COUNT }, (_, i) => element("i", { class: `paper-${i % COLOUR_COUNT}` }));
  const shower = element("div", { class: "confetti", "aria-hidden": "true" }, pieces);
  document.body.append(shower);
  const animations = pieces.map((piece) => fall(piece).finished);
  const clear = () => shower.remove();
  Promise.allSettled(animations).then(clear);
  signal.addEventListener("abort", clear, { once: true });
}

/**
 * Animate one piece of paper from the top to the bottom of the window.
 * @param {HTMLElement} piece
 */
function fall(piece) {
  const drift = 40 * (Math.random() - 0.5);
  const spin = 720 * (Math.random() - 0.5);
  piece.style.left = `${100 * Math.random()}%`;
  return piece.animate(
    [
      { transform: "translate(0, -10vh)", opacity: 1 },
      { opacity: 1, offset: 0.7 },
      { transform: `translate(${drift}vw, 105vh) rotate(${spin}deg)`, opacity: 0 },
    ],
    {
      duration: MAX_DURATION * (0.55 + 0.45 * Math.random()),
      delay: 350 * Math.random(),
      easing: "cubic-bezier(.2,.6,.5,1)",
      fill: "both",
    },
  );
}
