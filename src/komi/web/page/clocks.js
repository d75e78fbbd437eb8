/** Clocks at a table of friends: what the server says is left, counted down until it says more. */

import { announce, element, pause } from "./dom.js";
import { t, tn } from "./language.js";
import { nameOf } from "./words.js";

const TICK = 200; // milliseconds
const SHORT = 20; // seconds
const WARNINGS = [60, 30, 10]; // seconds left at which a player is warned

/**
 * "3 minutes each, and 5 seconds more a turn".
 * @param {Api.TimeControlView} clock
 */
export function clockInWords({ minutes, seconds }) {
  const each = tn(minutes, "{0} minute each", "{0} minutes each");
  return seconds === 0 ? each : t`${each}, plus ${seconds} s per turn`;
}

export class Clocks {
  /** @param {Page.View} view */
  constructor(view) {
    this.faces = view.clock.left.map((_, seat) =>
      element("time", { class: "clock-face", role: "timer", "aria-label": t`Time left: ${nameOf(view, seat)}` }),
    );
    this.places = this.faces.map((face, seat) => element("li", {}, element("span", {}, nameOf(view, seat)), face));
    const order = this.places.map((_, i) => this.places[(view.you + i) % view.players]);
    this.root = element("ul", { class: "clocks", "aria-label": t`Clocks` }, order);
    this.set(view);
  }

  /**
   * What the server says now.
   * @param {Page.View} view
   */
  set(view) {
    this.view = view;
    this.at = performance.now();
    this.places.forEach((place, seat) => place.classList.toggle("moving", seat === view.mover));
    this.show();
  }

  /**
   * Count down as long as the game goes on; `end` is called when the mover has no time left.
   * @param {AbortSignal} signal
   * @param {() => void} [end]
   */
  async run(signal, end = () => {}) {
    while (!this.view.result) {
      const before = this.left(this.view.mover);
      await pause(TICK);
      if (signal.aborted || this.view.result || !this.root.isConnected) return;
      this.show();
      const now = this.left(this.view.mover);
      if (this.view.mover === this.view.you) this.tell(before, now);
      if (now <= 0) {
        end();
        await pause(1000);
      }
    }
  }

  /** @param {number} seat */
  left(seat) {
    const { clock, mover, result } = this.view;
    const passed = seat === mover && !result ? (performance.now() - this.at) / 1000 : 0;
    return Math.max(clock.left[seat] - passed, 0);
  }

  show() {
    this.faces.forEach((face, seat) => {
      const left = this.left(seat);
      face.textContent = written(left);
      face.dateTime = `PT${Math.ceil(left)}S`;
      face.classList.toggle("short", left < SHORT);
    });
  }

  /**
   * @param {number} before
   * @param {number} now
   */
  tell(before, now) {
    const mark = WARNINGS.find((seconds) => before > seconds && now <= seconds);
    if (mark) announce(tn(mark, "{0} second left.", "{0} seconds left."));
  }
}

/**
 * 4:05, or 1:04:05.
 * @param {number} seconds
 */
function written(seconds) {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] > 0 ? parts : parts.slice(1);
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}
