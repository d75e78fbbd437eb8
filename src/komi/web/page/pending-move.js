/** Storage of a move until the server has received it: the move survives leaving the page. */

/** @param {string} id */
const key = (id) => `komi.move.${id}`;

/**
 * @param {string} id
 * @param {number} number
 * @param {string} label
 */
export function storePendingMove(id, number, label) {
  try {
    localStorage.setItem(key(id), JSON.stringify({ number, label }));
  } catch {
    // Without storage, the move is sent only while the page is open.
  }
}

/**
 * Return the stored move as {number, label}, or null.
 * @param {string} id
 */
export function readPendingMove(id) {
  try {
    return JSON.parse(localStorage.getItem(key(id)));
  } catch {
    return null;
  }
}

/** @param {string} id */
export function clearPendingMove(id) {
  try {
    localStorage.removeItem(key(id));
  } catch {
    // Without storage there is nothing to remove.
  }
}
