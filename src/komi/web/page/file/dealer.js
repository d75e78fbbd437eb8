/** What a page in one file says of itself where the web app speaks of its server: it takes the place of ../dealer.js. */

import { t } from "../language.js";

/**
 * Return what the start page says of its game.
 * @param {Api.CatalogGameView[]} games
 */
export const introduction = ([game]) =>
  game?.solved === false
    ? t`This page does not have optimal play of the game: hints are estimates of a search.`
    : t`This page has or computes optimal play of the game: hints and reviews are exact.`;
export const BY_DEALER = t`By this page`;
export const DEALING = t`This page draws the chance events at random.`;
export const SANDBOX = t`In the sandbox, you play for every seat. Nothing counts. `;
export const KEPT = t`The result is kept until you close this page.`;
export const SENT_AGAIN = t`Your move is saved and will be made then.`;
