/** The hold-value surface: at which turn total to hold, over both players' scores, as a rotating 3D plot. */

import { NetworkError, surface } from "./api.js";
import { element, prefersReducedMotion } from "./dom.js";
import { t, translateServerText } from "./language.js";
import { WaitEstimate, pauseFor } from "./retry.js";
import { standing } from "./snapshots.js";
import { Surface } from "./surface.js";
import { capitalize } from "./words.js";

const ROTATION_SPEED = 0.0022; // radians per frame
const KEY_STEP = 0.12; // radians per key press

/** The panel beside the table. It requests the surface when it is opened. */
export class HoldSurfacePanel {
  /**
   * @param {Page.View} view
   * @param {AbortSignal} signal
   */
  constructor(view, signal) {
    this.surface = null;
    this.frameRequest = 0;
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
    this.description = element("p", { class: "landscape-words" });
    this.rotateButton = element("button", {
      type: "button",
      class: "quiet",
      onclick: () => this.setRotating(!this.isRotating),
    });
    this.fullscreenButton = element(
      "button",
      { type: "button", class: "quiet", hidden: !document.fullscreenEnabled, onclick: () => this.toggleFullscreen() },
      t`Full screen`,
    );
    this.content = element(
      "div",
      { class: "landscape-whole", onfullscreenchange: () => this.updateFullscreenButton() },
      this.frame,
      this.description,
      element("div", { class: "row" }, this.rotateButton, this.fullscreenButton),
    );
    this.panel = element(
      "details",
      { ontoggle: () => this.update() },
      element("summary", {}, element("h2", {}, t`When to hold, in 3D`)),
      this.content,
    );
    this.root = element(
      "section",
      { class: "panel landscape", hidden: !hasHoldValues(view) || (view.company === "link" && !view.result) },
      this.panel,
    );
    this.addControls();
    this.setRotating(!prefersReducedMotion());
  }

  /** Load the surface and mark the current state on it. */
  async update() {
    if (!this.panel.open || this.root.hidden) return;
    if (!this.description.textContent) this.description.textContent = t`Computing when to hold …`;
    try {
      const result = await surface(this.view.id);
      this.wait = null;
      this.surface ??= new Surface(this.canvas);
      this.surface.show(result);
      this.description.textContent = inWords(result);
      this.canvas.setAttribute("aria-label", `${translateServerText(result.caption)}. ${this.description.textContent}`);
    } catch (error) {
      const isSolving = error.after !== undefined;
      this.description.textContent = isSolving
        ? `${t`Computing when to hold …`} ${(this.wait ??= new WaitEstimate()).describe(error.after)}`
        : error.message;
      if (isSolving || error instanceof NetworkError)
        this.retryTimer ??= pauseFor(error.after ?? 0).then(() => {
          this.retryTimer = null;
          if (!this.signal.aborted) this.update();
        });
      return;
    }
    this.animate();
  }

  /** Enter or leave full screen. The buttons stay visible, because touch devices have no Escape key. */
  async toggleFullscreen() {
    try {
      await (document.fullscreenElement ? document.exitFullscreen() : this.content.requestFullscreen());
    } catch {
      // The browser does not allow full screen.
    }
  }

  updateFullscreenButton() {
    const isFullscreen = document.fullscreenElement === this.content;
    this.fullscreenButton.textContent = isFullscreen ? t`Close` : t`Full screen`;
    this.fullscreenButton.classList.toggle("primary", isFullscreen);
    this.fullscreenButton.classList.toggle("quiet", !isFullscreen);
  }

  /** @param {boolean} on */
  setRotating(on) {
    this.isRotating = on;
    this.rotateButton.textContent = on ? t`Stop rotating` : t`Rotate`;
    this.animate();
  }

  animate() {
    cancelAnimationFrame(this.frameRequest);
    if (!this.surface || !this.panel.open || this.signal.aborted) return;
    if (this.isRotating) {
      this.surface.turn(ROTATION_SPEED, 0);
      this.frameRequest = requestAnimationFrame(() => this.animate());
    } else this.surface.draw();
  }

  addControls() {
    this.frame.addEventListener("pointerdown", (event) => {
      this.frame.setPointerCapture(event.pointerId);
      this.setRotating(false);
      /** @param {PointerEvent} moved */
      const drag = (moved) => this.surface?.turn(moved.movementX * 0.01, moved.movementY * 0.01);
      this.frame.addEventListener("pointermove", drag);
      const release = () => this.frame.removeEventListener("pointermove", drag);
      this.frame.addEventListener("pointerup", release, { once: true });
      this.frame.addEventListener("pointercancel", release, { once: true });
    });
    this.frame.addEventListener("keydown", (event) => {
      const rotation = {
        ArrowLeft: [-KEY_STEP, 0],
        ArrowRight: [KEY_STEP, 0],
        ArrowUp: [0, -KEY_STEP],
        ArrowDown: [0, KEY_STEP],
      }[event.key];
      if (!rotation) return;
      event.preventDefault();
      this.setRotating(false);
      this.surface?.turn(...rotation);
    });
  }
}

/** @param {Page.View} view */
function hasHoldValues(view) {
  return view.players === 2 && standing({ state: view.state, observer: 0 }) !== null && "turn" in view.state;
}

/** @param {Api.SurfaceResponse} surface */
function inWords({ now, x, y, z }) {
  const holdValue = z[y.values.indexOf(now.y)]?.[x.values.indexOf(now.x)] ?? null;
  const advice = holdValue === null ? t`never hold` : t`hold at ${holdValue}`;
  return t`${capitalize(translateServerText(x.field))} ${now.x}, ${translateServerText(y.field)} ${now.y}: ${advice}. At risk now: ${now.z}.`;
}
