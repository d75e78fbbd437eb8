/**
 * A move that the person has made, kept until the server has heard it: it survives leaving the page.
 * @param {string} id
 */

const key = (id) => `komi.move.${id}`;

/**
 * @param {string} id
 * @param {number} number
 * @param {string} label
 */
export function keepMove(id, number, label) {
  try {
    localStorage.setItem(key(id), JSON.stringify({ number, label }));
  } catch {
    // A browser that keeps nothing sends it as long as the page is open.
  }
}

/**
 * The move as {number, label}; null if there is none.
 * @param {string} id
 */
export function keptMove(id) {
  try {
    return JSON.parse(localStorage.getItem(key(id)));
  } catch {
    return null;
  }
}

/** @param {string} id */
export function forgetMove(id) {
  try {
    localStorage.removeItem(key(id));
  } catch {
    // There was nothing to forget.
  }
}
