/** The end of a game: play again, the review of the decisions, the curve, and the fairness check. */

import { estimatedReview, excitement, isWithoutSolution, review, share, withdraw } from "./api.js";
import { element } from "./dom.js";
import { curveSection } from "./curve.js";
import { estimateSection } from "./estimates.js";
import { excitementSection } from "./excitement.js";
import { fairnessSection } from "./fairness.js";
import { mistakeSection } from "./mistakes.js";
import { openTable, startGame } from "./begin.js";
import { t } from "./language.js";
import { retryWhileBusy } from "./retry.js";
import { isVerifiable } from "./commitment.js";
import { openInSandbox } from "./sandbox.js";
import { displayText, measureOf, nameOf, setupLink } from "./words.js";

/**
 * @typedef {object} Loading
 * @property {() => Promise<Api.ReviewResponse>} load
 * @property {(() => Promise<Api.EstimatedReviewResponse>) | null} estimate
 * @property {(() => Promise<Api.ExcitementResponse>) | null} compare
 */

/**
 * Show the curve under the table, and the review and fairness check below it. `load` requests the review, `estimate` that
 * of a search if the game is not solved, and `compare` how exciting the game was.
 * @param {Page.Table} table
 * @param {Page.View} view
 * @param {Api.CatalogGameView} game
 * @param {AbortSignal} signal
 * @param {Partial<Loading> & { first?: HTMLElement }} [options]
 */
export async function showEnding(
  table,
  view,
  game,
  signal,
  {
    load = () => review(view.id, seatOf(view)),
    estimate = () => estimatedReview(view.id, seatOf(view)),
    compare = () => excitement(view.id),
    first = nextActions(view, game),
  } = {},
) {
  const container = table.end;
  const waiting = element("p", { class: "panel small", role: "status" }, t`Analyzing your decisions …`);
  container.replaceChildren(first, waiting);
  if (isVerifiable(view)) container.append(fairnessSection(view.received ?? view, game));
  try {
    const result = await loadReview(load, waiting, signal);
    if (result.curve.length > 0)
      table.replay.replaceChildren(
        curveSection(
          result,
          measureOf(view),
          (steps) => describe(view, steps),
          (length) => table.show(length),
        ),
      );
    const mistakes = await mistakeSection(view, result);
    waiting.replaceWith(mistakes);
    if (compare && isComparable(view)) offerExcitement(view, compare, mistakes, signal);
  } catch (error) {
    waiting.textContent = error.message;
    if (isWithoutSolution(error) && estimate && (view.solved || view.searched))
      offerEstimates(view, estimate, waiting, signal);
  }
}

/**
 * Return whether the server compares such games: for two players, with chance, and played to their end.
 * @param {Page.View} view
 */
const isComparable = ({ players, result, log }) =>
  players === 2 && !result.stopped && result.resigned === null && log.some((entry) => entry.kind === "event");

/**
 * Offer to show, below the review, how exciting the game was: the server simulates games for it.
 * @param {Page.View} view
 * @param {() => Promise<Api.ExcitementResponse>} compare
 * @param {HTMLElement} review
 * @param {AbortSignal} signal
 */
function offerExcitement(view, compare, review, signal) {
  const onclick = async () => {
    offer.textContent = t`Games are being simulated for the comparison …`;
    try {
      offer.replaceWith(excitementSection(view, await retryWhileBusy(compare, undefined, () => !signal.aborted)));
    } catch (error) {
      offer.textContent = error.message;
    }
  };
  const offer = element(
    "p",
    { class: "compare" },
    element("button", { type: "button", onclick }, t`How exciting was it?`),
  );
  review.after(offer);
}

/** @param {Page.View} view */
const seatOf = (view) => (view.company === "device" ? view.you : null);

/**
 * Offer a search in place of the exact review.
 * @param {Page.View} view
 * @param {Loading["estimate"]} estimate
 * @param {HTMLElement} waiting
 * @param {AbortSignal} signal
 */
function offerEstimates(view, estimate, waiting, signal) {
  const onclick = () => showEstimates(view, estimate, waiting, signal);
  waiting.append(" ", element("button", { type: "button", onclick }, t`Search for the costliest decision`));
}

/**
 * Replace the reason why there is no exact review by what a search finds.
 * @param {Page.View} view
 * @param {Loading["estimate"]} estimate
 * @param {HTMLElement} waiting
 * @param {AbortSignal} signal
 */
async function showEstimates(view, estimate, waiting, signal) {
  const before = [...waiting.childNodes];
  waiting.textContent = t`A search is estimating which decision was the costliest …`;
  try {
    const { worst } = await retryWhileBusy(estimate, undefined, () => !signal.aborted);
    waiting.replaceWith(estimateSection(view, worst));
  } catch {
    waiting.replaceChildren(...before);
  }
}

