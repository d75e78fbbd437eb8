/** A guide through one's first games: before each decision it says what is at stake, what each action does, and which is best. */

import { hint } from "./api.js";
import { KNOWN } from "./chances.js";
import { element } from "./dom.js";
import { numeral, t } from "./language.js";
import { retryWhileBusy } from "./retry.js";
import { isKnownGame } from "./rules.js";
import { standing } from "./standing.js";
import { inWords, isAsGood } from "./worth.js";
import { capital, counted, inColours, listed, measureOf, nameOf, percent } from "./words.js";

const MAX_NAMED = 3; // actions
const CLOSE = 0.005; // of the chance of winning: hardly a difference

export class Guide {
  /**
   * @param {Page.View} view
   * @param {Api.CatalogGameView} game
   */
  constructor(view, game) {
    this.view = view;
    this.game = game;
    this.said = element("p", { role: "status", hidden: true });
    this.button = element(
      "button",
      { type: "button", class: "quiet", "aria-pressed": "false", onclick: () => this.turn() },
      t`Guide me through this game`,
    );
    this.root = element(
      "div",
      { class: "guide", hidden: view.result !== null || view.names !== null || !view.solved || isKnownGame(game.name) },
      this.said,
      this.button,
    );
    this.isOn = false;
    this.gist = () => ""; // of the rules, where they are told
    this.guided = new Set(); // the decisions it was there for
  }

  turn() {
    this.isOn = !this.isOn;
    this.root.classList.toggle("on", this.isOn);
    this.button.setAttribute("aria-pressed", String(this.isOn));
    this.button.textContent = this.isOn ? t`Stop the guide` : t`Guide me through this game`;
    this.follow();
  }

  /** Say what there is to decide now, if anything. */
  async follow() {
    this.said.hidden = !this.isOn || this.view.waiting !== "action";
    if (this.said.hidden) return;
    const { number } = this.view;
    const isCurrent = () => number === this.view.number && this.root.isConnected;
    this.said.textContent = "…";
    try {
      /** @param {string} sentence */
      const say = (sentence) =>
        isCurrent() && (this.said.textContent = `${t`This game is still being solved …`} ${sentence}`);
      const known = await retryWhileBusy(() => hint(this.view.id), say, isCurrent);
      if (number === this.view.number) this.said.textContent = this.sentences(known);
    } catch (error) {
      if (number === this.view.number) this.said.textContent = error.message;
    }
  }

  /** @param {Api.HintResponse} known */
  sentences(known) {
    this.guided.add(this.view.number);
    return [
      this.aim(known),
      this.atStake(),
      ...known.actions.map(({ label }) => this.whatComes(label)),
      this.advice(known),
    ]
      .filter(Boolean)
      .join(" ");
  }

  /**
   * What one is after: at the first decisions, and in a race at the beginning of a turn.
   * @param {Api.HintResponse} hint
   */
  aim({ actions }) {
    const { view } = this;
    const now = standing(view);
    const { goal } = view.rules;
    if (now && goal && view.players === 2) {
      const [own, other] = [now.scores[view.you], now.scores[1 - view.you]];
      return now.turn > 0
        ? ""
        : t`You need ${counted(goal - own, "point")} more to win, ${nameOf(view, 1 - view.you)} needs ${goal - other}.`;
    }
    if (this.guided.size > 1) return "";
    if (actions[0].value) return [this.gist(), this.outlook(actions[0].value)].filter(Boolean).join(" ");
    return [this.gist(), view.objective && t`What counts here: ${measureOf(view).title}.`].filter(Boolean).join(" ");
  }

  /**
   * Where a game without chance leads with perfect play on all sides.
   * @param {"win" | "draw" | "loss"} value
   */
  outlook(value) {
    return {
      win: t`From here you can win, whatever the other player does.`,
      draw: t`No player can force a win from here: hold the draw and wait for a mistake.`,
      loss: t`Against perfect play this is lost: hold out, and wait for a mistake.`,
    }[value];
  }

