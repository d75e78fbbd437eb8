/** Shared drawings: chips, counters, dice, cars, animals, and the picture of each game. */

import { svgPicture } from "./dom.js";

// The shape on a chip or counter identifies its colour for colour-blind users.
/** @type {Record<string, string>} */
const MARKS = {
  red: '<rect x="-9" y="-3" width="18" height="6" rx="2"/>',
  orange: '<path d="M0-9 9 7H-9z"/>',
  green: '<circle r="7.5" class="mark-ring"/>',
};
/** @type {Record<string, string>} */
const CLASSES = { red: "stop", orange: "wait", green: "go" };

/**
 * @param {number} x
 * @param {number} y
 * @param {string} colour
 * @param {number} [size]
 */
const chipAt = (x, y, colour, size = 1) =>
  `<g transform="translate(${x} ${y}) scale(${size})" class="chip ${CLASSES[colour]}">` +
  `<circle r="20" class="chip-edge"/><circle r="15.5" class="chip-face"/><g class="mark">${MARKS[colour]}</g></g>`;

/**
 * @param {string} colour
 * @param {Page.Attributes} [attributes]
 */
export const chip = (colour, attributes) => svgPicture("-21 -21 42 42", chipAt(0, 0, colour), attributes);

/**
 * Return whether there is a drawing of a counter. Other counters are displayed as text.
 * @param {string} text
 */
export const isColour = (text) => text in MARKS;

/**
 * Draw what a word names, a colour as a chip, or return null for a word without a drawing.
 * @param {string} word
 */
export function drawingOf(word) {
  if (word === "pig") return svgPicture("0 0 62 36", PIG);
  return isColour(word) ? chip(word) : null;
}

const CAR =
  '<path class="car-body" d="M3 24c0-6 3-8 9-9l6-8c1-2 3-3 6-3h13c3 0 5 1 7 3l7 8c6 1 9 3 9 8v3c0 2-1 3-3 3H6c-2 0-3-1-3-3z"/>' +
  '<path class="car-glass" d="M21 15l4-6c1-1 2-2 4-2h1v8zM33 15V7h4c2 0 3 1 4 2l5 6z"/>' +
  '<circle class="car-tyre" cx="16" cy="29" r="6.5"/><circle class="car-hub" cx="16" cy="29" r="2.6"/>' +
  '<circle class="car-tyre" cx="47" cy="29" r="6.5"/><circle class="car-hub" cx="47" cy="29" r="2.6"/>' +
  '<path class="car-lamp" d="M58 19h3v4h-3z"/>';

const PIG =
  '<path class="pig-body" d="M9 21c-3 0-4-2-4-4 1 1 3 2 5 1 1-7 8-11 18-11 5 0 9 1 12 3l5-4 1 6c3 2 4 4 5 7h4v8h-5c-1 2-3 4-6 5v4h-6v-3H25v3h-6v-4C13 30 9 26 9 21z"/>' +
  '<circle class="pig-eye" cx="45" cy="17" r="1.8"/><path class="pig-snout" d="M50 19h5v8h-5z"/>';

const HEN =
  '<path class="hen-body" d="M6 14c6 5 12 6 18 3 6-3 10-5 13-11 2-4 9-5 12 0 2 4 1 10-1 16-3 9-11 14-21 14C16 36 6 28 6 14z"/>' +
  '<path class="hen-comb" d="M38 5c-1-4 2-6 4-3 1-4 5-3 5 0 3-1 4 3 2 5z"/><path class="hen-beak" d="M51 9l8 3-8 4z"/>' +
  '<circle class="hen-eye" cx="46" cy="10" r="1.9"/><path class="hen-wing" d="M17 22c5 6 12 6 17 0-1 7-5 10-9 10s-7-4-8-10z"/>';

/** @type {Record<string, string>} */
const TOKENS = { bag: CAR, die: PIG, "two-dice": PIG, coin: PIG, cards: HEN };

/**
 * Return the markup of the token that moves along the race track, 62 by 36.
 * @param {string} face
 */
export const tokenMarkup = (face) => TOKENS[face] ?? '<circle class="car-body" cx="31" cy="20" r="15"/>';

