/** Helpers that create elements and announce messages to screen readers. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Create an HTML element. Attributes whose names start with `on` are event listeners; children are nodes or texts.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Page.Attributes} [attributes]
 * @param {...Page.Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * Create an SVG element, with the same parameters as `element`.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Page.Attributes} [attributes]
 * @param {...Page.Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svgElement(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Create an SVG image from trusted markup.
 * @param {string} viewBox
 * @param {string} markup
 * @param {Page.Attributes} [attributes]
 */
export function svgPicture(viewBox, markup, attributes = {}) {
  const svg = svgElement("svg", { viewBox, "aria-hidden": "true", ...attributes });
  svg.innerHTML = markup;
  return svg;
}

/**
 * Create a text that only screen readers output.
 * @param {string} text
 */
export function screenReaderText(text) {
  return element("span", { class: "unseen" }, text);
}

/**
 * Create a button that acts on the second press. The first press changes its label to `confirmLabel`.
 * @param {string} label
 * @param {string} confirmLabel
 * @param {() => unknown} onConfirm
 * @param {Page.Attributes} [attributes]
 */
export function confirmButton(label, confirmLabel, onConfirm, attributes = {}) {
  const button = element("button", { type: "button", class: "quiet", ...attributes }, label);
  let isArmed = false;
  button.addEventListener("blur", () => {
    isArmed = false;
    button.textContent = label;
  });
  button.addEventListener("click", () => {
    if (isArmed) onConfirm();
    isArmed = !isArmed;
    button.textContent = isArmed ? confirmLabel : label;
  });
  return button;
}

/** @type {HTMLElement | null} */
let announcer = null;

/**
 * Announce a sentence to screen readers.
 * @param {string} sentence
 */
export function announce(sentence) {
  announcer ??= document.getElementById("announcer");
  announcer.textContent = announcer.textContent === sentence ? `${sentence}\u00a0` : sentence;
}

/** Return the data attributes of the focused element. */
export function focusedData() {
  return document.activeElement instanceof HTMLElement ? document.activeElement.dataset : {};
}

/** Return whether the user prefers reduced motion. */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Resolve after some time.
 * @param {number} milliseconds
 */
export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * @template {Element} T
 * @param {T} node
 * @param {Page.Attributes} attributes
 * @param {Page.Child[]} children
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  const all = /** @type {any[]} */ (children).flat(Infinity);
  node.append(...all.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}
