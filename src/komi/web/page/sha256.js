/** SHA-256 and HMAC (FIPS 180-4, RFC 2104), implemented here because browsers offer Web Crypto only on secure pages. */

const BLOCK = 64; // bytes
const PRIMES = primes(64);
/** @param {number} root */
const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32);
const INITIAL_STATE = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND_CONSTANTS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

/**
 * Return the 32-byte digest of a message.
 * @param {Uint8Array} message
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function sha256(message) {
  const state = Uint32Array.from(INITIAL_STATE);
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  words.setUint32(padded.length - 4, message.length << 3);
  for (let offset = 0; offset < padded.length; offset += BLOCK) compress(state, words, offset);
  const digest = new Uint8Array(32);
  state.forEach((word, i) => new DataView(digest.buffer).setUint32(4 * i, word));
  return digest;
}

/**
 * Return the HMAC-SHA256 of a message. The key has at most 64 bytes.
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 */
export function hmac(key, message) {
  /** @param {number} filler */
  const padded = (filler) => Uint8Array.from({ length: BLOCK }, (_, i) => (key[i] ?? 0) ^ filler);
  return sha256(concat(padded(0x5c), sha256(concat(padded(0x36), message))));
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} digits */
export const bytesFromHex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** @param {string} text */
export const textBytes = (text) => new TextEncoder().encode(text);

/**
 * @param {Uint32Array} state
 * @param {DataView} words
 * @param {number} offset
 */
function compress(state, words, offset) {
  const schedule = new Uint32Array(64);
  for (let i = 0; i < 16; i++) schedule[i] = words.getUint32(offset + 4 * i);
  for (let i = 16; i < 64; i++) {
    const [w15, w2] = [schedule[i - 15], schedule[i - 2]];
    const first = rotateRight(w15, 7) ^ rotateRight(w15, 18) ^ (w15 >>> 3);
    const second = rotateRight(w2, 17) ^ rotateRight(w2, 19) ^ (w2 >>> 10);
    schedule[i] = schedule[i - 16] + first + schedule[i - 7] + second;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first =
      (h +
        (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) +
        choice +
        ROUND_CONSTANTS[i] +
        schedule[i]) >>>
      0;
    const second = ((rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + majority) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] += word;
  });
}

/**
 * @param {number} word
 * @param {number} bits
 */
function rotateRight(word, bits) {
  return (word >>> bits) | (word << (32 - bits));
}

/**
 * @param {Uint8Array} first
 * @param {Uint8Array} second
 */
function concat(first, second) {
  const result = new Uint8Array(first.length + second.length);
  result.set(first);
  result.set(second, first.length);
  return result;
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
