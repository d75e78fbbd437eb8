/** What players at a table say to each other: three fixed phrases, of which each player's last one is shown. */

import { say } from "./api.js";
import { announce, element } from "./dom.js";
import { t } from "./language.js";
import { isYou, nameOf } from "./words.js";

/** @type {Record<Api.PhraseRequest["phrase"], string>} */
const WORDS = { hello: t`Hello`, well: t`Well played`, thanks: t`Thanks` };

export class Phrases {
  /** @param {Page.View} view */
  constructor(view) {
    this.view = view;
    /** @type {Set<string>} */
    this.heard = new Set();
    this.said = element("p", { class: "small" });
    const phrases = /** @type {Api.PhraseRequest["phrase"][]} */ (Object.keys(WORDS));
    this.root = element(
      "section",
      { class: "phrases", "aria-label": t`Say something` },
      phrases.map((phrase) =>
        element("button", { type: "button", class: "quiet", onclick: () => this.say(phrase) }, WORDS[phrase]),
      ),
      this.said,
    );
  }

  /** @param {Api.PhraseRequest["phrase"]} phrase */
  async say(phrase) {
    try {
      await say(this.view.id, phrase);
      this.said.textContent = `${t`You`}: ${WORDS[phrase]}`;
    } catch (error) {
      this.said.textContent = error.message;
    }
  }

  /**
   * Show the phrases that were said a moment ago. Those of others are announced once.
   * @param {Api.PhraseView[]} phrases
   */
  show(phrases) {
    const sentences = phrases.map(({ seat, phrase }) => `${nameOf(this.view, seat)}: ${WORDS[phrase]}`);
    if (phrases.length > 0) this.said.textContent = sentences.join(" · ");
    for (const [i, { seat, said }] of phrases.entries()) {
      if (this.heard.has(said)) continue;
      this.heard.add(said);
      if (!isYou(this.view, seat)) announce(sentences[i]);
    }
  }
}
