/** The curve of a player's chance of winning over the steps of a game, with a slider. */

import { element, svgElement } from "./dom.js";
import { formatNumber, t } from "./language.js";

const WIDTH = 640;
const PHONE_WIDTH = 330; // keeps the labels legible on a phone
const HEIGHT = 220;
const MARGIN_LEFT = 46;
const MARGIN_BOTTOM = 26;
const MARGIN_TOP = 10;

/**
 * Create the panel with the curve. `describe` names the last event after some number of steps; `onSelect` is called with the
 * selected number of steps.
 * @param {Api.ReviewResponse} review
 * @param {Page.Measure} measure
 * @param {(steps: number) => string} describe
 * @param {(steps: number) => void} onSelect
 */
export function curveSection({ start, curve: chances, worst }, measure, describe, onSelect) {
  const curve = [{ steps: 0, chance: start }, ...chances.map(({ number, chance }) => ({ steps: number + 1, chance }))];
  const maxSteps = curve.at(-1).steps;
  const width = matchMedia("(max-width: 640px)").matches ? PHONE_WIDTH : WIDTH;
  /** @param {number} steps */
  const x = (steps) => MARGIN_LEFT + ((width - MARGIN_LEFT - 10) * steps) / maxSteps;
  const [low, high] = measure.isChance ? [0, 1] : roundRange(curve.map(({ chance }) => chance));
  /** @param {number} chance */
  const y = (chance) => MARGIN_TOP + (HEIGHT - MARGIN_TOP - MARGIN_BOTTOM) * (1 - (chance - low) / (high - low));
  const marker = svgElement(
    "g",
    { class: "curve-marker" },
    svgElement("path", { d: `M0 ${MARGIN_TOP}V${HEIGHT - MARGIN_BOTTOM}` }),
    svgElement("circle", { r: 6 }),
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
    readout.textContent = `${describe(steps)} ${measure.format(chance)}`;
    slider.setAttribute("aria-valuetext", readout.textContent);
  };
  slider.addEventListener("input", () => {
    update();
    onSelect(curve[Number(slider.value)].steps);
  });
  update();
  /** @param {PointerEvent} event */
  const selectAt = ({ clientX }) => {
    const { left, width: shown } = plot.getBoundingClientRect();
    const share = ((clientX - left) * (width / shown) - MARGIN_LEFT) / (width - MARGIN_LEFT - 10);
    const target = Math.min(Math.max(share, 0), 1) * maxSteps;
    const nearest = curve.reduce(
      (best, { steps }, i) => (Math.abs(steps - target) < Math.abs(curve[best].steps - target) ? i : best),
      0,
    );
    slider.value = String(nearest);
    slider.dispatchEvent(new Event("input"));
  };
  const path = `M${curve.map(({ steps, chance }) => `${x(steps).toFixed(1)} ${y(chance).toFixed(1)}`).join("L")}`;
  const worstPoint = curve.find(({ steps }) => steps === worst);
  /** @type {SVGSVGElement} */
  const plot = svgElement(
    "svg",
    {
      viewBox: `0 0 ${width} ${HEIGHT}`,
      "aria-hidden": "true",
      onpointerdown: (event) => {
        plot.setPointerCapture(event.pointerId);
        selectAt(event);
      },
      onpointermove: (event) => plot.hasPointerCapture(event.pointerId) && selectAt(event),
    },
    [0, 0.25, 0.5, 0.75, 1]
      .map((share) => [share, low + share * (high - low)])
      .map(([share, chance]) =>
        svgElement(
          "g",
          { class: share === 0.5 ? "even" : "rule" },
          svgElement("path", { d: `M${MARGIN_LEFT} ${y(chance)}H${width - 10}` }),
          svgElement(
            "text",
            { x: MARGIN_LEFT - 8, y: y(chance) + 4, "text-anchor": "end" },
            measure.isChance ? `${100 * chance} %` : formatNumber(chance, 1),
          ),
        ),
      ),
    svgElement("path", { class: "curve-area", d: `${path}L${x(maxSteps)} ${y(low)}L${x(0)} ${y(low)}Z` }),
    svgElement("path", { class: "curve-line", d: path }),
    worstPoint &&
      svgElement(
        "g",
        { class: "curve-worst", transform: `translate(${x(worst)} ${y(worstPoint.chance)})` },
        svgElement("path", { d: "M0-9 8 5H-8z" }),
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
 * Return a range with round ends that contains all values.
 * @param {number[]} values
 */
function roundRange(values) {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const step = 10 ** Math.floor(Math.log10(Math.max(max - min, 1)));
  return [Math.floor(min / step) * step, (Math.floor(max / step) + 1) * step];
}
