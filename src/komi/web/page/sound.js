/** Sounds, synthesized with Web Audio: engines, brakes, dice, coins, cards and counters. */

import { settings } from "./settings.js";

/** @type {AudioContext | OfflineAudioContext | null} */
let context = null;
/** @type {AudioBuffer | null} */
let noise = null;

/** Play a car that rushes past. */
export function rush() {
  play((time) => {
    hiss(time, 0.75, { type: "bandpass", from: 1500, to: 320, width: 1.1 }, 0.34, 0.3);
    tone(time, 0.7, { shape: "sawtooth", from: 190, to: 88 }, 0.1, 0.28);
  });
}

/** Play tyres that skid to a stop. */
export function skid() {
  play((time) => {
    hiss(time, 0.65, { type: "bandpass", from: 2600, to: 1500, width: 9 }, 0.4, 0.03);
    tone(time, 0.6, { shape: "sawtooth", from: 1150, to: 760, wobble: 38 }, 0.05, 0.02);
    tone(time + 0.6, 0.16, { shape: "sine", from: 90, to: 42 }, 0.5, 0.005);
  });
}

/** Play a motor that revs down. */
export function revDown() {
  play((time) => {
    tone(time, 0.9, { shape: "sawtooth", from: 150, to: 42, wobble: 13 }, 0.16, 0.05);
    tone(time, 0.9, { shape: "square", from: 76, to: 22 }, 0.06, 0.05);
  });
}

/** Play two beeps of a horn. */
export function beepBeep() {
  play((time) => {
    for (const start of [time, time + 0.24]) {
      tone(start, 0.15, { shape: "square", from: 420, to: 420 }, 0.07, 0.01);
      tone(start, 0.15, { shape: "square", from: 528, to: 528 }, 0.07, 0.01);
    }
  });
}

/** Play dice that roll on wood. */
export function rattle() {
  play((time) => {
    for (const [wait, pitch] of [
      [0, 900],
      [0.09, 1250],
      [0.2, 800],
      [0.33, 1050],
      [0.5, 700],
    ]) {
      hiss(time + wait, 0.05, { type: "bandpass", from: pitch, to: pitch * 0.7, width: 5 }, 0.5, 0.002);
    }
  });
}

/** Play a coin that rings. */
export function ring() {
  play((time) => {
    for (const pitch of [2093, 3136, 5274]) tone(time, 0.7, { shape: "sine", from: pitch, to: pitch }, 0.06, 0.004);
  });
}

/** Play a card that is turned over. */
export function flick() {
  play((time) => hiss(time, 0.14, { type: "highpass", from: 1800, to: 4200, width: 0.8 }, 0.3, 0.02));
}

/** Play a counter that is put down. */
export function click() {
  play((time) => {
    tone(time, 0.09, { shape: "sine", from: 520, to: 180 }, 0.4, 0.002);
    hiss(time, 0.03, { type: "highpass", from: 2500, to: 2500, width: 1 }, 0.2, 0.001);
  });
}

/** Play the loss of the points at risk. */
export function sink() {
  play((time) => tone(time, 0.55, { shape: "triangle", from: 280, to: 70 }, 0.26, 0.02));
}

/** Play the banking of the points at risk. */
export function bank() {
  play((time) =>
    [392, 523].forEach((pitch, i) =>
      tone(time + i * 0.1, 0.25, { shape: "triangle", from: pitch, to: pitch }, 0.18, 0.01),
    ),
  );
}

/**
 * Play the end of a game.
 * @param {boolean} won
 */
export function finish(won) {
  const pitches = won ? [523, 659, 784, 1047] : [392, 349, 311, 262];
  play((time) =>
    pitches.forEach((pitch, i) =>
      tone(time + i * 0.15, 0.42, { shape: "triangle", from: pitch, to: pitch }, 0.2, 0.01),
    ),
  );
}

/**
 * Render a sound to samples of one channel, without playing it; used by tests.
 * @param {() => void} sound
 * @param {number} seconds
 * @param {number} rate
 */
export async function renderSamples(sound, seconds, rate) {
  const live = context;
  const offline = new OfflineAudioContext(1, seconds * rate, rate);
  [context, noise] = [offline, null];
  sound();
  [context, noise] = [live, null];
  return (await offline.startRendering()).getChannelData(0);
}

/** @param {(time: number) => void} schedule */
function play(schedule) {
  const isAudible = !(context instanceof OfflineAudioContext);
  if (isAudible && !settings.sound) return;
  if (isAudible && navigator.userActivation?.hasBeenActive === false) return; // browsers allow no sound before the first key or click
  context ??= new AudioContext();
  if (context.state === "suspended" && context instanceof AudioContext) {
    context.resume().catch(() => {}); // until the person's first key or click
  }
  if (context.state === "running" || context instanceof OfflineAudioContext) schedule(context.currentTime + 0.01);
}

/**
 * @param {number} time
 * @param {number} length
 * @param {{ shape: OscillatorType, from: number, to: number, wobble?: number }} sound
 * @param {number} gainLevel
 * @param {number} attack
 */
function tone(time, length, { shape, from, to, wobble = 0 }, gainLevel, attack) {
  const source = new OscillatorNode(context, { type: shape, frequency: from });
  source.frequency.exponentialRampToValueAtTime(to, time + length);
  if (wobble > 0) {
    const vibrato = new OscillatorNode(context, { frequency: wobble });
    vibrato.connect(new GainNode(context, { gain: from / 12 })).connect(source.frequency);
    vibrato.start(time);
    vibrato.stop(time + length);
  }
  playSource(source, time, length, gainLevel, attack);
}

/**
 * @param {number} time
 * @param {number} length
 * @param {{ type: BiquadFilterType, from: number, to: number, width: number }} sound
 * @param {number} gainLevel
 * @param {number} attack
 */
function hiss(time, length, { type, from, to, width }, gainLevel, attack) {
  const source = new AudioBufferSourceNode(context, { buffer: whiteNoise(), loop: true });
  const filter = new BiquadFilterNode(context, { type, frequency: from, Q: width });
  filter.frequency.setValueAtTime(from, time);
  filter.frequency.exponentialRampToValueAtTime(to, time + length);
  playSource(source, time, length, gainLevel, attack, filter);
}

/**
 * @param {AudioScheduledSourceNode} source
 * @param {number} time
 * @param {number} length
 * @param {number} gainLevel
 * @param {number} attack
 * @param {AudioNode} [filter]
 */
function playSource(source, time, length, gainLevel, attack, filter = null) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0.0001, time);
  gain.gain.exponentialRampToValueAtTime(gainLevel, time + attack);
  gain.gain.exponentialRampToValueAtTime(0.0001, time + length);
  (filter ? source.connect(filter) : source).connect(gain).connect(context.destination);
  source.start(time);
  source.stop(time + length);
}

function whiteNoise() {
  if (!noise) {
    noise = new AudioBuffer({ length: context.sampleRate, sampleRate: context.sampleRate });
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
  }
  return noise;
}
