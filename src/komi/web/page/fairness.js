/** Provable fairness: the page has its part in the chance, and after the game it checks all of it.
 *
 * The server has drawn a seed and shown its SHA-256 before the page draws its number. The luck of log entry k is
 * the first 53 bits of HMAC-SHA256(key: seed, message: "number:k"), divided by 2^53; the event is the one in whose
 * interval that luck falls when the outcomes lie side by side, each as wide as it is probable.
 */

import { element } from "./dom.js";
import { counted, inColours } from "./words.js";

const ROUNDING = 1e-9;

/** 16 bytes from this browser's own chance, in hex. */
export function drawNumber() {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

/** Keep what was agreed on before the game, so that nobody can change it afterwards. */
export function rememberPromise(id, hash, number) {
  try {
    localStorage.setItem(promiseKey(id), JSON.stringify({ hash, number }));
  } catch {
    // Then the game is checked against what the server says it promised.
  }
}

/** What there is to say against a game that is over; nothing if it was fair. */
export async function objections(view) {
  const { hash, number, seed } = view.fairness;
  const found = [];
  const promised = rememberedPromise(view.id);
  if (promised && (promised.hash !== hash || promised.number !== number)) {
    found.push("The hash or the number is not the one that this browser saw before the game.");
  }
  if (hex(await crypto.subtle.digest("SHA-256", bytes(seed))) !== hash) {
    found.push("The seed does not have the hash that was shown before the game.");
  }
  const key = await crypto.subtle.importKey("raw", bytes(seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (const entry of view.log.filter((one) => one.luck !== null && one.luck !== undefined)) {
    const luck = await luckOf(key, number, entry.number);
    if (Math.abs(luck - entry.luck) > ROUNDING) found.push(`Step ${entry.number}: the luck is not the seed's.`);
    else if (!liesIn(luck, entry.interval)) {
      found.push(`Step ${entry.number}: the luck ${luck.toFixed(6)} does not fall on ${entry.label}.`);
    }
  }
  return found;
}

/** The verdict, the seed and how to check it by hand. */
export async function fairnessSection(view) {
  const section = element("section", { class: "panel fairness", "aria-labelledby": "fairness-title" },
    element("h2", { id: "fairness-title" }, "Was it fair?"));
  if (!globalThis.crypto?.subtle) {
    section.append(element("p", {}, "This browser checks only pages from this computer or over https."));
  } else {
    const against = await objections(view);
    section.append(...verdict(view, against));
  }
  section.append(byHand(view));
  return section;
}

function verdict(view, against) {
  const events = view.log.filter((entry) => entry.luck !== null && entry.luck !== undefined).length;
  if (against.length > 0) {
    return [
      element("p", { class: "verdict unfair" }, "No. This does not fit what the server promised:"),
      element("ul", {}, against.map((sentence) => element("li", {}, sentence))),
    ];
  }
  const checked = events === 0 ? "Chance had no part in it." :
    `This browser has worked out ${counted(events, "event")} again from the seed and its own number: every one fits.`;
  return [element("p", { class: "verdict fair" }, "Yes. "), element("p", {}, checked)];
}

function byHand(view) {
  const rows = view.log.filter((entry) => entry.luck !== null && entry.luck !== undefined);
  const { hash, number, seed } = view.fairness;
  return element("details", {},
    element("summary", {}, "The seed, and how to check by hand"),
    element("dl", { class: "seeds" },
      element("dt", {}, "Hash, shown before the game"), element("dd", {}, hash),
      element("dt", {}, "Number, drawn by your browser after that"), element("dd", {}, number),
      element("dt", {}, "Seed, shown now"), element("dd", {}, seed)),
    element("ol", { class: "recipe" },
      element("li", {}, "SHA-256 of the seed's 32 bytes is the hash."),
      element("li", {}, "The luck of step k is the first 53 bits of HMAC-SHA256 with the seed as key and ", element("code", {}, "number:k"),
        " as message, divided by 2", element("sup", {}, "53"), "."),
      element("li", {}, "What can happen lies side by side from 0 to 1, each as wide as it is probable; what the luck falls on happens.")),
    element("pre", { tabindex: "0" }, `printf '%s' '${number}:${rows[0]?.number ?? 1}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:${seed}`),
    rows.length > 0 && element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Every event's luck" },
      element("table", {},
        element("thead", {}, element("tr", {}, ["Step", "Luck", "Happened", "From", "To"].map((head) => element("th", { scope: "col" }, head)))),
        element("tbody", {}, rows.map((entry) => element("tr", {},
          element("td", {}, String(entry.number)), element("td", {}, entry.luck.toFixed(6)),
          element("td", {}, inColours(entry.label, view.face)),
          (entry.interval ?? []).map((end) => element("td", {}, end.toFixed(6)))))))));
}

/** What is left of an event's luck once the event is known: a number from 0 to 1. */
export function restOfLuck(entry) {
  if (entry.luck === null || entry.luck === undefined || !entry.interval) return Math.random();
  const [low, high] = entry.interval;
  return Math.min(Math.max((entry.luck - low) / (high - low), 0), 1 - Number.EPSILON);
}

async function luckOf(key, number, entry) {
  const signed = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${number}:${entry}`));
  return Number(new DataView(signed).getBigUint64(0) >> 11n) / 2 ** 53;
}

function liesIn(luck, interval) {
  return !interval || (luck >= interval[0] - ROUNDING && luck <= interval[1] + ROUNDING);
}

function rememberedPromise(id) {
  try {
    return JSON.parse(localStorage.getItem(promiseKey(id)));
  } catch {
    return null;
  }
}

const promiseKey = (id) => `komi.promise.${id}`;
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
