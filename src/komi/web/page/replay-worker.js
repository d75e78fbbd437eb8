/** A worker that replays a game by its rules. The rules' code has no access to the page here, nor to the network: the server
 * sends this file with a Content-Security-Policy of its own. */

import { replay } from "./replay.js";

addEventListener("message", async ({ data: { source, rules, labels, viewer, isAtOneDevice } }) => {
  try {
    const module = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    postMessage(replay(module, rules, labels, viewer, isAtOneDevice));
  } catch {
    postMessage(null);
  }
});
