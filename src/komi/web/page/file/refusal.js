/** A refusal of a request, with its status. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} sentence
   * @param {import("./live-game.js").LiveGame | null} [live]
   * @param {number | null} [after] seconds after which to repeat the request
   */
  constructor(status, sentence, live = null, after = null) {
    super(sentence);
    this.status = status;
    this.live = live;
    this.after = after;
  }
}
