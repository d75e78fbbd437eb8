/** Elements, each made in one expression. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element: attributes by name, listeners as `onclick`, children as elements or texts.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Page.Attributes} [attributes]
 * @param {...Page.Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * The same for a part of a picture.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Page.Attributes} [attributes]
 * @param {...Page.Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function shape(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * A picture from trusted markup that the page itself holds.
 * @param {string} viewBox
 * @param {string} markup
 * @param {Page.Attributes} [attributes]
 */
export function picture(viewBox, markup, attributes = {}) {
  const drawn = shape("svg", { viewBox, "aria-hidden": "true", ...attributes });
  drawn.innerHTML = markup;
  return drawn;
}

/**
 * What only a screen reader says.
 * @param {string} text
 */
export function unseen(text) {
  return element("span", { class: "unseen" }, text);
}

/**
 * A button that asks to be pressed twice: the second time it does what it says.
 * @param {string} words
 * @param {string} sureWords
 * @param {() => unknown} act
 * @param {Page.Attributes} [attributes]
 */
export function sureButton(words, sureWords, act, attributes = {}) {
  const button = element("button", { type: "button", class: "quiet", ...attributes }, words);
  let isSure = false;
  button.addEventListener("blur", () => {
    isSure = false;
    button.textContent = words;
  });
  button.addEventListener("click", () => {
    if (isSure) act();
    isSure = !isSure;
    button.textContent = isSure ? sureWords : words;
  });
  return button;
}

/** @type {HTMLElement | null} */
let announcer = null;

/**
 * Tell people who listen rather than look.
 * @param {string} sentence
 */
export function announce(sentence) {
  announcer ??= document.getElementById("announcer");
  announcer.textContent = announcer.textContent === sentence ? `${sentence}\u00a0` : sentence;
}

/** The data attributes of the element that has the focus. */
export function focusedData() {
  return document.activeElement instanceof HTMLElement ? document.activeElement.dataset : {};
}

/** True if the person prefers reduced motion. */
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @param {number} milliseconds */
export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * @template {Element} T
 * @param {T} made
 * @param {Page.Attributes} attributes
 * @param {Page.Child[]} children
 */
function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  const all = /** @type {any[]} */ (children).flat(Infinity);
  made.append(...all.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}
