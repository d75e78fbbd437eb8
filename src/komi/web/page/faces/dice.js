/** The face of Pig and its variants: one or two rolling dice, and the rolls of this turn. */

import { element } from "../dom.js";
import { t, translateServerText } from "../language.js";
import { remainingRandomness } from "../random-numbers.js";
import { runAnimation, delay } from "../motion.js";
import { dieNumber, dieSide } from "../pictures.js";
import { bank, rattle, sink } from "../sound.js";
import { eventsOfTurn } from "../snapshots.js";
import { capitalize, formatCount, sentenceFor, forPlayer, losesTurn } from "../words.js";

/** @type {Record<number, [number, number]>} */
const ROTATIONS = { 1: [0, 0], 2: [0, -90], 3: [-90, 0], 4: [90, 0], 5: [0, 90], 6: [0, 180] }; // degrees that bring a side to the front

export class Face {
  /** @param {Page.View} view */
  constructor(view) {
    this.view = view;
    const sides = view.rules.sides ?? 6;
    this.dice = Array.from({ length: view.face === "two-dice" ? 2 : 1 }, () =>
      sides === 6 ? new Cube() : new Spinner(),
    );
    this.rolled = element("ol", { class: "rolled", "aria-label": t`Rolled this turn` });
    this.root = element(
      "div",
      { class: "face face-dice" },
      element(
        "div",
        { class: "dice" },
        this.dice.map((die) => die.root),
      ),
      this.rolled,
    );
  }

  /**
   * @param {Page.Snapshot} snapshot
   * @param {Page.Line[]} entries
   */
  show(snapshot, entries) {
    const last = entries.findLast((entry) => entry.kind === "event");
    this.put(last ? facesOf(last) : this.dice.map((_, i) => 6 - i));
    const events = snapshot.state.turn > 0 ? eventsOfTurn(entries) : [];
    this.rolled.replaceChildren(...events.map((entry) => element("li", {}, gainOf(entry.label))));
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   * @param {Page.SkipSignal} skip
   */
  async animate(entry, before, after, skip) {
    if (entry.kind === "action") {
      if (entry.label === "hold") bank();
      return;
    }
    rattle();
    const faces = facesOf(entry);
    await Promise.all(this.dice.map((die, i) => die.roll(faces[i] ?? faces[0], skip)));
    if (endsTurn(entry, after)) sink();
    await delay(endsTurn(entry, after) ? 900 : 350, skip);
  }

  /**
   * @param {Page.Line} entry
   * @param {Page.Snapshot} before
   * @param {Page.Snapshot} after
   */
  describe(entry, before, after) {
    if (entry.kind === "action") return null;
    const shown = this.dice.length > 1 ? capitalize(translateServerText(entry.label)) : t`A ${entry.label}`;
    if (!endsTurn(entry, after)) return t`${shown}: ${formatCount(after.state.turn, "point")} at risk.`;
    if (entry.label === "two 1s")
      return `${shown}! ${sentenceFor(this.view, entry.seat, t`You lose the whole score`, (name) => t`${name} loses the whole score`)}.`;
    return `${shown}! ${losesTurn(this.view, entry.seat, before.state.turn, "point")}.`;
  }

  /** @param {number} seat */
  question(seat) {
    const whose = forPlayer(this.view, seat);
    return this.dice.length > 1 ? t`Roll two dice${whose}. What came up?` : t`Roll a die${whose}. Which side came up?`;
  }

  /** @param {number[]} faces */
  put(faces) {
    this.dice.forEach((die, i) => die.put(faces[i] ?? faces[0]));
  }
}

/** A 3D die with six sides. */
class Cube {
  constructor() {
    this.cube = element(
      "div",
      { class: "cube" },
      [1, 2, 3, 4, 5, 6].map((face) => element("div", { class: `cube-side side-${face}` }, dieSide(face))),
    );
    this.root = element("div", { class: "die", role: "img" }, this.cube);
    this.spins = 0;
  }

  /** @param {number} face */
  put(face) {
    const [x, y] = ROTATIONS[face];
    this.cube.style.transform = `rotateX(${x}deg) rotateY(${y}deg)`;
    this.root.setAttribute("aria-label", t`A die showing ${face}`);
  }

  /**
   * @param {number} face
   * @param {Page.SkipSignal} skip
   */
  async roll(face, skip) {
    const from = this.cube.style.transform;
    this.put(face);
    const [x, y] = ROTATIONS[face];
    this.spins = this.spins === 2 ? 3 : 2;
    await Promise.all([
      runAnimation(
        this.cube,
        [
          { transform: from },
          { transform: `rotateX(${x + 360 * this.spins}deg) rotateY(${y + 360 * (5 - this.spins)}deg)` },
        ],
        850,
        skip,
      ),
      runAnimation(
        this.root,
        [
          { transform: "none" },
          { transform: "translateY(-26px) rotate(14deg)", offset: 0.35 },
          { transform: "none", offset: 0.8 },
          { transform: "translateY(-6px)", offset: 0.9 },
          { transform: "none" },
        ],
        850,
        skip,
        "ease-in-out",
      ),
    ]);
  }
}

/** A die with any other number of sides. */
class Spinner {
  constructor() {
    this.root = element("div", { class: "die flat-die", role: "img" });
  }

  /** @param {number} face */
  put(face) {
    this.root.replaceChildren(dieNumber(face));
    this.root.setAttribute("aria-label", t`A die showing ${face}`);
  }

  /**
   * @param {number} face
   * @param {Page.SkipSignal} skip
   */
  async roll(face, skip) {
    this.put(face);
    await runAnimation(
      this.root,
      [{ transform: "rotateY(0) rotate(-20deg)" }, { transform: "rotateY(1080deg) rotate(0)" }],
      700,
      skip,
    );
  }
}

/**
 * Return the faces of the dice. If the label has only a total, the remaining randomness of the event selects a pair.
 * @param {Page.Line} entry
 */
function facesOf(entry) {
  if (/^\d+$/.test(entry.label)) return [Number(entry.label)];
  const pairs = pairsOf(entry.label);
  return pairs[Math.floor(remainingRandomness(entry) * pairs.length)];
}

/** @param {string} label */
function pairsOf(label) {
  if (label === "two 1s") return [[1, 1]];
  if (label === "one 1" || label === "a 1")
    return [2, 3, 4, 5, 6]
      .flatMap((face) => [
        [1, face],
        [face, 1],
      ])
      .concat(label === "a 1" ? [[1, 1]] : []);
  const double = /double (\d)/.exec(label);
  const total = /total (\d+)/.exec(label);
  const pairs = double ? [[Number(double[1]), Number(double[1])]] : [];
  for (let face = 2; total && face <= 6; face++) {
    const other = Number(total[1]) - face;
    if (other >= 2 && other <= 6 && !(label.includes("double") && other === face)) pairs.push([face, other]);
  }
  return pairs;
}

/** @param {string} label */
function gainOf(label) {
  return translateServerText(label.replace(/^total /, ""));
}

/**
 * @param {Page.Line} entry
 * @param {Page.Snapshot} after
 */
function endsTurn(entry, after) {
  return after.mover !== entry.seat;
}
