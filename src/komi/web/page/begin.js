/** Beginning a game: as it is wished for, or as the last one of its kind was. */

import { begin, commit, invite } from "./api.js";
import { t } from "./language.js";
import { drawNumber, hashOf, keepBegun, keepPromise, termsOf } from "./promise.js";
import { prepared } from "./preparing.js";
import { titleOf } from "./words.js";

/**
 * What a person chooses before a game begins; `names` are those of people at one device.
 * @typedef {object} GameOptions
 * @property {string} game
 * @property {Page.Rules} rules
 * @property {"normal" | "test"} mode
 * @property {string | null} opponent
 * @property {"first" | "second" | "either"} seat
 * @property {string[] | null} [names]
 * @property {Api.TimeControlView | null} [clock]
 */

/**
 * Begin a game: the page draws its number only after it has seen the hash of the seed, and names every rule.
 * @param {Api.CatalogGameView} game
 * @param {Page.Options} options
 */
export async function startGame(game, options) {
  const { commitment, hash } = await commit();
  const number = drawNumber();
  const terms = termsOf(game, options);
  keepPromise(commitment, hash, number, terms);
  keepBegun(false); // unless it is begun now
  const view = await begin({ ...options, rules: terms.rules, commitment, number });
  if (view.id !== commitment) throw new Error(t`The server returned a different game.`);
  keepBegun(true);
  sessionStorage.setItem(`komi.seen.${view.id}`, "0"); // so that the opponent's first moves are shown one by one
  if (!options.names) remember(options);
  return view.id;
}

/**
 * Lay a table to which others are invited; its id. The page commits to its number, which is revealed when all have.
 * @param {Api.CatalogGameView} game
 * @param {Page.Options} options
 */
export async function layTable(game, { rules, seat, clock = null }) {
  const { commitment, hash } = await commit();
  const number = drawNumber();
  const terms = termsOf(game, { rules, seat, clock }, "link");
  keepPromise(commitment, hash, number, { ...terms, isHost: true });
  await invite({ game: game.name, rules: terms.rules, seat, clock, commitment, number_hash: hashOf(number) });
  return commitment;
}

/**
 * What was wished for last in this game; the easiest opponent at first.
 * @param {Api.CatalogGameView} game
 */
export function lastOptions(game) {
  const usual = {
    game: game.name,
    rules: {},
    opponent: game.opponents[0]?.name ?? null,
    seat: "first",
    mode: "normal",
  };
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(key(game.name))) };
  } catch {
    return usual;
  }
}

/**
 * Whom one plays with that.
 * @param {Page.Options} options
 * @param {Api.CatalogGameView} game
 */
export function rivalOf(options, game) {
  return !options.opponent ? "" : t`against ${titleOf(options.opponent, game)}`;
}

/**
 * Begin at once, and show in `place` how far it is; what cannot be begun so is set up by hand.
 * @param {Api.CatalogGameView} game
 * @param {HTMLElement} container
 * @param {AbortSignal} signal
 */
export async function playNow(game, container, signal) {
  const options = lastOptions(game);
  try {
    await prepared(container, options, signal);
    if (signal.aborted) return;
    location.hash = `#/game/${encodeURIComponent(await startGame(game, options))}`;
  } catch {
    if (!signal.aborted) location.hash = `#/new/${encodeURIComponent(game.name)}`;
  }
}

/** @param {Page.Options} options */
function remember(options) {
  try {
    localStorage.setItem(key(options.game), JSON.stringify(options));
  } catch {
    // A browser that keeps nothing begins as at first.
  }
}

/** @param {string} name */
const key = (name) => `komi.last.${name}`;
