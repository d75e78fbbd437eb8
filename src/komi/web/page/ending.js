/** After a game: again or another, what the decisions were worth, the curve, and whether chance was fair. */

import { review, share, withdraw } from "./api.js";
import { element } from "./dom.js";
import { curveSection } from "./curve.js";
import { fairnessSection } from "./fairness.js";
import { mistakeSection } from "./mistakes.js";
import { layTable, startGame } from "./begin.js";
import { t } from "./language.js";
import { retryWhileBusy } from "./retry.js";
import { isPromised } from "./promise.js";
import { openInSandbox } from "./sandbox.js";
import { inColours, measureOf, nameOf, wayTo } from "./words.js";

/**
 * Put the curve under the table, and below it what else there is to say; `look` asks for the review.
 * @param {Page.Table} table
 * @param {Page.View} view
 * @param {Api.CatalogGameView} game
 * @param {AbortSignal} signal
 * @param {{ load?: () => Promise<Api.ReviewResponse>, first?: HTMLElement }} [options]
 */
export async function showEnding(
  table,
  view,
  game,
  signal,
  { load = () => review(view.id, view.company === "device" ? view.you : null), first = again(view, game) } = {},
) {
  const container = table.end;
  const waiting = element("p", { class: "panel small", role: "status" }, t`Analyzing your decisions …`);
  container.replaceChildren(first, waiting);
  if (isPromised(view)) container.append(fairnessSection(view, game));
  try {
    const known = await reviewed(load, waiting, signal);
    if (known.curve.length > 0)
      table.replay.replaceChildren(
        curveSection(
          known,
          measureOf(view),
          (steps) => describe(view, steps),
          (length) => table.show(length),
        ),
      );
    waiting.replaceWith(await mistakeSection(view, known));
  } catch (error) {
    waiting.textContent = error.message;
  }
}

/**
 * The review; a game that is still being solved is waited for.
 * @param {() => Promise<Api.ReviewResponse>} load
 * @param {HTMLElement} waiting
 * @param {AbortSignal} signal
 */
function reviewed(load, waiting, signal) {
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
function again(view, game) {
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
  const begun =
    view.company === "link"
      ? () =>
          layTable(game, {
            ...options,
            seat: "either",
            clock: view.clock && { minutes: view.clock.minutes, seconds: view.clock.seconds },
          }).then((id) => `#/join/${id}`)
      : () => startGame(game, options).then((id) => `#/game/${id}`);
  const start = () =>
    begun().then(
      (container) => {
        location.hash = container;
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
      { type: "button", class: "primary", onclick: start },
      view.company === "link"
        ? t`Invite again`
        : view.players === 2 && !view.names
          ? t`Play again from the other seat`
          : t`Play again`,
    ),
    element(
      "a",
      { class: "button", href: wayTo(game, view.rules) },
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
        { type: "button", onclick: () => openInSandbox(inSandbox(view, game)) },
        t`Open in the sandbox`,
      ),
    shareButton(view),
    alert,
  );
}

/**
 * The game as the sandbox takes it.
 * @param {Page.View} view
 * @param {Api.CatalogGameView} game
 */
function inSandbox(view, game) {
  const rules = Object.fromEntries(
    game.rules
      .filter((rule) => view.rules[rule.name] !== rule.default)
      .map((rule) => [rule.name, view.rules[rule.name]]),
  );
  const names = view.players === 1 ? [] : Array.from({ length: view.players }, (_, seat) => nameOf(view, seat));
  return { game: view.game, rules, labels: view.log.map((entry) => entry.label), names };
}

/**
 * Makes a link that anyone may open, until it is withdrawn.
 * @param {Page.View} view
 */
function shareButton(view) {
  const container = element("div", { class: "share" });
  const said = element("p", { class: "small", role: "status" });
  const start = element("button", { type: "button", onclick: () => attempt(open) }, t`Share this game`);
  /** @param {() => Promise<void>} act */
  const attempt = (act) =>
    act().catch((error) => {
      said.textContent = error.message;
    });
  const open = async () => {
    const { secret } = await share(view.id);
    const link = element("input", {
      readonly: true,
      "aria-label": t`The link`,
      value: new URL(`shared/${secret}`, document.baseURI).href,
    });
    said.textContent = t`Anyone with this link can view the game, and nothing else.`;
    container.replaceChildren(
      link,
      element(
        "div",
        { class: "row" },
        element("button", { type: "button", class: "primary", onclick: () => copy(link) }, t`Copy the link`),
        element("button", { type: "button", onclick: () => attempt(close) }, t`Stop sharing`),
      ),
      said,
    );
    link.select();
  };
  const close = async () => {
    await withdraw(view.id);
    said.textContent = t`The link no longer works.`;
    container.replaceChildren(start, said);
  };
  /** @param {HTMLInputElement} link */
  const copy = async (link) => {
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
      said.textContent = t`Copied.`;
    } catch {
      said.textContent = t`This browser does not allow copying: the link is selected for you to copy.`;
    }
  };
  container.append(start, said);
  return container;
}

/**
 * @param {Page.View} view
 * @param {number} steps
 */
function describe(view, steps) {
  if (steps === 0) return t`At the start:`;
  const entry = view.log[steps - 1];
  return t`Step ${steps}, ${nameOf(view, entry.seat)}: ${inColours(entry.label, view.face)}.`;
}
