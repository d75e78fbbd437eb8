/** Reconstruct the position at a step from the log, whichever seat observes the state. */

/** The label of what this person may not know. */
export const HIDDEN = "hidden";

/**
 * The moment after the first `length` entries of the log.
 * @param {Page.View} view
 * @param {number} length
 */
export function momentAfter(view, length) {
  if (length >= view.log.length) {
    const { state, eyes, written, mover, squares, beside, throw: thrown, faces, filled } = view;
    return { state, eyes, written, mover, squares, beside, throw: thrown, faces, filled };
  }
  return length === 0 ? { mover: 0, ...view.start } : view.log[length - 1];
}

const POINTS = ["score", "rival", "rival2", "rival3"]; // of the seat whose eyes these are, and those after it

/**
 * Each seat's points and those at risk, in a race; null in any other game.
 * @param {Pick<Page.Moment, "state" | "eyes">} moment
 */
export function standing(moment) {
  const { state, eyes } = moment;
  if (!state || !("score" in state && "rival" in state)) return null;
  const points = POINTS.filter((name) => name in state).map((name) => state[name]);
  /** @type {number[]} */
  const scores = [];
  points.forEach((each, i) => {
    scores[(eyes + i) % points.length] = each;
  });
  return { scores, turn: state.turn ?? 0, seat: eyes };
}

/**
 * The labels of the chance events since the turn began that the last of these entries is part of.
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
