/** A guide for beginners: before each decision, describe the points at risk, the effect of each action, and the best action. */

import { hint } from "./api.js";
import { element } from "./dom.js";
import { formatNumber, t } from "./language.js";
import { retryWhileBusy } from "./retry.js";
import { isKnownGame } from "./rules.js";
import { standing } from "./snapshots.js";
import { inWords, hasSameValue } from "./worth.js";
import { capitalize, formatCount, displayText, formatList, measureOf, nameOf, percent } from "./words.js";

const MAX_ACTIONS_NAMED = 3; // actions
const SMALL_DIFFERENCE = 0.005; // in chance of winning

export class Guide {
  /**
   * @param {Page.View} view
   * @param {Api.CatalogGameView} game
   */
  constructor(view, game) {
    this.view = view;
    this.game = game;
    this.message = element("p", { role: "status", hidden: true });
    this.button = element(
      "button",
      { type: "button", class: "quiet", "aria-pressed": "false", onclick: () => this.toggle() },
      t`Guide me through this game`,
    );
    this.root = element(
      "div",
      { class: "guide", hidden: view.result !== null || view.names !== null || !view.solved || isKnownGame(game.name) },
      this.message,
      this.button,
    );
    this.isOn = false;
    this.essence = () => ""; // returns the summary of the rules while it is displayed
    this.guidedDecisions = new Set(); // the steps at which it gave advice
  }

  toggle() {
    this.isOn = !this.isOn;
    this.root.classList.toggle("on", this.isOn);
    this.button.setAttribute("aria-pressed", String(this.isOn));
    this.button.textContent = this.isOn ? t`Stop the guide` : t`Guide me through this game`;
    this.update();
  }

  /** Describe the current decision, if there is one. */
  async update() {
    this.message.hidden = !this.isOn || this.view.waiting !== "action";
    if (this.message.hidden) return;
    const { number } = this.view;
    const isCurrent = () => number === this.view.number && this.root.isConnected;
    this.message.textContent = "…";
    try {
      /** @param {string} sentence */
      const say = (sentence) =>
        isCurrent() && (this.message.textContent = `${t`This game is still being solved …`} ${sentence}`);
      const result = await retryWhileBusy(() => hint(this.view.id), say, isCurrent);
      if (number === this.view.number) this.message.textContent = this.sentences(result);
    } catch (error) {
      if (number === this.view.number) this.message.textContent = error.message;
    }
  }

  /** @param {Api.HintResponse} result */
  sentences(result) {
    this.guidedDecisions.add(this.view.number);
    return [
      this.describeGoal(result),
      this.describePointsAtRisk(),
      ...result.actions.map(({ label }) => this.describeRisk(label)),
      this.advice(result),
    ]
      .filter(Boolean)
      .join(" ");
  }

  /**
   * Describe the goal: at the first decision and, in a race, at the beginning of each turn.
   * @param {Api.HintResponse} hint
   */
  describeGoal({ actions }) {
    const { view } = this;
    const now = standing(view);
    const { goal } = view.rules;
    if (now && goal && view.players === 2) {
      const [own, other] = [now.scores[view.you], now.scores[1 - view.you]];
      return now.turn > 0
        ? ""
        : t`You need ${formatCount(goal - own, "point")} more to win, ${nameOf(view, 1 - view.you)} needs ${goal - other}.`;
    }
    if (this.guidedDecisions.size > 1) return "";
    if (actions[0].value) return [this.essence(), this.outlook(actions[0].value)].filter(Boolean).join(" ");
    return [this.essence(), view.objective && t`What counts here: ${measureOf(view).title}.`].filter(Boolean).join(" ");
  }

  /**
   * Describe the result of perfect play in a game without chance events.
   * @param {"win" | "draw" | "loss"} value
   */
  outlook(value) {
    return {
      win: t`From here you can win, whatever the other player does.`,
      draw: t`No player can force a win from here: hold the draw and wait for a mistake.`,
      loss: t`Against perfect play this is lost: hold out, and wait for a mistake.`,
    }[value];
  }

