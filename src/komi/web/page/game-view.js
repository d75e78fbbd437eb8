/** What the page shows of a game, computed by its rules from its steps, as `komi.web.game_views` does on an honest server. */

import { HIDDEN, POSITION } from "./snapshots.js";
import { NO_EFFECT } from "./translated-game.js";

/**
 * Return the parts of a view that follow from the steps by the rules. `luck` is the random number of a chance event.
 * @param {Omit<Page.Replay, "choices">} replay
 * @param {object} game
 * @param {string} game.mode
 * @param {string | null} game.company
 * @param {number} game.you
 * @param {Pick<Page.Line, "label" | "by" | "luck">[]} game.log
 * @param {number | null} game.resigned
 * @param {boolean} [game.late]
 */
export function viewOf(replay, { mode, company, you, log, resigned, late = false }) {
  const { moments, players, objective, card } = replay;
  const now = moments.at(-1);
  const seat = company === "device" ? now.seat : you;
  const result = resultOf(replay, seat, resigned, late);
  const isOpen = result !== null || !replay.hides;
  const ended = { mover: null, waiting: null, pending: null, actions: [], decided: false, ...now.position };
  return {
    players,
    you: seat,
    objective,
    card,
    ...now.shown,
    ...(resigned !== null && ended),
    events:
      mode === "test" && !result
        ? now.events.map(({ label, probability, faces }) => ({ label, probability, faces }))
        : [],
    start: positionOf(moments[0], isOpen),
    log: log.map((entry, number) => lineOf(entry, number, moments, result !== null, isOpen)),
    result,
  };
}

/**
 * Return a line of the log.
 * @param {Pick<Page.Line, "label" | "by" | "luck">} entry
 * @param {number} number
 * @param {Page.Moment[]} moments
 * @param {boolean} isOver
 * @param {boolean} isOpen whether every seat sees all of the game
 * @returns {Page.Line}
 */
function lineOf({ label, by, luck }, number, moments, isOver, isOpen) {
  const [before, after] = [moments[number], moments[number + 1]];
  const { isKnown, ...entry } = after.entry;
  const isEvent = entry.kind === "event";
  return {
    number,
    ...entry,
    ...(isOpen || isKnown ? { label } : { label: HIDDEN, laid: null, ...NO_EFFECT }),
    by,
    mover: after.mover,
    luck: isOpen ? luck : null,
    outcomes: isOpen && isEvent ? outcomesOf(before) : null,
    afters: isOver && isEvent ? [...before.events].sort(byLabel).map((event) => event.after) : null,
    ...positionOf(after, isOpen),
  };
}

/**
 * Return the position at a moment: of a hidden one what the viewer sees.
 * @param {Page.Moment} moment
 * @param {boolean} isOpen
 */
const positionOf = ({ position, shown }, isOpen) =>
  isOpen ? position : Object.fromEntries(POSITION.map((name) => [name, shown[name]]));

/**
 * @param {Omit<Page.Replay, "choices">} replay
 * @param {number} you
 * @param {number | null} resigned
 * @param {boolean} late
 * @returns {Api.ResultView | null}
 */
function resultOf(replay, you, resigned, late) {
  const { results, points, score, isStopped } = replay.moments.at(-1);
  if (resigned === null && results === null) return null;
  const end =
    resigned === null
      ? { payoffs: results, points, score, stopped: isStopped }
      : { ...payoffsOfResignation(replay, resigned), score: null, stopped: false };
  return { ...end, resigned, late, you: outcomeFor(end.payoffs, you) };
}

/**
 * Return the payoffs by seat after a resignation, on the scale of probabilities and in points.
 * @param {Pick<Page.Replay, "players" | "isChance" | "range">} game
 * @param {number} resigned
 */
export function payoffsOfResignation({ players, isChance, range: [lowest, highest] }, resigned) {
  const payoffs = Array.from({ length: players }, (_, seat) => (seat === resigned ? 0 : 1 / (players - 1)));
  return { payoffs, points: isChance ? null : payoffs.map((share) => lowest + (highest - lowest) * share) };
}

/**
 * Return how the game has ended for a seat.
 * @param {number[]} payoffs
 * @param {number} seat
 * @returns {Api.ResultView["you"]}
 */
export function outcomeFor(payoffs, seat) {
  if (payoffs[seat] === 1) return "won";
  if (payoffs[seat] === 0) return "lost";
  if (payoffs.length > 1 && new Set(payoffs).size === 1) return "drew";
  const winners = payoffs.filter((payoff) => payoff > 0);
  return winners.length > 1 && new Set(winners).size === 1 ? "shared" : "got";
}

/**
 * Return the outcomes of the chance event at a moment, in the order in which they partition the interval from 0 to 1.
 * @param {Page.Moment} moment
 * @returns {[string, number][]}
 */
export const outcomesOf = ({ events }) =>
  [...events].sort(byLabel).map(({ label, probability }) => [label, probability]);

/**
 * Compare two events by their labels, in the order of their UTF-16 code units.
 * @param {{ label: string }} one
 * @param {{ label: string }} other
 */
export const byLabel = ({ label: one }, { label: other }) => (one === other ? 0 : one < other ? -1 : 1);
