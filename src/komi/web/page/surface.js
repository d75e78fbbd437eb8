/** A surface over two axes, drawn on a canvas: its patches from the farthest to the nearest. */

import { t } from "./language.js";

const MAX_PATCHES = 34; // along each axis
const COLOURS = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
]; // viridis
const HEIGHT = 0.62; // of the box, its sides being 1
const PIN = "#ff5a3c";
const MIN_TILT = 0.15;
const MAX_TILT = 1.35;

export class Surface {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.yaw = -0.7;
    this.tilt = 0.6;
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /**
   * What the server knows of it: x, y {field, values}, z[of y][of x], and the present state.
   * @param {Api.SurfaceResponse} surface
   */
  show({ x, y, z, now }) {
    this.x = x;
    this.y = y;
    this.now = now;
    this.most = Math.max(1, ...z.flat().filter((value) => value !== null));
    this.columns = thinned(x.values.length);
    this.rows = thinned(y.values.length);
    this.heights = this.rows.map((row) => this.columns.map((column) => z[row][column]));
    this.draw();
  }

  /**
   * @param {number} yaw
   * @param {number} tilt
   */
  turn(yaw, tilt) {
    this.yaw += yaw;
    this.tilt = Math.min(Math.max(this.tilt + tilt, MIN_TILT), MAX_TILT);
    this.draw();
  }

  draw() {
    if (!this.heights || this.canvas.clientWidth === 0) return;
    this.fit();
    this.floor();
    this.patches()
      .sort((a, b) => b.depth - a.depth)
      .forEach((patch) => this.fill(patch));
    this.mark();
    this.scales();
  }

