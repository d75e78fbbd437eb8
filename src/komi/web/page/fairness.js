/** Verified randomness, as it is shown: the promise during the game, and after it the verdict and how to check by hand. */

import { reservations } from "./agreed.js";
import { hasSeed, knowsRules, objections } from "./check.js";
import { clockInWords } from "./clocks.js";
import { element } from "./dom.js";
import { numeral, t, worded } from "./language.js";
import { isPromised, promiseOf } from "./promise.js";
import { capital, counted, inColours, rivalIn } from "./words.js";

/**
 * The hash of the seed and all that was agreed on, for all to see while the game goes on.
 * @param {Page.View} view
 * @param {Api.CatalogGameView} game
 */
export function promisePanel(view, game) {
  const promise = promiseOf(view.id);
  return element(
    "section",
    { class: "panel promise", "aria-labelledby": "promise-title", hidden: !isPromised(view) },
    element("h2", { id: "promise-title" }, t`Verified randomness`),
    element(
      "p",
      { class: "small" },
      t`Before the game, the server committed to a secret seed with this hash. After the game, your browser checks it.`,
    ),
    element("code", { class: "hash" }, promise?.hash ?? view.fairness?.hash ?? "–"),
    promise?.version && termsList(promise, game),
  );
}

/**
 * List what was agreed on before the game: who plays, who begins, and every rule.
 * @param {Page.Terms & { hashes?: string[] }} terms
 * @param {Api.CatalogGameView} game
 */
export function termsList({ rules, opponent, seat, company, clock, source, hashes = null }, game) {
  /** @type {Record<string, string>} */
  const begins =
    company === "link"
      ? { first: t`the host`, second: t`another player` }
      : { first: t`You`, second: t`Your opponent` };
  const rows = [
    opponent.name && [t`Opponent`, worded(opponent.title)],
    (opponent.name || company === "link") && [t`Who begins`, begins[seat] ?? t`By lot`],
    clock && [t`Clock`, clockInWords(clock)],
    ...Object.entries(rules).map(([name, rule]) => [
      capital(inColours(name.replaceAll("_", " "), game.face)),
      typeof rule === "boolean" ? (rule ? t`yes` : t`no`) : worded(String(rule)),
    ]),
    [t`SHA-256 of the rules' source`, source],
    ...(hashes ?? []).map((hash, index) => [t`Commitment of player ${index + 1}`, hash]),
  ];
  return element(
    "details",
    {},
    element("summary", {}, t`The agreement`),
    element(
      "dl",
      { class: "seeds" },
      rows.filter(Boolean).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
    ),
  );
}

/**
 * The verdict, the seed and how to check it by hand.
 * @param {Page.View} view
 * @param {Api.CatalogGameView} game
 */
export function fairnessSection(view, game) {
  const promise = promiseOf(view.id);
  return element(
    "section",
    { class: "panel fairness", "aria-labelledby": "fairness-title" },
    element("h2", { id: "fairness-title" }, t`Was it fair?`),
    verdict(view, game, promise, judged(view, promise)),
    hasSeed(view.fairness) && byHand(view),
  );
}

/**
 * A record that cannot even be read is no fair one.
 * @param {Page.View} view
 * @param {Page.StoredPromise} promise
 */
function judged(view, promise) {
  try {
    return objections(view, promise);
  } catch {
    return [{ step: null, sentence: t`The record of the game cannot be read.` }];
  }
}

/**
 * @param {Page.View} view
 * @param {Api.CatalogGameView} game
 * @param {Page.StoredPromise} promise
 * @param {{ step: number | null, sentence: string }[]} against
 */
function verdict(view, game, promise, against) {
  if (against.length > 0) {
    return [
      element("p", { class: "verdict unfair" }, t`No. This does not match what the server promised:`),
      element(
        "ul",
        {},
        against.map(({ step, sentence }) => element("li", {}, step === null ? sentence : t`Step ${step}: ${sentence}`)),
      ),
    ];
  }
  if (!promise) {
    return [
      element("p", { class: "verdict unproved" }, t`It matches, but this browser did not see the beginning.`),
      element(
        "p",
        {},
        t`The game was started in another browser: only that browser knows which hash was shown before the game.`,
      ),
    ];
  }
  const reserved = reservations(view, promise, game);
  return [
    element(
      "p",
      { class: `verdict ${reserved.length > 0 ? "unproved" : "fair"}` },
      reserved.length > 0 ? t`Partly.` : t`Yes. `,
    ),
    element("p", {}, checked(view, promise)),
    reserved.length > 0 &&
      element(
        "ul",
        {},
        reserved.map((sentence) => element("li", {}, sentence)),
      ),
    element("p", { class: "small" }, unchecked(view)),
  ];
}

