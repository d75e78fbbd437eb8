/** Confetti for the winner, unless the person prefers reduced motion. */

import { element, isCalm } from "./dom.js";

const PIECES = 70;
const LONGEST = 2600; // milliseconds
const COLOURS = 6; // in the style sheet

/** @param {AbortSignal} signal */
export function celebrate(signal) {
  if (isCalm()) return;
  const pieces = Array.from({ length: PIECES }, (_, i) => element("i", { class: `paper-${i % COLOURS}` }));
  const shower = element("div", { class: "confetti", "aria-hidden": "true" }, pieces);
  document.body.append(shower);
  const fallen = pieces.map((piece) => fall(piece).finished);
  const clear = () => shower.remove();
  Promise.allSettled(fallen).then(clear);
  signal.addEventListener("abort", clear, { once: true });
}

/** @param {HTMLElement} piece */
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
      duration: LONGEST * (0.55 + 0.45 * Math.random()),
      delay: 350 * Math.random(),
      easing: "cubic-bezier(.2,.6,.5,1)",
      fill: "both",
    },
  );
}
