/** What the page says of the server that deals. A page in one file has texts of its own: see file/dealer.js. */

import { t } from "./language.js";

export const BY_DEALER = t`By the server`;
export const DEALING = t`The server commits to a secret seed before the game; your browser checks it afterwards.`;
export const SANDBOX = t`In the sandbox, you play for every seat. Nothing counts, and the server stores nothing. `;
