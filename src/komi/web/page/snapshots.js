/** Reconstruct the position at a step from the log, whichever seat observes the state. */

/** The label of entries that are hidden from this player. */
export const HIDDEN = "hidden";

/** The fields of a position, of which `observer` sees the state. */
export const POSITION = ["state", "observer", "written", "squares", "beside", "throw", "faces", "filled", "table"];

/**
 * Return the position after the first `length` entries of the log.
 * @param {Page.View} view
 * @param {number} length
 */
export function snapshotAfter(view, length) {
  if (length >= view.log.length) {
    const { state, observer, written, mover, squares, beside, throw: thrown, faces, filled, table } = view;
    return { state, observer, written, mover, squares, beside, throw: thrown, faces, filled, table };
  }
  return length === 0 ? { mover: 0, ...view.start } : view.log[length - 1];
}

const POINTS = ["score", "rival", "rival2", "rival3"]; // of the observing seat, and of the seats after it

/**
 * Return each seat's score and the points at risk in a race, or null in other games.
 * @param {Pick<Page.Snapshot, "state" | "observer">} snapshot
 */
export function standing(snapshot) {
  const { state, observer } = snapshot;
  if (!state || !("score" in state && "rival" in state)) return null;
  const points = POINTS.filter((name) => name in state).map((name) => state[name]);
  /** @type {number[]} */
  const scores = [];
  points.forEach((each, i) => {
    scores[(observer + i) % points.length] = each;
  });
  return { scores, turn: state.turn ?? 0, seat: observer };
}

/**
 * Return the chance events of the turn that the last entry belongs to.
 * @param {Page.Line[]} entries
 */
export function eventsOfTurn(entries) {
  const events = [];
  for (let i = entries.length - 1; i >= 0; i--) {
    const { kind, label, seat } = entries[i];
    if (seat !== entries.at(-1).seat || (kind === "action" && label === "hold")) break;
    if (kind === "event") events.unshift(entries[i]);
    if (i > 0 && entries[i - 1].mover !== seat) break;
  }
  return events;
}
