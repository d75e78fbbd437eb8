/** What a page in one file says of itself where the web app speaks of its server: it takes the place of ../dealer.js. */

import { t } from "../language.js";

export const BY_DEALER = t`By this page`;
export const DEALING = t`This page draws the chance events at random.`;
export const SANDBOX = t`In the sandbox, you play for every seat. Nothing counts. `;
