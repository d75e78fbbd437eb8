/** Start a game with chosen options, or with those of the last game of its kind. */

import { begin, commit, invite, join } from "./api.js";
import { t } from "./language.js";
import { commitmentOf, drawNumber, hashOf, recordStart, storeCommitment, storeSteps, termsOf } from "./commitment.js";
import { waitUntilPlayable } from "./preparing.js";
import { titleOf } from "./words.js";

const RECENT = "komi.recent";
const MAX_RECENT = 20;

/**
 * Options that the user chooses before a game; `names` are those of people who share one device.
 * @typedef {object} GameOptions
 * @property {string} game
 * @property {Page.Rules} rules
 * @property {"normal" | "test"} mode
 * @property {string | null} opponent
 * @property {Api.InvitationView["seat"]} seat
 * @property {string[] | null} [names]
 * @property {Api.TimeControlView | null} [clock]
 * @property {boolean} [open] for a table that the lobby lists
 */

/**
 * Start a game. The page draws its number only after it has received the hash of the seed, and sends every rule explicitly.
 * @param {Api.CatalogGameView} game
 * @param {Page.Options} options
 */
export async function startGame(game, options) {
  const terms = await promisedTerms(game, options);
  const { commitment, hash } = await commit();
  const number = drawNumber();
  storeCommitment(commitment, hash, number, terms);
  recordStart(false); // reset below when the game has begun
  const seat = /** @type {Api.GameRequest["seat"]} */ (options.seat);
  const view = await begin({ ...options, seat, rules: terms.rules, commitment, number });
  if (view.id !== commitment) throw new Error(t`The server returned a different game.`);
  storeSteps(view, game.hides);
  recordStart(true);
  sessionStorage.setItem(`komi.seen.${view.id}`, "0"); // show the opponent's first moves one by one
  if (!options.names) storeOptions(options);
  return view.id;
}

/**
 * Open a table to which others are invited, and return it. The page commits to its number and reveals it when all players
 * have committed to theirs. For a rematch of the game `follows`, the key is that of the game, and the table may be one that
 * another player has opened meanwhile.
 * @param {Api.CatalogGameView} game
 * @param {Page.Options} options
 * @param {string} [follows]
 */
export async function openTable(game, { rules, seat, clock = null, open = false }, follows = null) {
  const terms = await promisedTerms(game, { rules, seat, clock }, "link");
  const { commitment, hash } = await commit();
  const number = drawNumber();
  const key = (follows && commitmentOf(follows)?.key) ?? drawNumber();
  const next = nextSeat(follows, terms.players);
  storeCommitment(commitment, hash, number, { ...terms, isHost: true, key, next });
  const options = { rules: terms.rules, seat, clock, open, commitment, number_hash: hashOf(number) };
  return invite({ game: game.name, ...options, ...(follows && { follows }) });
}

/**
 * Take a seat at a table: draw a number after seeing the hash, store it, and send the commitment to it. A number that was
 * drawn for another hash, or that has been revealed, is never used again.
 * @param {Api.InvitationView} table
 * @param {Api.CatalogGameView} game
 * @param {string | null} key the key in the link
 */
export async function takeSeat({ id, hash, rules, seat, clock, players, follows }, game, key) {
  const stored = commitmentOf(id);
  const number = stored?.hash === hash && !stored.hashes ? stored.number : drawNumber();
  const terms = await promisedTerms(game, { rules, seat, clock }, "link");
  const next = nextSeat(follows, players);
  storeCommitment(id, hash, number, { ...terms, players: terms.players ?? players, isHost: false, key, next });
  return join(id, hashOf(number));
}

/**
 * Return the seat after the one that this browser had in a game, or null if it had none.
 * @param {string | null} follows
 * @param {number} players
 */
function nextSeat(follows, players) {
  const you = follows === null ? null : (commitmentOf(follows)?.shown?.you ?? null);
  return you === null ? null : (you + 1) % players;
}

/**
 * Return the terms of a game with the hash of its rules, whose modules the first page does without.
 * @param {Api.CatalogGameView} game
 * @param {Partial<Page.Options>} options
 * @param {string | null} [company]
 */
async function promisedTerms(game, options, company) {
  const { hashOfRules } = await import("./game-rules.js");
  return { ...termsOf(game, options, company), translation: await hashOfRules(game.name) };
}

/**
 * Return the options that were used last in this game. The default opponent is the easiest.
 * @param {Api.CatalogGameView} game
 */
export function lastOptions(game) {
  const defaults = {
    game: game.name,
    rules: {},
    opponent: game.opponents[0]?.name ?? null,
    seat: "first",
    mode: "normal",
  };
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem(key(game.name))) };
  } catch {
    return defaults;
  }
}

/**
 * Describe the opponent of these options.
 * @param {Page.Options} options
 * @param {Api.CatalogGameView} game
 */
export function describeRival(options, game) {
  return !options.opponent ? "" : t`against ${titleOf(options.opponent, game)}`;
}

/**
 * Start a game at once and show the progress in `container`. If that fails, go to the setup page.
 * @param {Api.CatalogGameView} game
 * @param {HTMLElement} container
 * @param {AbortSignal} signal
 */
export async function playNow(game, container, signal) {
  const options = lastOptions(game);
  try {
    await waitUntilPlayable(container, options, signal);
    if (signal.aborted) return;
    location.hash = `#/game/${encodeURIComponent(await startGame(game, options))}`;
  } catch {
    if (!signal.aborted) location.hash = `#/new/${encodeURIComponent(game.name)}`;
  }
}

/** @param {Page.Options} options */
function storeOptions(options) {
  try {
    const others = recentGames().filter((name) => name !== options.game);
    localStorage.setItem(key(options.game), JSON.stringify(options));
    localStorage.setItem(RECENT, JSON.stringify([options.game, ...others].slice(0, MAX_RECENT)));
  } catch {
    // Without storage, the defaults are used again.
  }
}

/**
 * Return the names of the games played last in this browser, the latest first.
 * @returns {string[]}
 */
export function recentGames() {
  try {
    return JSON.parse(localStorage.getItem(RECENT)) ?? [];
  } catch {
    return [];
  }
}

/** @param {string} name */
const key = (name) => `komi.last.${name}`;
