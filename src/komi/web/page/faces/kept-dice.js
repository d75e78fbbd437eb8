/** Multisets of dice, as arrays of their faces. */

/**
 * Return whether two arrays contain the same dice, in any order.
 * @param {number[]} one
 * @param {number[]} other
 */
export function sameDice(one, other) {
  return one.length === other.length && [...one].sort().every((face, i) => face === [...other].sort()[i]);
}

/**
 * Return whether some dice are a subset of others.
 * @param {number[]} some
 * @param {number[]} others
 */
export function isSubset(some, others) {
  return withoutDice(others, some).length === others.length - some.length;
}

/**
 * Return the dice without some of them.
 * @param {number[]} dice
 * @param {number[]} some
 */
export function withoutDice(dice, some) {
  const left = [...dice];
  for (const face of some) {
    const place = left.indexOf(face);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}
