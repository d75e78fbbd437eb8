/** The faces (displays) of the kinds of games. Each is loaded when it is first needed. */

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
  items: () => import("./items.js"),
};

/**
 * @param {Page.View} view
 * @returns {Promise<Page.Face>}
 */
export async function faceOf(view) {
  const { Face } = await (FACES[view.face] ?? (() => import("./generic.js")))();
  return new Face(view);
}
