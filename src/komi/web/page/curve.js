/** The person's chance of winning from the first step of a game to its last, to run along with the finger or keys. */

import { element, shape } from "./dom.js";
import { numeral, t } from "./language.js";

const WIDE = 640;
const NARROW = 330; // on a phone, so that the words stay as large
const HEIGHT = 220;
const LEFT = 46;
const BOTTOM = 26;
const TOP = 10;

/**
 * `describe` says what happened last after so many steps; `go` shows the table as it was then.
 * @param {Api.ReviewResponse} review
 * @param {Page.Measure} measure
 * @param {(steps: number) => string} describe
 * @param {(steps: number) => void} go
 */
export function curveSection({ start, curve: chances, worst }, measure, describe, go) {
  const curve = [{ steps: 0, chance: start }, ...chances.map(({ number, chance }) => ({ steps: number + 1, chance }))];
  const most = curve.at(-1).steps;
  const width = matchMedia("(max-width: 640px)").matches ? NARROW : WIDE;
  /** @param {number} steps */
  const x = (steps) => LEFT + ((width - LEFT - 10) * steps) / most;
  const [low, high] = measure.isChance ? [0, 1] : rounded(curve.map(({ chance }) => chance));
  /** @param {number} chance */
  const y = (chance) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (chance - low) / (high - low));
  const marker = shape(
    "g",
    { class: "curve-marker" },
    shape("path", { d: `M0 ${TOP}V${HEIGHT - BOTTOM}` }),
    shape("circle", { r: 6 }),
  );
  const readout = element("output", { class: "curve-readout" });
  const slider = element("input", {
    type: "range",
    min: 0,
    max: curve.length - 1,
    value: curve.length - 1,
    "aria-label": t`Step of the game`,
  });
  const update = () => {
    const { steps, chance } = curve[Number(slider.value)];
    marker.setAttribute("transform", `translate(${x(steps)} 0)`);
    marker.querySelector("circle").setAttribute("cy", String(y(chance)));
    readout.textContent = `${describe(steps)} ${measure.tell(chance)}`;
    slider.setAttribute("aria-valuetext", readout.textContent);
  };
  slider.addEventListener("input", () => {
    update();
    go(curve[Number(slider.value)].steps);
  });
  update();
  /** @param {PointerEvent} event */
  const runTo = ({ clientX }) => {
    const { left, width: shown } = plot.getBoundingClientRect();
    const share = ((clientX - left) * (width / shown) - LEFT) / (width - LEFT - 10);
    const wanted = Math.min(Math.max(share, 0), 1) * most;
    const nearest = curve.reduce(
      (best, { steps }, i) => (Math.abs(steps - wanted) < Math.abs(curve[best].steps - wanted) ? i : best),
      0,
    );
    slider.value = String(nearest);
    slider.dispatchEvent(new Event("input"));
  };
  const path = `M${curve.map(({ steps, chance }) => `${x(steps).toFixed(1)} ${y(chance).toFixed(1)}`).join("L")}`;
  const worstPoint = curve.find(({ steps }) => steps === worst);
  /** @type {SVGSVGElement} */
  const plot = shape(
    "svg",
    {
      viewBox: `0 0 ${width} ${HEIGHT}`,
      "aria-hidden": "true",
      onpointerdown: (event) => {
        plot.setPointerCapture(event.pointerId);
        runTo(event);
      },
      onpointermove: (event) => plot.hasPointerCapture(event.pointerId) && runTo(event),
    },
    [0, 0.25, 0.5, 0.75, 1]
      .map((share) => [share, low + share * (high - low)])
      .map(([share, chance]) =>
        shape(
          "g",
          { class: share === 0.5 ? "even" : "rule" },
          shape("path", { d: `M${LEFT} ${y(chance)}H${width - 10}` }),
          shape(
            "text",
            { x: LEFT - 8, y: y(chance) + 4, "text-anchor": "end" },
            measure.isChance ? `${100 * chance} %` : numeral(chance, 1),
          ),
        ),
      ),
    shape("path", { class: "curve-area", d: `${path}L${x(most)} ${y(low)}L${x(0)} ${y(low)}Z` }),
    shape("path", { class: "curve-line", d: path }),
    worstPoint &&
      shape(
        "g",
        { class: "curve-worst", transform: `translate(${x(worst)} ${y(worstPoint.chance)})` },
        shape("path", { d: "M0-9 8 5H-8z" }),
      ),
    marker,
  );
  return element(
    "section",
    { class: "panel curve", "aria-labelledby": "curve-title" },
    element("h2", { id: "curve-title" }, measure.title),
    plot,
    slider,
    readout,
    element(
      "p",
      { class: "small" },
      worstPoint
        ? t`The triangle marks your costliest decision. Select a point on the curve to see the table at that step.`
        : t`Select a point on the curve to see the table at that step.`,
    ),
  );
}

/**
 * Round ends for an axis that all of these fit on.
 * @param {number[]} values
 */
function rounded(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = 10 ** Math.floor(Math.log10(Math.max(most - least, 1)));
  return [Math.floor(least / step) * step, (Math.floor(most / step) + 1) * step];
}