const HEN_CARD =
  '<ellipse class="hen-body" cx="50" cy="84" rx="27" ry="25"/><circle class="hen-body" cx="63" cy="50" r="17"/>' +
  '<path class="hen-comb" d="M54 36c-3-8 4-12 8-6 2-8 11-6 10 1 6-1 7 7 3 10z"/><path class="hen-beak" d="M78 48l15 5-15 6z"/>' +
  '<circle class="hen-eye" cx="67" cy="48" r="3"/><path class="hen-wing" d="M32 80c8 11 20 11 28 0-1 14-8 20-15 20s-12-8-13-20z"/>' +
  '<path class="hen-leg" d="M42 107v14M56 107v14"/>';

const WOLF_CARD =
  '<path class="wolf-fur" d="M18 30l8 26-6 18 14 8 16 38 16-38 14-8-6-18 8-26-20 14H38z"/>' +
  '<path class="wolf-muzzle" d="M38 78l12-10 12 10-12 34z"/><path class="wolf-nose" d="M44 102h12l-6 10z"/>' +
  '<path class="wolf-eye" d="M31 64l12 4-8 5zM69 64l-12 4 8 5z"/>';

const BACK_CARD =
  '<rect x="10" y="10" width="80" height="120" rx="6" class="back-line"/>' +
  '<path class="back-line" d="M30 44h40M30 70h40M30 96h40"/><circle cx="50" cy="70" r="15" class="back-sun"/>';

/** @type {Record<string, string>} */
const CARDS = { chicken: HEN_CARD, wolf: WOLF_CARD, back: BACK_CARD };

/**
 * Draw one side of a card.
 * @param {string} kind
 */
export const cardSide = (kind) => svgPicture("0 0 100 140", CARDS[kind], { class: `card-side card-${kind}` });

/** @type {Record<number, number[][]>} */
const PIPS = {
  1: [[50, 50]],
  2: [
    [27, 27],
    [73, 73],
  ],
  3: [
    [25, 25],
    [50, 50],
    [75, 75],
  ],
  4: [
    [27, 27],
    [73, 27],
    [27, 73],
    [73, 73],
  ],
  5: [
    [26, 26],
    [74, 26],
    [50, 50],
    [26, 74],
    [74, 74],
  ],
  6: [
    [28, 24],
    [72, 24],
    [28, 50],
    [72, 50],
    [28, 76],
    [72, 76],
  ],
};
/** @param {number} face */
const pips = (face) => PIPS[face].map(([x, y]) => `<circle cx="${x}" cy="${y}" r="9.5" class="pip"/>`).join("");

/**
 * Draw one side of a six-sided die.
 * @param {number} face
 */
export const dieSide = (face) => svgPicture("0 0 100 100", pips(face));

/**
 * Draw one side of a die with another number of sides.
 * @param {number} number
 */
export const dieNumber = (number) =>
  svgPicture("0 0 100 100", `<text x="50" y="66" text-anchor="middle" class="die-number">${Number(number)}</text>`);

const PIG_FACE =
  '<path class="pig-body" d="M22 30l4-18 16 8h16l16-8 4 18c6 8 8 16 8 24 0 20-16 32-36 32S14 74 14 54c0-8 2-16 8-24z"/>' +
  '<circle class="pig-eye" cx="36" cy="46" r="4"/><circle class="pig-eye" cx="64" cy="46" r="4"/>' +
  '<ellipse class="pig-snout" cx="50" cy="64" rx="17" ry="12"/><circle class="pig-eye" cx="44" cy="64" r="3"/><circle class="pig-eye" cx="56" cy="64" r="3"/>';
const PIG_TAIL = '<path class="coin-tail" d="M24 66c8 10 18 4 16-6s-16-8-14 4 22 12 28-4-8-20-12-10 12 18 30 6"/>';

/**
 * Draw one side of the coin: the pig's head or its tail.
 * @param {boolean} heads
 */
export const coinSide = (heads) =>
  svgPicture(
    "0 0 100 100",
    `<circle cx="50" cy="50" r="49" class="coin-rim"/><circle cx="50" cy="50" r="42" class="coin-plate"/>` +
      `<g transform="translate(13 13) scale(.74)">${heads ? PIG_FACE : PIG_TAIL}</g>`,
  );

