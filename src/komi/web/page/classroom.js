/** Classroom mode: large type, a count of hands for each choice, and the answer only on request. */

import { element } from "./dom.js";
import { t } from "./language.js";
import { capital, inColours } from "./words.js";

export class Classroom {
  /**
   * `reveal` is called when the display changes, with true when the answer is requested.
   * @param {(isRevealed?: boolean) => void} reveal
   */
  constructor(reveal) {
    this.isOn = false;
    this.reveal = reveal;
    this.button = element(
      "button",
      { type: "button", class: "quiet", "aria-pressed": "false", onclick: () => this.turn(!this.isOn) },
      t`Classroom mode`,
    );
  }

  /** @param {boolean} on */
  turn(on) {
    this.isOn = on;
    this.button.setAttribute("aria-pressed", String(on));
    this.button.textContent = on ? t`Leave classroom mode` : t`Classroom mode`;
    document.documentElement.classList.toggle("classroom", on);
    if (on)
      document.documentElement.requestFullscreen?.().catch(() => {}); // large type helps without it too
    else if (document.fullscreenElement) document.exitFullscreen();
    this.reveal();
  }

  /**
   * What stands in place of the answer: how many are for each choice.
   * @param {Page.View} view
   */
  vote({ actions, face }) {
    const counts = actions.map(({ label }) => {
      const count = element("output", { class: "votes" }, "0");
      return element(
        "li",
        {},
        element(
          "button",
          {
            type: "button",
            onclick: () => {
              count.textContent = String(Number(count.textContent) + 1);
            },
          },
          capital(inColours(label, face)),
        ),
        count,
      );
    });
    return [
      element("p", {}, element("strong", {}, t`What would you do?`), t` Press once for each raised hand.`),
      element("ul", { class: "ballot" }, counts),
      element(
        "button",
        {
          type: "button",
          class: "primary",
          onclick: ({ target }) => {
            /** @type {HTMLElement} */ (target).remove();
            this.reveal(true);
          },
        },
        t`Show the answer`,
      ),
    ];
  }
}
