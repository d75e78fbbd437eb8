/** The person's chance of winning from the first step of a game to its last, to run along with the finger or keys. */

import { element, shape } from "./dom.js";
import { percent } from "./words.js";

const WIDE = 640;
const NARROW = 330; // on a phone, so that the words stay as large
const HEIGHT = 220;
const LEFT = 46;
const BOTTOM = 26;
const TOP = 10;

/** `describe` says what happened last after so many steps; `go` shows the table as it was then. */
export function curveSection({ start, curve: chances, worst }, describe, go) {
  const curve = [{ steps: 0, chance: start }, ...chances.map(({ number, chance }) => ({ steps: number + 1, chance }))];
  const most = curve.at(-1).steps;
  const width = matchMedia("(max-width: 640px)").matches ? NARROW : WIDE;
  const x = (steps) => LEFT + ((width - LEFT - 10) * steps) / most;
  const y = (chance) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance);
  const marker = shape("g", { class: "curve-marker" }, shape("path", { d: `M0 ${TOP}V${HEIGHT - BOTTOM}` }), shape("circle", { r: 6 }));
  const readout = element("output", { class: "curve-readout" });
  const slider = element("input", { type: "range", min: 0, max: curve.length - 1, value: curve.length - 1, "aria-label": "Step of the game" });
  const look = () => {
    const { steps, chance } = curve[Number(slider.value)];
    marker.setAttribute("transform", `translate(${x(steps)} 0)`);
    marker.querySelector("circle").setAttribute("cy", y(chance));
    readout.textContent = `${describe(steps)} ${percent(chance)}`;
    slider.setAttribute("aria-valuetext", readout.textContent);
  };
  slider.addEventListener("input", () => {
    look();
    go(curve[Number(slider.value)].steps);
  });
  look();
  const path = `M${curve.map(({ steps, chance }) => `${x(steps).toFixed(1)} ${y(chance).toFixed(1)}`).join("L")}`;
  const worstPoint = curve.find(({ steps }) => steps === worst);
  return element("section", { class: "panel curve", "aria-labelledby": "curve-title" },
    element("h2", { id: "curve-title" }, "Your chance of winning"),
    shape("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, "aria-hidden": "true" },
      [0, 0.25, 0.5, 0.75, 1].map((chance) => shape("g", { class: chance === 0.5 ? "even" : "rule" },
        shape("path", { d: `M${LEFT} ${y(chance)}H${width - 10}` }),
        shape("text", { x: LEFT - 8, y: y(chance) + 4, "text-anchor": "end" }, `${100 * chance} %`))),
      shape("path", { class: "curve-area", d: `${path}L${x(most)} ${y(0)}L${x(0)} ${y(0)}Z` }),
      shape("path", { class: "curve-line", d: path }),
      worstPoint && shape("g", { class: "curve-worst", transform: `translate(${x(worst)} ${y(worstPoint.chance)})` },
        shape("path", { d: "M0-9 8 5H-8z" })),
      marker),
    slider, readout,
    element("p", { class: "small" }, worstPoint ? "The triangle is your costliest decision. Move along the curve to see the table as it was." :
      "Move along the curve to see the table as it was."));
}