  /** What would be lost, and what a hold would make of it. */
  atStake() {
    const { view } = this;
    const now = standing(view);
    const turn = now?.turn ?? 0;
    const after = this.outcomes("hold")?.map(({ state }) => scoreAfter(state))[0];
    if (turn <= 0) return after === now?.scores[view.you] ? t`If you hold now, the turn brings you nothing.` : "";
    const risk = t`You have ${counted(turn, "point")} at risk.`;
    if (after === undefined) return risk;
    return `${risk} ${after >= view.rules.goal ? t`If you hold, you have ${after} and win.` : t`If you hold, that is safe: ${after} in all.`}`;
  }

  /**
   * What going on brings, and how often it ends the turn.
   * @param {string} label
   */
  whatComes(label) {
    const outcomes = label === "hold" ? null : this.outcomes(label);
    if (!outcomes?.some(({ passes }) => passes > 0)) return "";
    const { state } = this.view;
    /**
     * @param {Page.Outcome[]} some
     * @param {(outcome: Page.Outcome) => number} of
     */
    const sum = (some, of) => some.reduce((all, one) => all + of(one), 0);
    const [bad, good] = [outcomes.filter(({ passes }) => passes > 0), outcomes.filter(({ passes }) => passes === 0)];
    const lost = sum(bad, ({ probability }) => probability);
    const all = sum(
      bad.filter((one) => scoreAfter(one.state) < state.score),
      ({ probability }) => probability,
    );
    const brings = numeral(sum(good, (one) => one.probability * (one.state.turn - state.turn)) / (1 - lost), 1);
    const name = capital(inColours(label, this.view.face));
    const often = percent(lost);
    const comes =
      good.length === 0
        ? t`${name}: you are certain to lose the turn.`
        : state.turn > 0
          ? t`${name}: a chance of ${often} of losing that, otherwise ${brings} more on average.`
          : t`${name}: a chance of ${often} that the turn brings nothing, otherwise ${brings} on average.`;
    return all > 0 ? `${comes} ${t`A chance of ${percent(all)} of losing the whole score.`}` : comes;
  }

  /**
   * What can come of an action, in the games whose chances this page knows.
   * @param {string} label
   */
  outcomes(label) {
    const { view } = this;
    if (view.eyes !== view.you || !view.actions.some((action) => action.label === label)) return null;
    return "turn" in (view.state ?? {}) ? (KNOWN[view.game]?.outcomes?.(view.rules, view.state, label) ?? null) : null;
  }

  /** @param {Api.ActionValueView} action */
  isChance({ value }) {
    return !value && !this.view.objective;
  }

  /** @param {Api.HintResponse} hint */
  advice({ actions, best }) {
    /** @param {string} label */
    const name = (label) => inColours(label, this.view.face);
    if (actions.length === 1) return t`You have only one choice: ${name(best)}.`;
    const equal = actions.filter((one) => isAsGood(one, actions[0]));
    /** @param {Api.ActionValueView} one */
    const worth = (one) => inWords(one, measureOf(this.view));
    const others = actions.filter((one) => !equal.includes(one)).slice(0, MAX_NAMED);
    const bests =
      equal.length > MAX_NAMED
        ? t`${name(best)}, or one of ${equal.length - 1} others that are just as good`
        : listed(equal.map((one) => name(one.label)));
    const least = others.map((one) => `${name(one.label)} ${worth(one)}`);
    const most = this.isChance(actions[0]) ? t`${worth(actions[0])} to win` : worth(actions[0]);
    const close =
      this.isChance(actions[0]) && others.length > 0 && actions[0].worth - others[0].worth < CLOSE
        ? ` ${t`It hardly matters here.`}`
        : "";
    return (
      (least.length > 0
        ? t`${capital(bests)} is best: ${most}, against ${listed(least)}.`
        : t`${capital(bests)} is best: ${most}.`) + close
    );
  }
}

/**
 * What the one who moved has, after the turn has passed to the next.
 * @param {Page.State} state
 */
function scoreAfter(state) {
  return state[["rival3", "rival2", "rival"].find((name) => name in state)];
}
