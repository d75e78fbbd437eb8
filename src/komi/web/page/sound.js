/** Sounds, made on the spot with Web Audio: engines, brakes, dice, coins, cards and counters. */

import { settings } from "./settings.js";

/** @type {AudioContext | OfflineAudioContext | null} */
let context = null;
/** @type {AudioBuffer | null} */
let noise = null;

/** A car rushing past: its noise swells, sweeps down and is gone. */
export function rush() {
  play((at) => {
    hiss(at, 0.75, { type: "bandpass", from: 1500, to: 320, width: 1.1 }, 0.34, 0.3);
    tone(at, 0.7, { shape: "sawtooth", from: 190, to: 88 }, 0.1, 0.28);
  });
}

/** Tyres that skid to a stop. */
export function skid() {
  play((at) => {
    hiss(at, 0.65, { type: "bandpass", from: 2600, to: 1500, width: 9 }, 0.4, 0.03);
    tone(at, 0.6, { shape: "sawtooth", from: 1150, to: 760, wobble: 38 }, 0.05, 0.02);
    tone(at + 0.6, 0.16, { shape: "sine", from: 90, to: 42 }, 0.5, 0.005);
  });
}

/** A motor that revs down. */
export function revDown() {
  play((at) => {
    tone(at, 0.9, { shape: "sawtooth", from: 150, to: 42, wobble: 13 }, 0.16, 0.05);
    tone(at, 0.9, { shape: "square", from: 76, to: 22 }, 0.06, 0.05);
  });
}

/** Beep beep. */
export function beepBeep() {
  play((at) => {
    for (const start of [at, at + 0.24]) {
      tone(start, 0.15, { shape: "square", from: 420, to: 420 }, 0.07, 0.01);
      tone(start, 0.15, { shape: "square", from: 528, to: 528 }, 0.07, 0.01);
    }
  });
}

/** Dice on wood. */
export function rattle() {
  play((at) => {
    for (const [wait, pitch] of [
      [0, 900],
      [0.09, 1250],
      [0.2, 800],
      [0.33, 1050],
      [0.5, 700],
    ]) {
      hiss(at + wait, 0.05, { type: "bandpass", from: pitch, to: pitch * 0.7, width: 5 }, 0.5, 0.002);
    }
  });
}

/** A coin that rings. */
export function ring() {
  play((at) => {
    for (const pitch of [2093, 3136, 5274]) tone(at, 0.7, { shape: "sine", from: pitch, to: pitch }, 0.06, 0.004);
  });
}

/** A card turned over. */
export function flick() {
  play((at) => hiss(at, 0.14, { type: "highpass", from: 1800, to: 4200, width: 0.8 }, 0.3, 0.02));
}

/** A counter put down. */
export function click() {
  play((at) => {
    tone(at, 0.09, { shape: "sine", from: 520, to: 180 }, 0.4, 0.002);
    hiss(at, 0.03, { type: "highpass", from: 2500, to: 2500, width: 1 }, 0.2, 0.001);
  });
}

/** What was at risk is gone. */
export function sink() {
  play((at) => tone(at, 0.55, { shape: "triangle", from: 280, to: 70 }, 0.26, 0.02));
}

/** What was at risk is safe. */
export function bank() {
  play((at) =>
    [392, 523].forEach((pitch, i) =>
      tone(at + i * 0.1, 0.25, { shape: "triangle", from: pitch, to: pitch }, 0.18, 0.01),
    ),
  );
}

/**
 * The end, won or not.
 * @param {boolean} won
 */
export function finish(won) {
  const pitches = won ? [523, 659, 784, 1047] : [392, 349, 311, 262];
  play((at) =>
    pitches.forEach((pitch, i) => tone(at + i * 0.15, 0.42, { shape: "triangle", from: pitch, to: pitch }, 0.2, 0.01)),
  );
}

/**
 * Render a sound to samples of one channel, without playing it; used by tests.
 * @param {() => void} sound
 * @param {number} seconds
 * @param {number} rate
 */
export async function rendered(sound, seconds, rate) {
  const live = context;
  const offline = new OfflineAudioContext(1, seconds * rate, rate);
  [context, noise] = [offline, null];
  sound();
  [context, noise] = [live, null];
  return (await offline.startRendering()).getChannelData(0);
}

/** @param {(at: number) => void} score */
function play(score) {
  const isAudible = !(context instanceof OfflineAudioContext);
  if (isAudible && !settings.sound) return;
  if (isAudible && navigator.userActivation?.hasBeenActive === false) return; // until a key or click a page is silent
  context ??= new AudioContext();
  if (context.state === "suspended" && context instanceof AudioContext) {
    context.resume().catch(() => {}); // until the person's first key or click
  }
  if (context.state === "running" || context instanceof OfflineAudioContext) score(context.currentTime + 0.01);
}

/**
 * @param {number} at
 * @param {number} length
 * @param {{ shape: OscillatorType, from: number, to: number, wobble?: number }} sound
 * @param {number} loudness
 * @param {number} attack
 */
function tone(at, length, { shape, from, to, wobble = 0 }, loudness, attack) {
  const source = new OscillatorNode(context, { type: shape, frequency: from });
  source.frequency.exponentialRampToValueAtTime(to, at + length);
  if (wobble > 0) {
    const shaking = new OscillatorNode(context, { frequency: wobble });
    shaking.connect(new GainNode(context, { gain: from / 12 })).connect(source.frequency);
    shaking.start(at);
    shaking.stop(at + length);
  }
  sounded(source, at, length, loudness, attack);
}

/**
 * @param {number} at
 * @param {number} length
 * @param {{ type: BiquadFilterType, from: number, to: number, width: number }} sound
 * @param {number} loudness
 * @param {number} attack
 */
function hiss(at, length, { type, from, to, width }, loudness, attack) {
  const source = new AudioBufferSourceNode(context, { buffer: whiteNoise(), loop: true });
  const filter = new BiquadFilterNode(context, { type, frequency: from, Q: width });
  filter.frequency.setValueAtTime(from, at);
  filter.frequency.exponentialRampToValueAtTime(to, at + length);
  sounded(source, at, length, loudness, attack, filter);
}

/**
 * @param {AudioScheduledSourceNode} source
 * @param {number} at
 * @param {number} length
 * @param {number} loudness
 * @param {number} attack
 * @param {AudioNode} [filter]
 */
function sounded(source, at, length, loudness, attack, filter = null) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loudness, at + attack);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  (filter ? source.connect(filter) : source).connect(gain).connect(context.destination);
  source.start(at);
  source.stop(at + length);
}

function whiteNoise() {
  if (!noise) {
    noise = new AudioBuffer({ length: context.sampleRate, sampleRate: context.sampleRate });
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
  }
  return noise;
}
