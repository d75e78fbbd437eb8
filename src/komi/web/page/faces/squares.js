/** Squares of a board by where they lie. */

export const keyOf = (square) => `${square.row},${square.column}`;

/** Squares are named as on a chess board: b2 is in the second column, second row; those of the strip by their number. */
export function placeName({ row, column, tint }) {
  if (tint === 1) return `strip ${(row === -1 || row === 3 ? column : row) + 1}`;
  return `${"abcdefghijklmnop"[column]}${row + 1}`;
}

/** Where the i-th square of a strip lies on that edge of three by three squares. */
export function placeOn(edge, i) {
  return { N: { row: -1, column: i }, S: { row: 3, column: i }, W: { row: i, column: -1 }, E: { row: i, column: 3 } }[edge];
}
