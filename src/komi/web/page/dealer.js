/** What the page says of the server that deals. A page in one file has texts of its own: see file/dealer.js. */

import { t } from "./language.js";

/**
 * Return what the start page says of the games.
 * @type {(games: Api.CatalogGameView[]) => string}
 */
export const introduction = () =>
  t`Small games of chance and choice, against opponents from careless to perfect. Nearly all are solved exactly: afterwards you see what each of your decisions was worth.`;
export const BY_DEALER = t`By the server`;
export const DEALING = t`The server commits to a secret seed before the game; your browser checks it afterwards.`;
export const SANDBOX = t`In the sandbox, you play for every seat. Nothing counts, and the server stores nothing. `;
export const KEPT = t`This is needed only once; the result is saved.`;
export const SENT_AGAIN = t`Your move is saved and will be sent again as soon as the server responds.`;
