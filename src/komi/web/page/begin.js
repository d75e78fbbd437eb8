/** Beginning a game: as it is wished for, or as the last one of its kind was. */

import { begin, commit, invite } from "./api.js";
import { t } from "./language.js";
import { drawNumber, keepPromise } from "./promise.js";
import { prepared } from "./preparing.js";
import { titleOf } from "./words.js";

/** Begin a game: the page draws its number only after it has seen the hash of the seed. */
export async function startGame(wishes) {
  const { commitment, hash } = await commit();
  const wished = { ...wishes, number: drawNumber() };
  keepPromise(commitment, hash, wished);
  const view = await begin({ ...wished, commitment });
  sessionStorage.setItem(`komi.seen.${view.id}`, 0); // so that the opponent's first moves are shown one by one
  if (!wishes.names) remember(wishes);
  return view.id;
}

/** Lay a table to which others are invited; its id. The page draws its number after it has seen the hash. */
export async function layTable({ game, rules, seat, clock = null }) {
  const { commitment, hash } = await commit();
  const number = drawNumber();
  keepPromise(commitment, hash, { game, rules, opponent: null, seat, mode: "normal", number });
  await invite({ game, rules, seat, clock, commitment, number });
  return commitment;
}

/** What was wished for last in this game; the easiest opponent at first. */
export function lastWishes(game) {
  const usual = { game: game.name, rules: {}, opponent: game.opponents[0]?.name ?? null, seat: "first", mode: "normal" };
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(key(game.name))) };
  } catch {
    return usual;
  }
}

/** Whom one plays with that. */
export function rivalOf(wishes, game) {
  return !wishes.opponent ? "" : t`against ${titleOf(wishes.opponent, game)}`;
}

/** Begin at once, and show in `place` how far it is; what cannot be begun so is set up by hand. */
export async function playNow(game, place, signal) {
  const wishes = lastWishes(game);
  try {
    await prepared(place, wishes, signal);
    if (signal.aborted) return;
    location.hash = `#/game/${encodeURIComponent(await startGame(wishes))}`;
  } catch {
    if (!signal.aborted) location.hash = `#/new/${encodeURIComponent(game.name)}`;
  }
}

function remember(wishes) {
  try {
    localStorage.setItem(key(wishes.game), JSON.stringify(wishes));
  } catch {
    // A browser that keeps nothing begins as at first.
  }
}

const key = (name) => `komi.last.${name}`;