  /** Describe the points at risk, and the score after holding. */
  describePointsAtRisk() {
    const { view } = this;
    const now = standing(view);
    const turn = now?.turn ?? 0;
    const after = this.outcomes("hold")?.map(({ state }) => moverScoreAfter(state))[0];
    if (turn <= 0) return after === now?.scores[view.you] ? t`If you hold now, the turn brings you nothing.` : "";
    const risk = t`You have ${formatCount(turn, "point")} at risk.`;
    if (after === undefined) return risk;
    return `${risk} ${after >= view.rules.goal ? t`If you hold, you have ${after} and win.` : t`If you hold, that is safe: ${after} in all.`}`;
  }

  /**
   * Describe the expected gain of continuing, and the chance that it ends the turn.
   * @param {string} label
   */
  describeRisk(label) {
    const outcomes = label === "hold" ? null : this.outcomes(label);
    if (!outcomes?.some(({ passes }) => passes > 0)) return "";
    const { state } = this.view;
    /**
     * @param {Page.Consequence[]} some
     * @param {(outcome: Page.Consequence) => number} of
     */
    const sum = (some, of) => some.reduce((all, one) => all + of(one), 0);
    const [bad, good] = [outcomes.filter(({ passes }) => passes > 0), outcomes.filter(({ passes }) => passes === 0)];
    const lost = sum(bad, ({ probability }) => probability);
    const all = sum(
      bad.filter((one) => moverScoreAfter(one.state) < state.score),
      ({ probability }) => probability,
    );
    const gain = formatNumber(sum(good, (one) => one.probability * (one.state.turn - state.turn)) / (1 - lost), 1);
    const name = capitalize(displayText(label, this.view.face));
    const chance = percent(lost);
    const sentence =
      good.length === 0
        ? t`${name}: you are certain to lose the turn.`
        : state.turn > 0
          ? t`${name}: a chance of ${chance} of losing that, otherwise ${gain} more on average.`
          : t`${name}: a chance of ${chance} that the turn brings nothing, otherwise ${gain} on average.`;
    return all > 0 ? `${sentence} ${t`A chance of ${percent(all)} of losing the whole score.`}` : sentence;
  }

  /**
   * Return the outcomes of an action in a race with points at risk, else null.
   * @param {string} label
   */
  outcomes(label) {
    const { state } = this.view;
    return standing(this.view) && "turn" in state ? this.view.choices?.[label] : null;
  }

  /** @param {Api.ActionValueView} action */
  isChance({ value }) {
    return !value && !this.view.objective;
  }

  /** @param {Api.HintResponse} hint */
  advice({ actions, best }) {
    /** @param {string} label */
    const name = (label) => displayText(label, this.view.face);
    if (actions.length === 1) return t`You have only one choice: ${name(best)}.`;
    const equal = actions.filter((one) => hasSameValue(one, actions[0]));
    /** @param {Api.ActionValueView} one */
    const worth = (one) => inWords(one, measureOf(this.view));
    const others = actions.filter((one) => !equal.includes(one)).slice(0, MAX_ACTIONS_NAMED);
    const bestNames =
      equal.length > MAX_ACTIONS_NAMED
        ? t`${name(best)}, or one of ${equal.length - 1} others that are just as good`
        : formatList(equal.map((one) => name(one.label)));
    const alternatives = others.map((one) => `${name(one.label)} ${worth(one)}`);
    const bestValue = this.isChance(actions[0]) ? t`${worth(actions[0])} to win` : worth(actions[0]);
    const remark =
      this.isChance(actions[0]) && others.length > 0 && actions[0].worth - others[0].worth < SMALL_DIFFERENCE
        ? ` ${t`It hardly matters here.`}`
        : "";
    return (
      (alternatives.length > 0
        ? t`${capitalize(bestNames)} is best: ${bestValue}, against ${formatList(alternatives)}.`
        : t`${capitalize(bestNames)} is best: ${bestValue}.`) + remark
    );
  }
}

/**
 * Return the score of the player who moved, from a state in which it is the next player's turn.
 * @param {Page.State} state
 */
function moverScoreAfter(state) {
  return state[["rival3", "rival2", "rival"].find((name) => name in state)];
}
