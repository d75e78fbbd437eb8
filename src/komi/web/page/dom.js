/** Elements, each made in one expression. */

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: attributes by name, listeners as `onclick`, children as elements or texts. */
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for a part of a picture. */
export function shape(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** A picture from trusted markup that the page itself holds. */
export function picture(viewBox, markup, attributes = {}) {
  const drawn = shape("svg", { viewBox, "aria-hidden": "true", ...attributes });
  drawn.innerHTML = markup;
  return drawn;
}

/** What only a screen reader says. */
export function unseen(text) {
  return element("span", { class: "unseen" }, text);
}

/** A button that asks to be pressed twice: the second time it does what it says. */
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

let announcer = null;

/** Tell people who listen rather than look. */
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

export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}
