/** Squares of a board by where they lie. */

import { t } from "../language.js";

/** @param {Page.Square} square */
export const keyOf = (square) => `${square.row},${square.column}`;

/**
 * As it is said: b2, strip 1.
 * @param {Page.Square} square
 */
export function placeName(square) {
  return square.tint === 1 ? t`strip ${shortName(square).slice(1)}` : shortName(square);
}

/**
 * As it is written: b2 is in the second column, second row; s1 is the first of the strip.
 * @param {Page.Square} square
 */
export function shortName({ row, column, tint }) {
  if (tint === 1) return `s${(row === -1 || row === 3 ? column : row) + 1}`;
  return `${"abcdefghijklmnop"[column]}${row + 1}`;
}

/**
 * Where the i-th square of a strip lies on that edge of three by three squares.
 * @param {string} edge
 * @param {number} i
 */
export function placeOn(edge, i) {
  return { N: { row: -1, column: i }, S: { row: 3, column: i }, W: { row: i, column: -1 }, E: { row: i, column: 3 } }[
    edge
  ];
}
