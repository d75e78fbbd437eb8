/** A surface plot on a canvas, drawn with the painter's algorithm (patches from the farthest to the nearest). */

import { t } from "./language.js";

const MAX_PATCHES = 34; // along each axis
const COLOURS = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
]; // viridis
const HEIGHT = 0.62; // of the box, relative to its sides
const PIN_COLOUR = "#ff5a3c";
const MIN_TILT = 0.15;
const MAX_TILT = 1.35;

export class Surface {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.yaw = -0.7;
    this.tilt = 0.6;
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /**
   * Show a surface: the axes x and y {field, values}, the heights z[row of y][column of x], and the current state.
   * @param {Api.SurfaceResponse} surface
   */
  show({ x, y, z, now }) {
    this.x = x;
    this.y = y;
    this.now = now;
    this.maxHeight = Math.max(1, ...z.flat().filter((value) => value !== null));
    this.columns = sampledIndices(x.values.length);
    this.rows = sampledIndices(y.values.length);
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
    this.resizeCanvas();
    this.drawFloor();
    this.patches()
      .sort((a, b) => b.depth - a.depth)
      .forEach((patch) => this.fillPatch(patch));
    this.drawPin();
    this.drawAxes();
  }

  resizeCanvas() {
    const { canvas, context } = this;
    const ratio = globalThis.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const pixels = [width, height].map((length) => Math.round(length * ratio));
    if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) [canvas.width, canvas.height] = pixels;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.scale = Math.min(width * 0.5, height * 0.68);
    this.middle = [width / 2, height * 0.52];
    const style = getComputedStyle(canvas);
    this.ink = style.color;
    this.paper = style.backgroundColor;
    this.font = `${Math.min(Math.max(width / 34, 12), 20)}px ${style.fontFamily}`;
  }

  /**
   * Project a point of the unit box onto the canvas, as [right, down, depth].
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

  drawFloor() {
    const { context } = this;
    const corners = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ].map(([across, along]) => this.project(across, along, 0));
    this.outline(corners);
    context.strokeStyle = this.ink;
    context.globalAlpha = 0.35;
    context.lineWidth = 1;
    context.stroke();
    context.globalAlpha = 1;
  }

  /** Draw the axes: those of the floor along its nearest edges, the vertical one at the leftmost corner. */
  drawAxes() {
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
    const outside = (edge, far) => (edge === 0 ? -far : 1 + far);
    for (const value of ticks(this.x.values))
      this.label(value, this.project(fraction(this.x, value), outside(along, 0.07), 0));
    for (const value of ticks(this.y.values))
      this.label(value, this.project(outside(across, 0.07), fraction(this.y, value), 0));
    this.label(this.x.field, this.project(0.5, outside(along, 0.2), 0), "bold");
    this.label(this.y.field, this.project(outside(across, 0.2), 0.5, 0), "bold");
    /** @type {[number, number][]} */
    const corners = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ];
    const [left] = corners.toSorted((one, other) => this.project(...one, 0)[0] - this.project(...other, 0)[0]);
    this.drawLine(this.project(...left, 0), this.project(...left, HEIGHT), 1);
    for (const value of ticks([0, this.maxHeight])) {
      const [right, down] = this.project(...left, (HEIGHT * value) / this.maxHeight);
      this.label(value, [right - 18, down]);
    }
    const [right, down] = this.project(...left, HEIGHT);
    this.label(t`hold at`, [right, down - 20], "bold");
  }

  /**
   * Draw a label with an outline, which keeps it legible on any background.
   * @param {number | string} text
   * @param {number[]} point
   */
  label(text, [right, down], weight = "600") {
    const { context } = this;
    context.font = `${weight} ${this.font}`;
    context.textAlign = "center";
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = this.paper;
    context.strokeText(String(text), right, down + 4);
    context.fillStyle = this.ink;
    context.fillText(String(text), right, down + 4);
  }

  patches() {
    const result = [];
    const [lastColumn, lastRow] = [this.columns.length - 1, this.rows.length - 1];
    for (let row = 0; row < lastRow; row++) {
      for (let column = 0; column < lastColumn; column++) {
        const cells = [
          [row, column],
          [row, column + 1],
          [row + 1, column + 1],
          [row + 1, column],
        ];
        const heights = cells.map(([r, c]) => this.heights[r][c]);
        if (heights.includes(null)) continue;
        const corners = cells.map(([r, c], i) =>
          this.project(c / lastColumn, r / lastRow, (HEIGHT * heights[i]) / this.maxHeight),
        );
        const depth = corners.reduce((sum, corner) => sum + corner[2], 0) / 4;
        result.push({ corners, depth, colour: this.colour(heights) });
      }
    }
    return result;
  }

  /**
   * Return the colour of a patch: by height, shaded by slope.
   * @param {number[]} heights of the corners
   */
  colour([a, b, c, d]) {
    const fraction = ((a + b + c + d) / 4 / this.maxHeight) * (COLOURS.length - 1);
    const low = Math.min(Math.floor(fraction), COLOURS.length - 2);
    const slope = (b + c - a - d) / this.maxHeight;
    const light = 1 - Math.min(Math.max(slope * 1.4, -0.18), 0.3);
    const mixed = COLOURS[low].map((part, i) => (part + (COLOURS[low + 1][i] - part) * (fraction - low)) * light);
    return `rgb(${mixed.map((part) => Math.min(255, Math.round(part))).join(" ")})`;
  }

  /** @param {{ corners: number[][], colour: string }} patch */
  fillPatch({ corners, colour }) {
    const { context } = this;
    this.outline(corners);
    context.fillStyle = context.strokeStyle = colour;
    context.fill();
    context.lineWidth = 0.7;
    context.stroke();
    context.strokeStyle = "rgb(255 255 255 / .22)";
    context.stroke();
  }

  /** @param {number[][]} corners */
  outline(corners) {
    this.context.beginPath();
    corners.forEach(([right, down], i) =>
      i === 0 ? this.context.moveTo(right, down) : this.context.lineTo(right, down),
    );
    this.context.closePath();
  }

  /** Draw a pin at the current state. The height of its head shows the points at risk. */
  drawPin() {
    const { context, x, y, now } = this;
    const [across, along] = [fraction(x, now.x), fraction(y, now.y)];
    const foot = this.project(across, along, 0);
    const head = this.project(across, along, HEIGHT * Math.min(now.z / this.maxHeight, 1.1));
    const top = this.project(across, along, HEIGHT * 1.1);
    this.drawLine(foot, top, 1.2);
    this.drawLine(foot, head, 4);
    context.beginPath();
    context.arc(head[0], head[1], 7, 0, 2 * Math.PI);
    context.fillStyle = PIN_COLOUR;
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = "#fff";
    context.stroke();
  }

  /**
   * @param {number[]} from
   * @param {number[]} to
   * @param {number} width
   */
  drawLine(from, to, width) {
    const { context } = this;
    context.strokeStyle = this.ink;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(from[0], from[1]);
    context.lineTo(to[0], to[1]);
    context.stroke();
  }
}

/**
 * Return the position of a value on its axis, from 0 to 1.
 * @param {Api.AxisView} axis
 * @param {number} value
 */
function fraction({ values }, value) {
  return (value - values[0]) / Math.max(values.at(-1) - values[0], 1);
}

/**
 * Return about four round numbers within a range.
 * @param {number[]} values
 */
function ticks(values) {
  const [low, high] = [values[0], values.at(-1)];
  const rough = Math.max((high - low) / 4, 1);
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * unit).find((each) => each >= rough);
  const result = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) result.push(value);
  return result;
}

/**
 * Sample the indices of an axis, including its ends, so that there are at most MAX_PATCHES patches.
 * @param {number} length
 */
function sampledIndices(length) {
  const count = Math.min(length, MAX_PATCHES + 1);
  return Array.from({ length: count }, (_, i) => Math.round((i * (length - 1)) / Math.max(count - 1, 1)));
}
