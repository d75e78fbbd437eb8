/** Which face shows which kind of game; each is fetched when it is first needed. */

/** @type {Record<string, () => Promise<{ Face: new (view: Page.View) => Page.Face }>>} */
const FACES = {
  bag: () => import("./bag.js"),
  die: () => import("./dice.js"),
  "two-dice": () => import("./dice.js"),
  coin: () => import("./coin.js"),
  cards: () => import("./cards.js"),
  board: () => import("./board.js"),
  hands: () => import("./hands.js"),
  tray: () => import("./tray.js"),
  pieces: () => import("./pieces.js"),
};

/**
 * @param {Page.View} view
 * @returns {Promise<Page.Face>}
 */
export async function faceOf(view) {
  const { Face } = await (FACES[view.face] ?? (() => import("./any.js")))();
  return new Face(view);
}
