/** The strategy as a landscape: where to hold, over both players' points, turning in space. */

import { NetworkError, surface } from "./api.js";
import { element, isCalm } from "./dom.js";
import { t, worded } from "./language.js";
import { pauseFor, takes } from "./retry.js";
import { standing } from "./standing.js";
import { Surface } from "./surface.js";
import { capital } from "./words.js";

const SLOW = 0.0022; // radians a frame
const STEP = 0.12; // radians a key

/** The panel beside the table; asks for the surface when it is first opened. */
export class LandscapePanel {
  /**
   * @param {Page.View} view
   * @param {AbortSignal} signal
   */
  constructor(view, signal) {
    this.surface = null;
    this.next = 0;
    this.view = view;
    this.signal = signal;
    this.canvas = element("canvas", { role: "img", "aria-label": t`The hold values` });
    this.frame = element(
      "div",
      {
        class: "landscape-frame",
        tabindex: "0",
        role: "group",
        "aria-label": t`The hold values: rotate them with the arrow keys`,
      },
      this.canvas,
    );
    this.words = element("p", { class: "landscape-words" });
    this.turning = element("button", { type: "button", class: "quiet", onclick: () => this.turn(!this.isTurning) });
    this.large = element(
      "button",
      { type: "button", class: "quiet", hidden: !document.fullscreenEnabled, onclick: () => this.enlarge() },
      t`Full screen`,
    );
    this.whole = element(
      "div",
      { class: "landscape-whole", onfullscreenchange: () => this.nameButton() },
      this.frame,
      this.words,
      element("div", { class: "row" }, this.turning, this.large),
    );
    this.panel = element(
      "details",
      { ontoggle: () => this.follow() },
      element("summary", {}, element("h2", {}, t`When to hold, in 3D`)),
      this.whole,
    );
    this.root = element(
      "section",
      { class: "panel landscape", hidden: !canBeHeld(view) || (view.company === "link" && !view.result) },
      this.panel,
    );
    this.steer();
    this.turn(!isCalm());
  }

  /** Show the present state on it. */
  async follow() {
    if (!this.panel.open || this.root.hidden) return;
    if (!this.words.textContent) this.words.textContent = t`Computing when to hold …`;
    try {
      const known = await surface(this.view.id);
      this.surface ??= new Surface(this.canvas);
      this.surface.show(known);
      this.words.textContent = inWords(known);
      this.canvas.setAttribute("aria-label", `${worded(known.caption)}. ${this.words.textContent}`);
    } catch (error) {
      const isLater = error.after !== undefined;
      this.words.textContent = isLater ? `${t`Computing when to hold …`} ${takes(error.after)}` : error.message;
      if (isLater || error instanceof NetworkError)
        this.later ??= pauseFor(error.after ?? 0).then(() => {
          this.later = null;
          if (!this.signal.aborted) this.follow();
        });
      return;
    }
    this.animate();
  }

  /** Over all the screen with its words and buttons, one of which leads back: a finger has no Escape. */
  async enlarge() {
    try {
      await (document.fullscreenElement ? document.exitFullscreen() : this.whole.requestFullscreen());
    } catch {
      // The browser does not allow it: the landscape stays as large as it is.
    }
  }

  nameButton() {
    const isLarge = document.fullscreenElement === this.whole;
    this.large.textContent = isLarge ? t`Close` : t`Full screen`;
    this.large.classList.toggle("primary", isLarge);
    this.large.classList.toggle("quiet", !isLarge);
  }

  /** @param {boolean} on */
  turn(on) {
    this.isTurning = on;
    this.turning.textContent = on ? t`Stop rotating` : t`Rotate`;
    this.animate();
  }

  animate() {
    cancelAnimationFrame(this.next);
    if (!this.surface || !this.panel.open || this.signal.aborted) return;
    if (this.isTurning) {
      this.surface.turn(SLOW, 0);
      this.next = requestAnimationFrame(() => this.animate());
    } else this.surface.draw();
  }

  steer() {
    this.frame.addEventListener("pointerdown", (event) => {
      this.frame.setPointerCapture(event.pointerId);
      this.turn(false);
      /** @param {PointerEvent} moved */
      const drag = (moved) => this.surface?.turn(moved.movementX * 0.01, moved.movementY * 0.01);
      this.frame.addEventListener("pointermove", drag);
      const release = () => this.frame.removeEventListener("pointermove", drag);
      this.frame.addEventListener("pointerup", release, { once: true });
      this.frame.addEventListener("pointercancel", release, { once: true });
    });
    this.frame.addEventListener("keydown", (event) => {
      const turns = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[
        event.key
      ];
      if (!turns) return;
      event.preventDefault();
      this.turn(false);
      this.surface?.turn(...turns);
    });
  }
}

/** @param {Page.View} view */
function canBeHeld(view) {
  return view.players === 2 && standing({ state: view.state, eyes: 0 }) !== null && "turn" in view.state;
}

/** @param {Api.SurfaceResponse} surface */
function inWords({ now, x, y, z }) {
  const at = z[y.values.indexOf(now.y)]?.[x.values.indexOf(now.x)] ?? null;
  const advice = at === null ? t`never hold` : t`hold at ${at}`;
  return t`${capital(worded(x.field))} ${now.x}, ${worded(y.field)} ${now.y}: ${advice}. At risk now: ${now.z}.`;
}
