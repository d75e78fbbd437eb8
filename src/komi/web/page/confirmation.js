/** Confirmations of a finished game among friends. Their browsers share a key, which is in the link that the host sends:
 * after the "#", where browsers send it to no server. A browser that has found no objection confirms the game with the
 * HMAC-SHA256 of its own commitment, its seat, the rules and the game under this key. The server passes it on, and cannot
 * make one. */

import { confirm } from "./api.js";
import { digestOfGame, hashOf } from "./commitment.js";
import { pause } from "./dom.js";
import { bytesFromHex, hex, hmac, textBytes } from "./sha256.js";

const POLL_INTERVAL = 3000; // milliseconds
const REFUSALS = [404, 409, 410]; // statuses: the server does not have the game any more, or not as one among friends

/**
 * Confirm a game, and yield the confirmations by the others whenever there are more, until all have confirmed. Of each
 * seat the other's is null as long as it is missing, true if it is of the same game, and else false. Which commitment is
 * that of a seat is known to the browser there: a confirmation is right with any of them.
 * @param {Page.View} view
 * @param {Page.StoredCommitment} stored
 * @param {() => boolean} isShown
 * @returns {AsyncGenerator<(boolean | null)[]>}
 */
export async function* confirmations(view, stored, isShown) {
  const game = hex(digestOfGame(view));
  const own = confirmation(game, stored, hashOf(stored.number), view.you);
  let known = -1;
  do {
    try {
      const { confirmations: received } = await confirm(view.id, own);
      const count = received.filter(Boolean).length;
      if (count > known)
        yield received.map(
          (each, seat) => each && stored.hashes.some((hash) => confirmation(game, stored, hash, seat) === each),
        );
      known = count;
    } catch (error) {
      if (REFUSALS.includes(error.status)) return; // the words under the verdict remain
    }
    await pause(POLL_INTERVAL);
  } while (known < view.players && isShown());
}

/**
 * Compute the confirmation of a game by the browser with a commitment, at a seat.
 * @param {string} game the digest of the game
 * @param {Page.StoredCommitment} stored
 * @param {string} hash
 * @param {number} seat
 */
function confirmation(game, { key, translation }, hash, seat) {
  return hex(hmac(bytesFromHex(key), textBytes([hash, seat, translation, game].join(":"))));
}
