/** A worker that searches by the rules of the file. It gets what a player observes, never the state. */

import { Game } from "../translated-game.js";
import { Searcher, randomNumbers } from "./searcher.js";

/** @type {Searcher | null} */
let searcher = null;

/** @param {MessageEvent} message */
async function answer({ data: { setup, observation, limits } }) {
  if (setup) {
    const { source, rules, settings, seed } = setup;
    const module = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    searcher = new Searcher(new Game(module, rules), settings, randomNumbers(seed));
  }
  postMessage(searcher.search(new searcher.game.module.State(...observation), limits));
}

addEventListener("message", (message) => answer(message).catch(reportError));