/**
 * @param {number} x
 * @param {number} y
 * @param {number} turn
 * @param {number} face
 */
const littleDie = (x, y, turn, face) =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) translate(-38 -38) scale(.76)"><rect width="100" height="100" rx="20" class="die-body"/>${pips(face)}</g>`;
/**
 * @param {number} x
 * @param {number} y
 * @param {number} turn
 * @param {string} kind
 */
const littleCard = (x, y, turn, kind) =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) translate(-50 -70)" class="little-card"><rect width="100" height="140" rx="10" class="card-paper card-${kind}"/>${CARDS[kind]}</g>`;
const littleBoard = () => {
  const counters = ["red", "", "green", "", "orange", "", "green", "red", ""];
  return counters
    .map((colour, i) => {
      const x = 100 + 60 * (i % 3),
        y = 30 + 60 * Math.floor(i / 3);
      return (
        `<rect x="${x - 27}" y="${y - 27}" width="54" height="54" rx="9" class="board-square"/>` +
        (colour ? chipAt(x, y, colour) : "")
      );
    })
    .join("");
};

const littleHand = () =>
  ["red", "orange", "yellow", "green", "blue", "indigo", "violet"]
    .map(
      (colour, i) =>
        `<g transform="translate(160 190) rotate(${-36 + 12 * i}) translate(-26 -150)"><rect width="52" height="76" rx="7" class="fan-card fan-${colour}"/></g>`,
    )
    .join("");

const CAR_AT_LIGHTS =
  '<path class="road" d="M0 118h320v44H0z"/><path class="road-line" d="M0 140h320"/>' +
  `<g transform="translate(60 96) scale(1.35)" class="seat-0">${CAR}</g>` +
  '<rect x="222" y="14" width="42" height="98" rx="14" class="lights-case"/><path class="lights-pole" d="M243 112v30"/>' +
  '<circle cx="243" cy="35" r="11.5" class="lamp lamp-stop"/><circle cx="243" cy="63" r="11.5" class="lamp lamp-wait"/><circle cx="243" cy="91" r="11.5" class="lamp lamp-go lit"/>' +
  chipAt(40, 50, "green") +
  chipAt(84, 38, "green") +
  chipAt(128, 50, "red");

/**
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {number} [turn]
 */
const pigAt = (x, y, size, turn = 0) =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size}) translate(-31 -20)">${PIG}</g>`;
/**
 * @param {number} x
 * @param {number} y
 * @param {number} face
 * @param {number} [size]
 * @param {number} [turn]
 */
const smallDie = (x, y, face, size = 0.5, turn = 0) =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size}) translate(-50 -50)"><rect width="100" height="100" rx="20" class="die-body"/>${pips(face)}</g>`;
/**
 * @param {number[]} faces
 * @param {number} x
 * @param {number} y
 * @param {number} step
 * @param {number} size
 */
const dieRow = (faces, x, y, step, size) => faces.map((face, i) => smallDie(x + step * i, y, face, size)).join("");
/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} colour
 */