/**
 * Load the review. Retry while the game is still being solved.
 * @param {() => Promise<Api.ReviewResponse>} load
 * @param {HTMLElement} waiting
 * @param {AbortSignal} signal
 */
function loadReview(load, waiting, signal) {
  /** @param {string} sentence */
  const say = (sentence) => {
    waiting.textContent = `${t`This game is still being solved. Your decisions will be shown here when it is done.`} ${sentence}`;
  };
  return retryWhileBusy(load, say, () => !signal.aborted);
}

/**
 * @param {Page.View} view
 * @param {Api.CatalogGameView} game
 */
function nextActions(view, game) {
  const alert = element("p", { class: "small", role: "alert" });
  /** @type {Page.Options} */
  const options = {
    game: view.game,
    rules: view.rules,
    opponent: view.opponent.name || null,
    mode: view.mode,
    seat: view.you === 0 && view.players > 1 ? "second" : "first",
  };
  if (view.company === "device") Object.assign(options, { opponent: null, seat: "first", names: view.names });
  const startAgain =
    view.company === "link"
      ? () =>
          openTable(game, {
            ...options,
            seat: "either",
            clock: view.clock && { minutes: view.clock.minutes, seconds: view.clock.seconds },
          }).then(({ id }) => `#/join/${id}`)
      : () => startGame(game, options).then((id) => `#/game/${id}`);
  const start = () =>
    startAgain().then(
      (hash) => {
        location.hash = hash;
      },
      (error) => {
        alert.textContent = error.message;
      },
    );
  return element(
    "div",
    { class: "again" },
    element(
      "button",
      { type: "button", class: view.company === "link" ? "" : "primary", onclick: start },
      view.company === "link"
        ? t`Invite again`
        : view.players === 2 && !view.names
          ? t`Play again from the other seat`
          : t`Play again`,
    ),
    element(
      "a",
      { class: "button", href: setupLink(game, view.rules) },
      view.players > 1 ? t`Change rules or opponent` : t`Change rules`,
    ),
    element("a", { class: "button", href: "#/" }, t`Choose another game`),
    element(
      "a",
      { class: "button", href: `api/games/${encodeURIComponent(view.id)}/record`, download: `${game.name}.txt` },
      t`Save the record`,
    ),
    !game.hides &&
      element(
        "button",
        { type: "button", onclick: () => openInSandbox(sandboxRequest(view, game)) },
        t`Open in the sandbox`,
      ),
    shareButton(view),
    alert,
  );
}

/**
 * Convert a game to a request to the sandbox.
 * @param {Page.View} view
 * @param {Api.CatalogGameView} game
 */
function sandboxRequest(view, game) {
  const rules = Object.fromEntries(
    game.rules
      .filter((rule) => view.rules[rule.name] !== rule.default)
      .map((rule) => [rule.name, view.rules[rule.name]]),
  );
  const names = view.players === 1 ? [] : Array.from({ length: view.players }, (_, seat) => nameOf(view, seat));
  return { game: view.game, rules, labels: view.log.map((entry) => entry.label), names };
}

/**
 * Create the controls for sharing the game by a link, which can be withdrawn.
 * @param {Page.View} view
 */
function shareButton(view) {
  const container = element("div", { class: "share" });
  const status = element("p", { class: "small", role: "status" });
  const start = element("button", { type: "button", onclick: () => attempt(open) }, t`Share this game`);
  /** @param {() => Promise<void>} act */
  const attempt = (act) =>
    act().catch((error) => {
      status.textContent = error.message;
    });
  const open = async () => {
    const { secret } = await share(view.id);
    const link = element("input", {
      readonly: true,
      "aria-label": t`The link`,
      value: new URL(`shared/${secret}`, document.baseURI).href,
    });
    status.textContent = t`Anyone with this link can view the game, and nothing else.`;
    container.replaceChildren(
      link,
      element(
        "div",
        { class: "row" },
        element("button", { type: "button", class: "primary", onclick: () => copy(link) }, t`Copy the link`),
        element("button", { type: "button", onclick: () => attempt(close) }, t`Stop sharing`),
      ),
      status,
    );
    link.select();
  };
  const close = async () => {
    await withdraw(view.id);
    status.textContent = t`The link no longer works.`;
    container.replaceChildren(start, status);
  };
  /** @param {HTMLInputElement} link */
  const copy = async (link) => {
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
      status.textContent = t`Copied.`;
    } catch {
      status.textContent = t`This browser does not allow copying: the link is selected for you to copy.`;
    }
  };
  container.append(start, status);
  return container;
}

/**
 * @param {Page.View} view
 * @param {number} steps
 */
function describe(view, steps) {
  if (steps === 0) return t`At the start:`;
  if (steps > view.log.length) return t`At the end:`;
  const entry = view.log[steps - 1];
  return t`Step ${steps}, ${nameOf(view, entry.seat)}: ${displayText(entry.label, view.face)}.`;
}
