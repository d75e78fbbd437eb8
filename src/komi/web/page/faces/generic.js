/** The face of games without a display of their own: a table of the fields of the state. */

import { element } from "../dom.js";
import { delay } from "../motion.js";
import { capitalize, sentenceFor } from "../words.js";
import { readCatalog } from "../api.js";
import { formatNumber, t, translateServerText } from "../language.js";

const MAX_PLAIN_VALUE = 1e6; // larger numbers encode sets and boards: show the game's notation instead

export class Face {
  /** @param {Page.View} view */
  constructor(view) {
    this.view = view;
    this.facts = element("dl", { class: "facts" });
    this.notation = element("p", { class: "notation" });
    this.viewpoint = element("p", { class: "small" });
    this.lastEvent = element("p", { class: "last-event", "aria-hidden": "true" });
    this.root = element("div", { class: "face face-any" }, this.lastEvent, this.facts, this.viewpoint, this.notation);
    /** @type {Record<string, string>} */
    this.meanings = {};
    readCatalog().then(
      ({ games }) => {
        const fields = games.find((game) => game.name === view.game)?.fields ?? [];
        this.meanings = Object.fromEntries(fields.map((field) => [field.name, field.means]));
        if (this.shown) this.show(this.shown);
      },
      () => {},
    );
  }

  /** @param {Page.Snapshot} snapshot */
  show(snapshot) {
    this.shown = snapshot;
    const fields = Object.entries(snapshot.state ?? {});
    const isPlain = fields.every(([, value]) => Math.abs(value) < MAX_PLAIN_VALUE);
    this.facts.hidden = !isPlain || fields.length === 0;
    this.notation.hidden = isPlain;
    this.notation.textContent = (
      snapshot.written || fields.map(([name, value]) => `${name}=${value}`).join(",")
    ).replaceAll(",", ", ");
    this.viewpoint.textContent =
      isPlain && snapshot.observer !== undefined && this.view.players > 1
        ? sentenceFor(this.view, snapshot.observer, t`As you see it.`, (name) => t`As ${name} sees it.`)
        : "";
    this.facts.replaceChildren(
      ...fields.map(([name, value]) =>
        element(
          "div",
          { class: "fact" },
          element("dt", {}, capitalize(translateServerText(name.replaceAll("_", " ")))),
          element("dd", {}, formatNumber(value)),
          this.meanings[name] &&
            this.meanings[name] !== name &&
            element("dd", { class: "means" }, translateServerText(this.meanings[name])),
        ),
      ),
    );
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   * @param {Page.SkipSignal} skip
   */
  async animate(entry, before, after, skip) {
    this.lastEvent.textContent = entry.kind === "event" ? capitalize(translateServerText(entry.label)) : "";
    await delay(450, skip);
  }

  /** @returns {string | null} */
  describe() {
    return null;
  }

  question() {
    return t`What came up?`;
  }
}
