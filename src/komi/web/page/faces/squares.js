/** Names and coordinates of the squares of a board. */

import { t } from "../language.js";

/** @param {Page.Square} square */
export const keyOf = (square) => `${square.row},${square.column}`;

/**
 * Return the spoken name of a square: b2, strip 1.
 * @param {Page.Square} square
 */
export function placeName(square) {
  return square.tint === 1 ? t`strip ${shortName(square).slice(1)}` : shortName(square);
}

/**
 * Return the short name of a square: b2 is in the second column and second row; s1 is the first of the strip.
 * @param {Page.Square} square
 */
export function shortName({ row, column, tint }) {
  if (tint === 1) return `s${(row === -1 || row === 3 ? column : row) + 1}`;
  return `${"abcdefghijklmnop"[column]}${row + 1}`;
}

/**
 * Return the position of the i-th square of a strip at an edge of the 3 x 3 board.
 * @param {string} edge
 * @param {number} i
 */
export function placeOn(edge, i) {
  return { N: { row: -1, column: i }, S: { row: 3, column: i }, W: { row: i, column: -1 }, E: { row: i, column: 3 } }[
    edge
  ];
}
