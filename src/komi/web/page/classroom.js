/** Classroom mode: large type, a vote counter for each choice, and the answer only on request. */

import { element } from "./dom.js";
import { t } from "./language.js";
import { capitalize, displayText } from "./words.js";

export class Classroom {
  /**
   * Create the button. `onChange` is called when the mode changes, and with true when the answer is requested.
   * @param {(isRevealed?: boolean) => void} onChange
   */
  constructor(onChange) {
    this.isOn = false;
    this.onChange = onChange;
    this.button = element(
      "button",
      { type: "button", class: "quiet", "aria-pressed": "false", onclick: () => this.setOn(!this.isOn) },
      t`Classroom mode`,
    );
  }

  /** @param {boolean} on */
  setOn(on) {
    this.isOn = on;
    this.button.setAttribute("aria-pressed", String(on));
    this.button.textContent = on ? t`Leave classroom mode` : t`Classroom mode`;
    document.documentElement.classList.toggle("classroom", on);
    if (on)
      document.documentElement.requestFullscreen?.().catch(() => {}); // large type helps without it too
    else if (document.fullscreenElement) document.exitFullscreen();
    this.onChange();
  }

  /**
   * Create the ballot that is shown instead of the answer: a vote counter for each choice.
   * @param {Page.View} view
   */
  ballotFor({ actions, face }) {
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
          capitalize(displayText(label, face)),
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
            this.onChange(true);
          },
        },
        t`Show the answer`,
      ),
    ];
  }
}
