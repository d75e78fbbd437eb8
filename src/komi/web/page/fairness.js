/** Panels of the verified randomness: the commitment during the game; the verdict and a manual check after it. */

import { reservations } from "./terms-check.js";
import { isSeedRevealed, findObjections } from "./check.js";
import { describeClock } from "./clocks.js";
import { confirmations } from "./confirmation.js";
import { element } from "./dom.js";
import { rulesOf } from "./game-rules.js";
import { formatNumber, t, translateServerText } from "./language.js";
import { comparisonWords, isVerifiable, commitmentOf } from "./commitment.js";
import { capitalize, formatCount, displayText, nameOf, rivalTitle } from "./words.js";

/**
 * Create the panel that shows the hash of the seed and the agreed terms during the game.
 * @param {Page.View} view
 * @param {Api.CatalogGameView} game
 */
export function commitmentPanel(view, game) {
  const stored = commitmentOf(view.id);
  return element(
    "section",
    { class: "panel promise", "aria-labelledby": "promise-title", hidden: !isVerifiable(view) },
    element("h2", { id: "promise-title" }, t`Verified randomness`),
    element(
      "p",
      { class: "small" },
      t`Before the game, the server committed to a secret seed with this hash. After the game, your browser checks it.`,
    ),
    element("code", { class: "hash" }, stored?.hash ?? view.fairness?.hash ?? "–"),
    stored?.version && termsList(stored, game),
  );
}

/**
 * List the terms that were agreed before the game: the players, who begins, and every rule.
 * @param {Page.Terms & { hashes?: string[] }} terms
 * @param {Api.CatalogGameView} game
 */
