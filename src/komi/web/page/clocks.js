/** Clocks at a table of friends: count down locally from the times that the server last reported. */

import { announce, element, pause } from "./dom.js";
import { t, tn } from "./language.js";
import { nameOf } from "./words.js";

const TICK_INTERVAL = 200; // milliseconds
const SHORT_TIME = 20; // seconds
const WARNINGS = [60, 30, 10]; // seconds left at which a player is warned

/**
 * Describe a clock: "3 minutes each, plus 5 s per turn".
 * @param {Api.TimeControlView} clock
 */
export function describeClock({ minutes, seconds }) {
  const each = tn(minutes, "{0} minute each", "{0} minutes each");
  return seconds === 0 ? each : t`${each}, plus ${seconds} s per turn`;
}

export class Clocks {
  /** @param {Page.View} view */
  constructor(view) {
    this.faces = view.clock.left.map((_, seat) =>
      element("time", { class: "clock-face", role: "timer", "aria-label": t`Time left: ${nameOf(view, seat)}` }),
    );
    this.items = this.faces.map((face, seat) => element("li", {}, element("span", {}, nameOf(view, seat)), face));
    const order = this.items.map((_, i) => this.items[(view.you + i) % view.players]);
    this.root = element("ul", { class: "clocks", "aria-label": t`Clocks` }, order);
    this.update(view);
  }

  /**
   * Set the clocks to the times that the server reports.
   * @param {Page.View} view
   */
  update(view) {
    this.view = view;
    this.at = performance.now();
    this.items.forEach((item, seat) => item.classList.toggle("moving", seat === view.mover));
    this.show();
  }

  /**
   * Count down as long as the game goes on; `onTimeout` is called when the mover has no time left.
   * @param {AbortSignal} signal
   * @param {() => void} [onTimeout]
   */
  async run(signal, onTimeout = () => {}) {
    while (!this.view.result) {
      const before = this.secondsLeft(this.view.mover);
      await pause(TICK_INTERVAL);
      if (signal.aborted || this.view.result || !this.root.isConnected) return;
      this.show();
      const now = this.secondsLeft(this.view.mover);
      if (this.view.mover === this.view.you) this.warn(before, now);
      if (now <= 0) {
        onTimeout();
        await pause(1000);
      }
    }
  }

  /** @param {number} seat */
  secondsLeft(seat) {
    const { clock, mover, result } = this.view;
    const passed = seat === mover && !result ? (performance.now() - this.at) / 1000 : 0;
    return Math.max(clock.left[seat] - passed, 0);
  }

  show() {
    this.faces.forEach((face, seat) => {
      const secondsLeft = this.secondsLeft(seat);
      face.textContent = formatDuration(secondsLeft);
      face.dateTime = `PT${Math.ceil(secondsLeft)}S`;
      face.classList.toggle("short", secondsLeft < SHORT_TIME);
    });
  }

  /**
   * @param {number} before
   * @param {number} now
   */
  warn(before, now) {
    const threshold = WARNINGS.find((seconds) => before > seconds && now <= seconds);
    if (threshold) announce(tn(threshold, "{0} second left.", "{0} seconds left."));
  }
}

/**
 * Format a time as 4:05 or 1:04:05.
 * @param {number} seconds
 */
function formatDuration(seconds) {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] > 0 ? parts : parts.slice(1);
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}