/**
 * @param {Page.View} view
 * @param {Page.StoredPromise} promise
 */
function checked(view, promise) {
  const events = view.log.filter((entry) => entry.kind === "event").length;
  return [
    events === 0
      ? t`There were no chance events.`
      : t`This browser has recomputed ${counted(events, "event")} from the seed and its own number: everything matches.`,
    promise.version && t`It is the game that this browser requested, with the moves that it sent.`,
    knowsRules(view.game) && t`Every step follows from the rules, which your browser has itself.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * Say what no check in this browser can show.
 * @param {Page.View} view
 */
function unchecked(view) {
  if (view.company === "link")
    return t`The other players' moves came through the server. Their own browsers check them: ask the players for their results.`;
  return view.opponent.name
    ? t`Not checked: how ${rivalIn(view)} chose its moves, and what the hints and the review say.`
    : t`Not checked: what the hints and the review say.`;
}

/** @param {Page.View} view */
function byHand(view) {
  const rows = view.log.filter((entry) => entry.kind === "event");
  const { hash, number, numbers, seed, lot, protocol } = view.fairness;
  return element(
    "details",
    {},
    element("summary", {}, t`The seed, and how to check it yourself`),
    element(
      "dl",
      { class: "seeds" },
      element("dt", {}, t`Hash, shown before the game`),
      element("dd", {}, hash),
      element(
        "dt",
        {},
        numbers
          ? t`Number, computed from the numbers that the players' browsers drew`
          : t`Number, drawn by your browser after that`,
      ),
      element("dd", {}, number),
      numbers && [element("dt", {}, t`The players' numbers`), numbers.map((each) => element("dd", {}, each))],
      element("dt", {}, t`Seed, revealed now`),
      element("dd", {}, seed),
    ),
    element(
      "ol",
      { class: "recipe" },
      numbers &&
        protocol > 1 &&
        element(
          "li",
          {},
          t`Before any number was revealed, each browser had committed to its own with the SHA-256 of the number's digits.`,
        ),
      numbers &&
        element(
          "li",
          {},
          t`The number is the first 32 digits of the SHA-256 of the players' numbers, joined by “:”. The host's number comes first; the others follow in the alphabetical order ${protocol > 1 ? t`of their commitments` : t`of the numbers`}. The seats have the same order.`,
        ),
      element("li", {}, t`The hash is the SHA-256 of the seed's 32 bytes.`),
      element(
        "li",
        {},
        t`The random number of step k is the first 53 bits of HMAC-SHA256 with the seed as the key and `,
        element("code", {}, "number:k"),
        t` as the message, divided by 2`,
        element("sup", {}, "53"),
        ".",
      ),
      element(
        "li",
        {},
        t`The possible outcomes divide the interval from 0 to 1, ${protocol > 1 ? t`in the alphabetical order of their names` : t`in the order of the rules`}; the part of each is as wide as its probability. The outcome in whose part the random number lies happens.`,
      ),
      lot &&
        element(
          "li",
          {},
          t`Your seat is the random number of `,
          element("code", {}, "number:seat:0"),
          t` times the number of seats, rounded down.`,
        ),
    ),
    element(
      "pre",
      { tabindex: "0" },
      `printf '%s' '${number}:${rows[0]?.number ?? 1}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:${seed}`,
    ),
    rows.length > 0 &&
      element(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": t`The random number of each event` },
        element(
          "table",
          {},
          element(
            "thead",
            {},
            element(
              "tr",
              {},
              [t`Step`, t`Random number`, t`Outcome`, t`From`, t`To`].map((head) =>
                element("th", { scope: "col" }, head),
              ),
            ),
          ),
          element(
            "tbody",
            {},
            rows.map((entry) => row(entry, view)),
          ),
        ),
      ),
  );
}

/**
 * @param {Page.Line} entry
 * @param {Page.View} view
 */
function row(entry, view) {
  const cells = [
    String(entry.number),
    shown(entry.luck),
    capital(inColours(entry.label, view.face)),
    ...ends(entry).map(shown),
  ];
  return element(
    "tr",
    {},
    cells.map((cell) => element("td", {}, cell)),
  );
}

/**
 * Where an event lies beside the others.
 * @param {Page.Line} entry
 */
function ends({ label, outcomes }) {
  const index = (outcomes ?? []).findIndex(([name]) => name === label);
  if (index === -1) return [null, null];
  const low = outcomes.slice(0, index).reduce((sum, [, probability]) => sum + probability, 0);
  return [low, low + outcomes[index][1]];
}

/** @param {number} number */
const shown = (number) => (typeof number === "number" ? numeral(number, 6, 6) : "–");