export function termsList({ rules, opponent, seat, company, clock, source, translation, hashes = null }, game) {
  /** @type {Record<string, string>} */
  const begins =
    company === "link"
      ? { first: t`the host`, second: t`another player`, next: t`who had the last seat` }
      : { first: t`You`, second: t`Your opponent` };
  const rows = [
    opponent.name && [t`Opponent`, translateServerText(opponent.title)],
    (opponent.name || company === "link") && [t`Who begins`, begins[seat] ?? t`By lot`],
    clock && [t`Clock`, describeClock(clock)],
    ...Object.entries(rules).map(([name, rule]) => [
      capitalize(displayText(name.replaceAll("_", " "), game.face)),
      typeof rule === "boolean" ? (rule ? t`yes` : t`no`) : translateServerText(String(rule)),
    ]),
    [t`SHA-256 of the rules' source`, source],
    translation && [t`SHA-256 of the rules in JavaScript`, translation],
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
 * Create the panel with the verdict, the seed and instructions for a manual check.
 * @param {Page.View} view
 * @param {Api.CatalogGameView} game
 */
export function fairnessSection(view, game) {
  const stored = commitmentOf(view.id);
  const checking = element("p", { role: "status" }, t`Your browser replays the game by its rules …`);
  rulesOf(view, stored).then(async (rules) => {
    const found = checkedObjections(view, stored, rules);
    const panel = element("div", { class: "found" }, verdict(view, game, stored, rules, found));
    checking.replaceWith(panel);
    if (found.length > 0 || !stored?.key || !rules?.replay) return;
    for await (const confirmed of confirmations(view, stored, () => panel.isConnected)) {
      const others = otherGames(view, confirmed);
      panel.replaceChildren(...element("div", {}, verdict(view, game, stored, rules, others, confirmed)).childNodes);
    }
  });
  return element(
    "section",
    { class: "panel fairness", "aria-labelledby": "fairness-title" },
    element("h2", { id: "fairness-title" }, t`Was it fair?`),
    checking,
    isSeedRevealed(view.fairness) && manualCheck(view),
  );
}

/**
 * List the objections to a game. A log that cannot be read counts as an objection.
 * @param {Page.View} view
 * @param {Page.StoredCommitment} stored
 * @param {Page.GameRules | null} rules
 */
function checkedObjections(view, stored, rules) {
  try {
    return findObjections(view, stored, rules);
  } catch {
    return [{ step: null, sentence: t`The record of the game cannot be read.` }];
  }
}

/**
 * List the browsers that have confirmed another game, as objections.
 * @param {Page.View} view
 * @param {(boolean | null)[]} confirmed
 */
function otherGames(view, confirmed) {
  /** @type {{ step: number | null, sentence: string }[]} */
  const found = [];
  for (const [seat, isSame] of confirmed.entries()) {
    if (isSame === false)
      found.push({ step: null, sentence: t`The browser of ${nameOf(view, seat)} has confirmed another game.` });
  }
  return found;
}

/**
 * @param {Page.View} view
 * @param {Api.CatalogGameView} game
 * @param {Page.StoredCommitment} stored
 * @param {Page.GameRules | null} rules
 * @param {{ step: number | null, sentence: string }[]} found
 * @param {(boolean | null)[]} [confirmed] by the browsers of friends, for each seat
 * @returns {Page.Child[]}
 */
function verdict(view, game, stored, rules, found, confirmed = []) {
  if (found.length > 0) {
    return [
      element("p", { class: "verdict unfair" }, t`No. This does not match what the server promised:`),
      element(
        "ul",
        {},
        found.map(({ step, sentence }) => element("li", {}, step === null ? sentence : t`Step ${step}: ${sentence}`)),
      ),
    ];
  }
  if (!stored) {
    return [
      element("p", { class: "verdict unproved" }, t`It matches, but this browser did not see the beginning.`),
      element(
        "p",
        {},
        t`The game was started in another browser: only that browser knows which hash was shown before the game.`,
      ),
    ];
  }
  const reserved = reservations(view, stored, game, rules);
  return [
    element(
      "p",
      { class: `verdict ${reserved.length > 0 ? "unproved" : "fair"}` },
      reserved.length > 0 ? t`Partly.` : t`Yes. `,
    ),
    element("p", {}, describeChecked(view, stored, rules)),
    reserved.length > 0 &&
      element(
        "ul",
        {},
        reserved.map((sentence) => element("li", {}, sentence)),
      ),
    rules?.replay && !rules.isBuiltIn && rulesNote(rules, game),
    ...(view.company === "link"
      ? describeFriends(view, stored, confirmed)
      : [element("p", { class: "small" }, describeUnchecked(view))]),
  ];
}

/**
 * Name the rules of a game that is not built in, by their hash, and offer to save them.
 * @param {Page.GameRules} rules
 * @param {Api.CatalogGameView} game
 */
function rulesNote({ source, hash }, game) {
  const href = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  return [
    element(
      "p",
      {},
      t`These are the rules with this SHA-256 hash. Your browser had it before the game; read them to see what they say:`,
      " ",
    ),
    element("code", { class: "hash" }, hash),
    element("p", {}, element("a", { class: "button", href, download: `${game.name}.js` }, t`Save the rules`)),
  ];
}

/**
 * @param {Page.View} view
 * @param {Page.StoredCommitment} stored
 * @param {Page.GameRules | null} rules
 */
function describeChecked(view, stored, rules) {
  const events = view.log.filter((entry) => entry.kind === "event").length;
  return [
    events === 0
      ? t`There were no chance events.`
      : t`This browser has recomputed ${formatCount(events, "event")} from the seed and its own number: everything matches.`,
    stored.version && t`It is the game that this browser requested, with the moves that it sent.`,
    rules?.replay && t`It has replayed the game: every step, choice and result follows from the rules.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * Describe what this browser cannot check.
 * @param {Page.View} view
 */
const describeUnchecked = (view) =>
  view.opponent.name
    ? t`Not checked: how ${rivalTitle(view)} chose its moves, and what the hints and the review say.`
    : t`Not checked: what the hints and the review say.`;

/**
 * Say whether the browsers of friends have checked the same game, or show the words by which people can compare it.
 * @param {Page.View} view
 * @param {Page.StoredCommitment} stored
 * @param {(boolean | null)[]} confirmed
 */
function describeFriends(view, { key }, confirmed) {
  if (confirmed.length > 0 && confirmed.every(Boolean))
    return [
      element(
        "p",
        { class: "small confirmed" },
        t`The other players' moves came through the server. Their own browsers have checked the same game, and have found nothing wrong: they have confirmed it with the key in the link, which the server does not know.`,
      ),
    ];
  return [
    key && element("p", { class: "small" }, t`The other players' browsers have not all confirmed this game yet.`),
    element(
      "p",
      { class: "small" },
      t`The other players' moves came through the server. Their own browsers check them: ask the players for their results, and compare these words. If they differ, the server has shown you different games:`,
    ),
    element("p", { class: "words" }, comparisonWords(view)),
  ];
}

/** @param {Page.View} view */
function manualCheck(view) {
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
    formatOrDash(entry.luck),
    capitalize(displayText(entry.label, view.face)),
    ...outcomeInterval(entry).map(formatOrDash),
  ];
  return element(
    "tr",
    {},
    cells.map((cell) => element("td", {}, cell)),
  );
}

/**
 * Return the ends of the part of the unit interval that selects an event.
 * @param {Page.Line} entry
 */
function outcomeInterval({ label, outcomes }) {
  const index = (outcomes ?? []).findIndex(([name]) => name === label);
  if (index === -1) return [null, null];
  const low = outcomes.slice(0, index).reduce((sum, [, probability]) => sum + probability, 0);
  return [low, low + outcomes[index][1]];
}

/** @param {number} number */
const formatOrDash = (number) => (typeof number === "number" ? formatNumber(number, 6, 6) : "–");