  fit() {
    const { canvas, pen } = this;
    const ratio = globalThis.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const pixels = [width, height].map((length) => Math.round(length * ratio));
    if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) [canvas.width, canvas.height] = pixels;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    this.scale = Math.min(width * 0.5, height * 0.68);
    this.middle = [width / 2, height * 0.52];
    const style = getComputedStyle(canvas);
    this.ink = style.color;
    this.paper = style.backgroundColor;
    this.letters = `${Math.min(Math.max(width / 34, 12), 20)}px ${style.fontFamily}`;
  }

  /**
   * From the box, 0 to 1 each way, to the canvas: [right, down, depth].
   * @param {number} across
   * @param {number} along
   * @param {number} up
   */
  project(across, along, up) {
    const [sine, cosine] = [Math.sin(this.yaw), Math.cos(this.yaw)];
    const right = (across - 0.5) * cosine - (along - 0.5) * sine;
    const away = (across - 0.5) * sine + (along - 0.5) * cosine;
    const [steep, flat] = [Math.sin(this.tilt), Math.cos(this.tilt)];
    const depth = away * flat - (up - HEIGHT / 2) * steep;
    const nearness = 1 / (1 + 0.22 * depth);
    return [
      this.middle[0] + this.scale * right * nearness,
      this.middle[1] - this.scale * ((up - HEIGHT / 2) * flat + away * steep) * nearness,
      depth,
    ];
  }

  floor() {
    const { pen } = this;
    const corners = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ].map(([across, along]) => this.project(across, along, 0));
    this.outline(corners);
    pen.strokeStyle = this.ink;
    pen.globalAlpha = 0.35;
    pen.lineWidth = 1;
    pen.stroke();
    pen.globalAlpha = 1;
  }

  /** The axes with their scales: the floor's along the edges that are nearest, the height's at the corner farthest left. */
  scales() {
    /**
     * @param {number} across
     * @param {number} along
     */
    const near = (across, along) => this.project(across, along, 0)[2];
    const along = near(0.5, 0) < near(0.5, 1) ? 0 : 1;
    const across = near(0, 0.5) < near(1, 0.5) ? 0 : 1;
    /**
     * @param {number} edge
     * @param {number} far
     */
    const out = (edge, far) => (edge === 0 ? -far : 1 + far);
    for (const value of ticks(this.x.values)) this.name(value, this.project(share(this.x, value), out(along, 0.07), 0));
    for (const value of ticks(this.y.values))
      this.name(value, this.project(out(across, 0.07), share(this.y, value), 0));
    this.name(this.x.field, this.project(0.5, out(along, 0.2), 0), "bold");
    this.name(this.y.field, this.project(out(across, 0.2), 0.5, 0), "bold");
    /** @type {[number, number][]} */
    const corners = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ];
    const [left] = corners.toSorted((one, other) => this.project(...one, 0)[0] - this.project(...other, 0)[0]);
    this.line(this.project(...left, 0), this.project(...left, HEIGHT), 1);
    for (const value of ticks([0, this.most])) {
      const [right, down] = this.project(...left, (HEIGHT * value) / this.most);
      this.name(value, [right - 18, down]);
    }
    const [right, down] = this.project(...left, HEIGHT);
    this.name(t`hold at`, [right, down - 20], "bold");
  }

  /**
   * A word or a number that is legible on whatever lies behind it.
   * @param {number | string} text
   * @param {number[]} place
   */
  name(text, [right, down], weight = "600") {
    const { pen } = this;
    pen.font = `${weight} ${this.letters}`;
    pen.textAlign = "center";
    pen.lineJoin = "round";
    pen.lineWidth = 4;
    pen.strokeStyle = this.paper;
    pen.strokeText(String(text), right, down + 4);
    pen.fillStyle = this.ink;
    pen.fillText(String(text), right, down + 4);
  }

  patches() {
    const found = [];
    const [last, deepest] = [this.columns.length - 1, this.rows.length - 1];
    for (let row = 0; row < deepest; row++) {
      for (let column = 0; column < last; column++) {
        const around = [
          [row, column],
          [row, column + 1],
          [row + 1, column + 1],
          [row + 1, column],
        ];
        const heights = around.map(([r, c]) => this.heights[r][c]);
        if (heights.includes(null)) continue;
        const corners = around.map(([r, c], i) =>
          this.project(c / last, r / deepest, (HEIGHT * heights[i]) / this.most),
        );
        const depth = corners.reduce((sum, corner) => sum + corner[2], 0) / 4;
        found.push({ corners, depth, colour: this.colour(heights) });
      }
    }
    return found;
  }

  /**
   * By height, darker where it falls away.
   * @param {number[]} heights of the corners
   */
  colour([a, b, c, d]) {
    const share = ((a + b + c + d) / 4 / this.most) * (COLOURS.length - 1);
    const low = Math.min(Math.floor(share), COLOURS.length - 2);
    const slope = (b + c - a - d) / this.most;
    const light = 1 - Math.min(Math.max(slope * 1.4, -0.18), 0.3);
    const mixed = COLOURS[low].map((part, i) => (part + (COLOURS[low + 1][i] - part) * (share - low)) * light);
    return `rgb(${mixed.map((part) => Math.min(255, Math.round(part))).join(" ")})`;
  }

  /** @param {{ corners: number[][], colour: string }} patch */
  fill({ corners, colour }) {
    const { pen } = this;
    this.outline(corners);
    pen.fillStyle = pen.strokeStyle = colour;
    pen.fill();
    pen.lineWidth = 0.7;
    pen.stroke();
    pen.strokeStyle = "rgb(255 255 255 / .22)";
    pen.stroke();
  }

  /** @param {number[][]} corners */
  outline(corners) {
    this.pen.beginPath();
    corners.forEach(([right, down], i) => (i === 0 ? this.pen.moveTo(right, down) : this.pen.lineTo(right, down)));
    this.pen.closePath();
  }

  /** A pin where the game is now, its head as high as the points at risk. */
  mark() {
    const { pen, x, y, now } = this;
    const [across, along] = [share(x, now.x), share(y, now.y)];
    const foot = this.project(across, along, 0);
    const head = this.project(across, along, HEIGHT * Math.min(now.z / this.most, 1.1));
    const top = this.project(across, along, HEIGHT * 1.1);
    this.line(foot, top, 1.2);
    this.line(foot, head, 4);
    pen.beginPath();
    pen.arc(head[0], head[1], 7, 0, 2 * Math.PI);
    pen.fillStyle = PIN;
    pen.fill();
    pen.lineWidth = 2;
    pen.strokeStyle = "#fff";
    pen.stroke();
  }

  /**
   * @param {number[]} from
   * @param {number[]} to
   * @param {number} width
   */
  line(from, to, width) {
    const { pen } = this;
    pen.strokeStyle = this.ink;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(from[0], from[1]);
    pen.lineTo(to[0], to[1]);
    pen.stroke();
  }
}

/**
 * Where a value lies on its axis, from 0 to 1.
 * @param {Api.AxisView} axis
 * @param {number} value
 */
function share({ values }, value) {
  return (value - values[0]) / Math.max(values.at(-1) - values[0], 1);
}

/**
 * Four round numbers or so within a range.
 * @param {number[]} values
 */
function ticks(values) {
  const [low, high] = [values[0], values.at(-1)];
  const rough = Math.max((high - low) / 4, 1);
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * unit).find((each) => each >= rough);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) found.push(value);
  return found;
}

/**
 * At most so many places of a long axis, its ends among them.
 * @param {number} length
 */
function thinned(length) {
  const count = Math.min(length, MAX_PATCHES + 1);
  return Array.from({ length: count }, (_, i) => Math.round((i * (length - 1)) / Math.max(count - 1, 1)));
}