const bar = (x, y, width, height, colour) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="7" fill="${colour}"/>`;
/** @param {string} colour */
const ground = (colour) => `<rect width="320" height="180" fill="${colour}"/>`;
/**
 * @param {number} x
 * @param {number} y
 */
const rosette = (x, y) =>
  `<g transform="translate(${x} ${y})" fill="#f3c14d">${[0, 45, 90, 135].map((turn) => `<ellipse rx="15" ry="4.5" transform="rotate(${turn})"/>`).join("")}</g>`;
const urSquares = () =>
  [0, 1, 2]
    .flatMap((row) =>
      [0, 1, 2, 3, 6, 7].concat(row === 1 ? [4, 5] : []).map((column) => {
        const x = 42 + 34 * column,
          y = 56 + 34 * row;
        return (
          `<rect x="${x - 15}" y="${y - 15}" width="30" height="30" rx="4" fill="#e9d9b6"/>` +
          (([0, 6].includes(column) && row !== 1) || (column === 3 && row === 1) ? rosette(x, y) : "")
        );
      }),
    )
    .join("");
const SKUNK =
  '<path d="M70 128c-8-40 22-66 62-64 30 2 50 14 62 34l30 2c10 2 14 10 8 16l-20 12H70z" fill="#15181f"/>' +
  '<path d="M72 104c12-30 46-38 84-20-30-6-60-2-76 26z" fill="#f4f5f7"/><path d="M74 122C20 118 20 40 70 28c30-6 44 20 26 34-18 12-38 20-22 60z" fill="#15181f"/>' +
  '<path d="M62 108C34 92 40 52 72 42c-8 20-22 30-10 66z" fill="#f4f5f7"/><circle cx="208" cy="104" r="4" fill="#fff"/><path d="M92 126v16h16v-14zm70 0v16h16v-16z" fill="#15181f"/>';

/**
 * The picture of each built-in game.
 * @type {Record<string, string>}
 */
const SCENES = {
  "red-light": CAR_AT_LIGHTS,
  pig: littleDie(205, 92, -11, 5) + `<g transform="translate(54 62) scale(1.9)">${PIG}</g>`,
  "progressive-pig":
    ground("#1f5a6b") +
    bar(60, 130, 46, 34, "#3f8ea3") +
    bar(112, 108, 46, 56, "#57a9bd") +
    bar(164, 86, 46, 78, "#7cc4d4") +
    bar(216, 64, 46, 100, "#a8dfe9") +
    pigAt(240, 44, 1) +
    smallDie(84, 104, 1, 0.38, 8),
  "two-dice-pig": ground("#3b3f7a") + littleDie(110, 96, -12, 6) + littleDie(206, 84, 14, 5) + pigAt(272, 146, 0.8),
  "big-pig": ground("#7a2f4d") + pigAt(130, 96, 3.4) + smallDie(250, 60, 4, 0.56, 10) + smallDie(262, 128, 4, 0.56, -8),
  piglet:
    '<circle cx="160" cy="90" r="66" class="coin-rim"/><circle cx="160" cy="90" r="56" class="coin-plate"/>' +
    `<g transform="translate(111 42) scale(.98)">${PIG_FACE}</g>`,
  hog:
    ground("#2f4d2a") +
    dieRow([6, 4, 3, 5, 2], 56, 48, 52, 0.42) +
    dieRow([3, 6, 2, 4, 5], 56, 100, 52, 0.42) +
    dieRow([2, 5, 6], 108, 150, 52, 0.36),
  "pass-the-pigs": ground("#8a3d5a") + pigAt(100, 104, 2.1) + pigAt(224, 82, 2.1, 180),
  skunk: ground("#4b6b2e") + SKUNK + smallDie(268, 58, 1, 0.58, 10),
  "ten-thousand": ground("#7c2d22") + dieRow([1, 1, 1], 78, 62, 82, 0.66) + dieRow([5, 3, 6], 78, 132, 82, 0.66),
  farkle:
    ground("#234a73") +
    smallDie(62, 66, 1, 0.6, -14) +
    smallDie(132, 112, 5, 0.6, 22) +
    smallDie(190, 50, 1, 0.6, 6) +
    smallDie(250, 110, 2, 0.6, -20) +
    smallDie(70, 138, 6, 0.46, 30) +
    smallDie(272, 44, 3, 0.46, 12),
  "royal-game-of-ur":
    ground("#5a3a22") +
    urSquares() +
    '<circle cx="144" cy="90" r="10" fill="#15181f"/><circle cx="76" cy="56" r="10" fill="#fffaf0"/>',
  "risk-battle":
    ground("#8c1f24") +
    '<path d="M160 0h160v180H130z" fill="#20416e"/>' +
    dieRow([6], 66, 44, 0, 0.48) +
    dieRow([4], 76, 98, 0, 0.48) +
    dieRow([1], 66, 150, 0, 0.44) +
    dieRow([5], 244, 62, 0, 0.56) +
    dieRow([4], 236, 130, 0, 0.56),
  "risk-chain":
    ground("#33506b") +
    '<path d="M46 128C90 60 130 150 170 84s70 10 104-36" fill="none" stroke="#ffd98a" stroke-width="6" stroke-dasharray="10 9"/>' +
    [
      [46, 128, 26, "#c3272b"],
      [118, 104, 20, "#c3272b"],
      [176, 82, 17, "#8ecbff"],
      [230, 76, 17, "#8ecbff"],
      [276, 46, 17, "#8ecbff"],
    ]
      .map(
        ([x, y, r, colour]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${colour}" stroke="#fff" stroke-width="3"/>`,
      )
      .join(""),
  "pig-solitaire":
    ground("#2f6f68") +
    pigAt(104, 100, 2) +
    '<circle cx="232" cy="84" r="56" fill="#fffaf0" stroke="#123" stroke-width="6"/><path d="M232 84V48m0 36 26 16" stroke="#123" stroke-width="7" stroke-linecap="round"/>',
  think:
    ground("#4a3f78") +
    '<path d="M84 76c-6-40 60-58 84-30 30-22 84 2 74 38 22 24-8 54-40 44-22 22-66 18-76-6-40 6-62-24-42-46z" fill="#fffaf0"/><circle cx="78" cy="142" r="11" fill="#fffaf0"/><circle cx="56" cy="162" r="6" fill="#fffaf0"/>' +
    `<g opacity=".95">${smallDie(140, 84, 6, 0.44, -8).replace("die-body", "thought")}${smallDie(196, 88, 3, 0.44, 10).replace("die-body", "thought")}</g>`,
  hooligan:
    ground("#6b4a12") + [1, 2, 3, 4, 5].map((face, i) => smallDie(52 + 54 * i, 128 - 20 * i, face, 0.5)).join(""),
  yahtzee:
    ground("#a3271f") +
    dieRow([6, 6, 6, 6, 6], 48, 66, 56, 0.52) +
    [0, 1, 2, 3, 4, 5, 6].map((i) => bar(30 + 38 * i, 124, 32, 32, i < 4 ? "#fffaf0" : "#d9756c")).join(""),
  "fowl-play":
    littleCard(104, 104, -16, "chicken") + littleCard(160, 96, 0, "wolf") + littleCard(216, 104, 16, "chicken"),
  "traffic-lights": littleBoard(),
  red7: littleHand(),
};

