/** SHA-256 and HMAC (FIPS 180-4, RFC 2104), worked out here: a browser offers its own on secure pages only. */

const BLOCK = 64; // bytes
const ROOTS = primes(64);
/** @param {number} root */
const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32);
const START = ROOTS.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = ROOTS.map((prime) => fraction(Math.cbrt(prime)));

/**
 * The digest of bytes, 32 of them.
 * @param {Uint8Array} message
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function sha256(message) {
  const state = Uint32Array.from(START);
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  words.setUint32(padded.length - 4, message.length << 3);
  for (let at = 0; at < padded.length; at += BLOCK) compress(state, words, at);
  const digest = new Uint8Array(32);
  state.forEach((word, i) => new DataView(digest.buffer).setUint32(4 * i, word));
  return digest;
}

/**
 * HMAC-SHA256 of bytes, with a key of at most 64 bytes.
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 */
export function hmac(key, message) {
  /** @param {number} filler */
  const padded = (filler) => Uint8Array.from({ length: BLOCK }, (_, i) => (key[i] ?? 0) ^ filler);
  return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), message))));
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} digits */
export const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** @param {string} text */
export const textBytes = (text) => new TextEncoder().encode(text);

/**
 * @param {Uint32Array} state
 * @param {DataView} words
 * @param {number} at
 */
function compress(state, words, at) {
  const schedule = new Uint32Array(64);
  for (let i = 0; i < 16; i++) schedule[i] = words.getUint32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const [early, late] = [schedule[i - 15], schedule[i - 2]];
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    schedule[i] = schedule[i - 16] + first + schedule[i - 7] + second;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const chosen = (e & f) ^ (~e & g);
    const most = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + ROUNDS[i] + schedule[i]) >>> 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] += word;
  });
}

/**
 * @param {number} word
 * @param {number} by
 */
function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/**
 * @param {Uint8Array} first
 * @param {Uint8Array} second
 */
function joined(first, second) {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** @param {number} count */
function primes(count) {
  /** @type {number[]} */
  const found = [];
  for (let number = 2; found.length < count; number++) {
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  }
  return found;
}
