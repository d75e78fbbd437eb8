/** Which face shows which kind of game; each is fetched when it is first needed. */

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

export async function faceOf(view) {
  const { Face } = await (FACES[view.face] ?? (() => import("./any.js")))();
  return new Face(view);
}