/**
 * Generate a picture from a name. The same name gives the same picture.
 * @param {string} name
 */
function generatedScene(name) {
  const next = seededNumbers(name);
  const hue = next() % 360;
  /** @type {((x: number, y: number, turn: number, colour: string) => string)[]} */
  const shapes = [
    (x, y, turn) => smallDie(x, y, 1 + (next() % 6), 0.66, turn),
    (x, y, turn, colour) =>
      `<g transform="translate(${x} ${y}) rotate(${turn})"><rect x="-28" y="-40" width="56" height="80" rx="8" fill="#fffaf0"/><circle r="15" fill="${colour}"/></g>`,
    (x, y, turn, colour) => `<circle cx="${x}" cy="${y}" r="32" fill="${colour}" stroke="#fffaf0" stroke-width="6"/>`,
    (x, y, turn, colour) =>
      `<g transform="translate(${x} ${y}) rotate(${turn / 3})" fill="${colour}" stroke="#fffaf0" stroke-width="5"><circle cy="-24" r="17"/><path d="M-26 40c2-34 10-44 26-44s24 10 26 44z"/></g>`,
  ];
  const shown = [66, 160, 254].map((x) =>
    shapes[next() % shapes.length](
      x,
      74 + (next() % 34),
      (next() % 40) - 20,
      `hsl(${(hue + 120 + (next() % 120)) % 360} 75% 62%)`,
    ),
  );
  return ground(`hsl(${hue} 42% 30%)`) + shown.join("");
}

/**
 * Create a generator of pseudo-random numbers with a text as its seed (FNV-1a, then xorshift).
 * @param {string} text
 */
function seededNumbers(text) {
  let state =
    [...text].reduce((hash, letter) => Math.imul(hash ^ letter.codePointAt(0), 16777619) >>> 0, 2166136261) || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state >>> 3;
  };
}

/**
 * Draw the picture on the card of a game.
 * @param {{ name: string }} game
 */
export function sceneOf({ name }) {
  return svgPicture("0 0 320 180", SCENES[name] ?? generatedScene(name), {
    class: "scene",
    preserveAspectRatio: "xMidYMid slice",
  });
}
