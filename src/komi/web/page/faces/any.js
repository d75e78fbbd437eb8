/** The face of any game: its state in the game's own words. */

import { element } from "../dom.js";
import { settle } from "../motion.js";
import { capital, does } from "../words.js";
import { readCatalog } from "../api.js";
import { numeral, t, worded } from "../language.js";

const MAX_SHOWN = 1e6; // larger numbers stand for sets and boards, which the game's notation says better

export class Face {
  /** @param {Page.View} view */
  constructor(view) {
    this.view = view;
    this.facts = element("dl", { class: "facts" });
    this.notation = element("p", { class: "notation" });
    this.whose = element("p", { class: "small" });
    this.last = element("p", { class: "last-event", "aria-hidden": "true" });
    this.root = element("div", { class: "face face-any" }, this.last, this.facts, this.whose, this.notation);
    /** @type {Record<string, string>} */
    this.means = {};
    readCatalog().then(
      ({ games }) => {
        const fields = games.find((game) => game.name === view.game)?.fields ?? [];
        this.means = Object.fromEntries(fields.map((field) => [field.name, field.means]));
        if (this.shown) this.show(this.shown);
      },
      () => {},
    );
  }

  /** @param {Page.Moment} moment */
  show(moment) {
    this.shown = moment;
    const fields = Object.entries(moment.state ?? {});
    const isPlain = fields.every(([, value]) => Math.abs(value) < MAX_SHOWN);
    this.facts.hidden = !isPlain || fields.length === 0;
    this.notation.hidden = isPlain;
    this.notation.textContent = (
      moment.written || fields.map(([name, value]) => `${name}=${value}`).join(",")
    ).replaceAll(",", ", ");
    this.whose.textContent =
      isPlain && moment.eyes !== undefined && this.view.players > 1
        ? does(this.view, moment.eyes, t`As you see it.`, (name) => t`As ${name} sees it.`)
        : "";
    this.facts.replaceChildren(
      ...fields.map(([name, value]) =>
        element(
          "div",
          { class: "fact" },
          element("dt", {}, capital(worded(name.replaceAll("_", " ")))),
          element("dd", {}, numeral(value)),
          this.means[name] && this.means[name] !== name && element("dd", { class: "means" }, worded(this.means[name])),
        ),
      ),
    );
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Moment} before
   * @param {Page.Moment} after
   * @param {Page.Hurry} hurry
   */
  async happen(entry, before, after, hurry) {
    this.last.textContent = entry.kind === "event" ? capital(worded(entry.label)) : "";
    await settle(450, hurry);
  }

  /** @returns {string | null} */
  tell() {
    return null;
  }

  question() {
    return t`What came up?`;
  }
}
