/** The review of decisions: a meter of the total loss, and the costliest decisions. */

import { Coach, costlyDecisions } from "./coach.js";
import { element } from "./dom.js";
import { faceOf } from "./faces/faces.js";
import { formatNumber, t } from "./language.js";
import { SkipSignal, delay } from "./motion.js";
import { Race } from "./race.js";
import { snapshotAfter, standing } from "./snapshots.js";
import { worthBars } from "./worth.js";
import { formatCount, sentenceFor, displayText, formatList, measureOf } from "./words.js";

const MAX_LISTED = 6;
/** @type {Record<number, "win" | "draw" | "loss">} */
const OUTCOMES = { 0: "loss", 0.5: "draw", 1: "win" };
const MIN_LOSS = 5e-5; // smaller losses would be displayed as 0.0 %

/**
 * @param {Page.View} view
 * @param {Api.ReviewResponse} review
 */
export async function mistakeSection(view, review) {
  const { mistakes } = review;
  const measure = measureOf(view);
  const decisions = review.decisions.filter((one) => one.seat === view.you);
  const costly = decisions.filter((one) => one.loss >= MIN_LOSS).sort((a, b) => b.loss - a.loss);
  const lessons = costlyDecisions(review.decisions, view, review.start);
  return element(
    "section",
    { class: "panel mistakes", "aria-labelledby": "mistakes-title" },
    element(
      "h2",
      { id: "mistakes-title" },
      sentenceFor(view, view.you, t`Your decisions`, (name) => t`${name}’s decisions`),
    ),
    meter(mistakes, measure),
    element("p", {}, summary(decisions.length, costly.length, mistakes, measure)),
    accuracyLine(review),
    luckLine(review, view, measure),
    lessons.length > 0 && new Coach(view, lessons).root,
    costly.length > 0 &&
      element(
        "details",
        {},
        element("summary", {}, t`The costliest, with the answer`),
        await costliestDecision(view, costly[0]),
      ),
    costly.length > 1 &&
      element(
        "details",
        {},
        element("summary", {}, t`The next costliest`),
        element(
          "ol",
          { class: "costly" },
          costly.slice(1, MAX_LISTED).map((one) => element("li", {}, inWords(view, one))),
        ),
      ),
  );
}

/**
 * @param {number} mistakes
 * @param {Page.Measure} measure
 */
function meter(mistakes, measure) {
  const needle = element("span", { class: "meter-fill" });
  needle.style.setProperty("--share", String(measure.isChance ? Math.min(mistakes, 1) : 0));
  return element(
    "div",
    { class: "meter", role: "img", "aria-label": t`${measure.gap(mistakes)} given away` },
    needle,
    element("strong", {}, measure.gap(mistakes)),
    element("span", {}, t`given away`),
  );
}

/**
 * @param {number} decisions
 * @param {number} costly
 * @param {number} mistakes
 * @param {Page.Measure} measure
 */
function summary(decisions, costly, mistakes, measure) {
  if (decisions === 0) return t`You had nothing to decide.`;
  if (costly === 0) return t`${formatCount(decisions, "decision")}, and every one was the best choice.`;
  return t`${costly} of your ${formatCount(decisions, "decision")} could have been better; together they cost ${measure.difference(mistakes)}.`;
}

/**
 * Create the line with the accuracy: the share of the possible loss that the player avoided.
 * @param {Api.ReviewResponse} review
 */
function accuracyLine({ accuracy }) {
  if (accuracy === null) return null;
  return element(
    "details",
    { class: "accuracy" },
    element(
      "summary",
      {},
      element("span", {}, t`Accuracy `, element("strong", {}, formatNumber(100 * accuracy, 1, 1)), t` of 100`),
    ),
    element(
      "p",
      { class: "small" },
      t`100 means the best choice at every decision, 0 the worst at every one. It is the share that you kept of everything that your decisions could have given away: 1 − (what you gave away) ÷ (the sum of best − worst over your decisions).`,
    ),
  );
}

/**
 * @param {Api.ReviewResponse} review
 * @param {Page.View} view
 * @param {Page.Measure} measure
 */
function luckLine({ luck, skill, start }, view, { format, signed }) {
  const own =
    { 1: t`your decisions`, 2: t`skill, yours against the other's,` }[view.players] ??
    t`skill, yours against the others',`;
  return element(
    "p",
    { class: "small" },
    t`You began with ${format(start)}. Luck moved it by ${signed(luck)}, and ${own} by ${signed(skill)}.`,
  );
}

/**
 * @param {Page.View} view
 * @param {Api.DecisionView} decision
 */
function inWords(view, { number, chosen, best, loss }) {
  /** @param {string} text */
  const label = (text) => displayText(text, view.face);
  return t`Step ${number + 1}${scoresAt(view, number)}: you chose ${label(chosen)}; ${label(best)} was ${measureOf(view).gap(loss)} better.`;
}

/**
 * @param {Page.View} view
 * @param {number} number
 */
function scoresAt(view, number) {
  const scores = standing(snapshotAfter(view, number));
  if (!scores) return "";
  const others = scores.scores.filter((_, seat) => seat !== view.you).map(String);
  return scores.turn > 0
    ? t`, at ${scores.scores[view.you]} to ${formatList(others)} with ${scores.turn} at risk`
    : t`, at ${scores.scores[view.you]} to ${formatList(others)}`;
}

/**
 * Show the costliest decision with the table at that step.
 * @param {Page.View} view
 * @param {Api.DecisionView} worst
 */
async function costliestDecision(view, worst) {
  const face = await faceOf(view);
  const race = standing(snapshotAfter(view, worst.number)) && view.rules.goal ? new Race(view) : null;
  /** @param {number} length */
  const showStep = (length) => {
    face.show(snapshotAfter(view, length), view.log.slice(0, length));
    race?.show(snapshotAfter(view, length));
  };
  showStep(worst.number);
  const isCertain =
    view.log.every((entry) => entry.kind === "action") &&
    Object.values(worst.worth).every((worth) => worth in OUTCOMES);
  const actions = Object.entries(worst.worth).map(([label, worth]) => ({
    label,
    worth,
    value: isCertain ? OUTCOMES[worth] : null,
  }));
  const replayButton = element("button", { type: "button" }, t`Replay`);
  /** @type {SkipSignal | null} */
  let skip = null;
  replayButton.addEventListener("click", async () => {
    skip?.request();
    skip = new SkipSignal();
    await replay(view, face, showStep, worst.number, skip);
  });
  return element(
    "div",
    { class: `worst stage-${view.face}` },
    race?.root,
    element("div", { class: "stage" }, face.root),
    element("p", {}, inWords(view, worst)),
    worthBars(actions, worst, view),
    replayButton,
  );
}

/**
 * Replay the turn that led to a step.
 * @param {Page.View} view
 * @param {Page.Face} face
 * @param {(length: number) => void} showStep
 * @param {number} number
 * @param {Page.SkipSignal} skip
 */
async function replay(view, face, showStep, number, skip) {
  let first = number;
  while (first > 0 && number - first < 8 && view.log[first - 1].seat === view.you) first--;
  first = Math.max(first - (first === number ? 2 : 0), 0);
  showStep(first);
  for (let step = first; step < number && !skip.isRequested; step++) {
    await delay(350, skip);
    await face.animate(view.log[step], snapshotAfter(view, step), snapshotAfter(view, step + 1), skip);
    showStep(step + 1);
  }
}
