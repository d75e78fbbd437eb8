/**
 * Dice in no order, as lists of what they show.
 * @param {number[]} one
 * @param {number[]} other
 */

export function sameDice(one, other) {
  return one.length === other.length && [...one].sort().every((face, i) => face === [...other].sort()[i]);
}

/**
 * Whether some dice are all among others.
 * @param {number[]} some
 * @param {number[]} others
 */
export function combined(some, others) {
  return withoutDice(others, some).length === others.length - some.length;
}

/**
 * Dice without some of them.
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
