/** Translation. The English text in the source is the key of its translation.
 *
 * Texts of this page are marked in the source: t`Step ${number}` has the key "Step {0}". Texts of the server and of game
 * files arrive in English; `translateServerText` translates them when they are displayed. Texts without a translation are
 * displayed in English.
 */

const PLACEHOLDER = /\{(\d)\}/g;
const SENTENCES = /(?<=[.!?]) +/;
const PLURAL_CATEGORIES = ["zero", "one", "two", "few", "many", "other"];

/** The language of the page, as the server chose it. */
export const language = document.documentElement.lang || "en";
const locale = language === "en" ? "en-GB" : language;
const { page, server } = await loadCatalogue();
const patterns = Object.keys(server)
  .filter((key) => key.includes("{0}"))
  .map(compilePattern)
  .sort((one, other) => other.literal - one.literal);
const cache = new Map();

/** List the available languages as pairs of code and native name. */
export function languages() {
  const codes = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=languages]")).content.split(" ");
  return codes.map((code) => [code, new Intl.DisplayNames(code, { type: "language" }).of(code)]);
}

/**
 * Store another language in a cookie, and for a page in one file in the browser's storage, and reload the page.
 * @param {string} code
 */
export function setLanguage(code) {
  const path = new URL(".", document.baseURI).pathname;
  try {
    localStorage.setItem("komi.language", code);
  } catch {
    // Without storage, the cookie holds the language.
  }
  document.cookie = `komi-language=${code}; path=${path}; max-age=${2 * 365 * 24 * 3600}; samesite=lax`;
  location.reload();
}

/**
 * Translate a text of this page, with numbers formatted for the language.
 * @param {TemplateStringsArray} parts
 * @param {...string | number} values
 */
export function t(parts, ...values) {
  const key = parts.reduce((text, part, i) => `${text}{${i - 1}}${part}`);
  return fill(page[key] ?? key, values);
}

/**
 * Translate a text with a singular and a plural form. {0} is the count; the other values are {1} and so on.
 * @param {number} count
 * @param {string} one
 * @param {string} many
 * @param {...string | number} values
 */
export function tn(count, one, many, ...values) {
  const forms = page[one] ?? [one, many];
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
  const ordered = PLURAL_CATEGORIES.filter((category) =>
    pluralCategories.includes(/** @type {Intl.LDMLPluralRule} */ (category)),
  );
  const index = ordered.indexOf(new Intl.PluralRules(locale).select(count));
  return fill(forms[Math.min(index, forms.length - 1)], [count, ...values]);
}

/**
 * Format a number for the language.
 * @param {number} number
 * @param {number} [maxDecimals]
 * @param {number} [minDecimals]
 */
export function formatNumber(number, maxDecimals = 4, minDecimals = 0) {
  return new Intl.NumberFormat(locale, {
    maximumFractionDigits: maxDecimals,
    minimumFractionDigits: minDecimals,
    useGrouping: "min2",
  }).format(number);
}

/**
 * Format a list: a, b and c.
 * @param {string[]} words
 */
export function formatList(words) {
  return new Intl.ListFormat(locale, { type: "conjunction" }).format(words);
}

/**
 * Format a day such as 2026-11-29.
 * @param {string} day
 */
export const formatDay = (day) => new Date(day).toLocaleDateString(locale, { dateStyle: "medium", timeZone: "UTC" });

/**
 * Format a date and time for the language.
 * @param {string} text
 */
export function formatDateTime(text) {
  return new Date(text).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
}

/**
 * Translate a text of the server or of a game file, as a whole or sentence by sentence.
 * @param {string} text
 */
export function translateServerText(text) {
  if (language === "en" || !text) return text;
  if (!cache.has(text)) cache.set(text, translate(text) ?? text);
  return cache.get(text);
}

/**
 * Return whether a text of the server or of a game file has a complete translation.
 * @param {string} text
 */
export const isTranslatable = (text) => language === "en" || translate(text) !== null;

async function loadCatalogue() {
  if (language === "en") return { page: {}, server: {} };
  try {
    return await (await fetch(`languages/${language}.json`)).json();
  } catch {
    return { page: {}, server: {} }; // fall back to English
  }
}

/**
 * @param {string} text
 * @returns {string | null}
 */
function translate(text) {
  return lookUp(text) ?? translateSentences(text) ?? translateByPattern(text);
}

/** @param {string} text */
function lookUp(text) {
  if (text in server) return server[text];
  const uncapitalized = text.charAt(0).toLowerCase() + text.slice(1);
  return uncapitalized in server
    ? server[uncapitalized].charAt(0).toUpperCase() + server[uncapitalized].slice(1)
    : null;
}

/**
 * @param {string} text
 * @returns {string | null}
 */
function translateByPattern(text) {
  for (const { regex, key } of patterns) {
    const match = regex.exec(text);
    if (match)
      return fill(
        server[key],
        Array.from({ length: 10 }, (_, i) => translateValue(match.groups[`place${i}`])),
      );
  }
  return null;
}

/**
 * @param {string} text
 * @returns {string | null}
 */
function translateSentences(text) {
  const sentences = text.split(SENTENCES);
  if (sentences.length < 2) return null;
  const all = sentences.map(translate);
  return all.includes(null) ? null : all.join(" ");
}

/**
 * Translate the value of a placeholder: a number, a list of known words, or a name.
 * @param {string | undefined} value
 * @returns {string}
 */
function translateValue(value) {
  if (value === undefined) return "";
  if (/^-?\d+(\.\d+)?$/.test(value)) return formatNumber(Number(value), 9);
  return (
    translate(value) ??
    value
      .split(", ")
      .map((word) => translate(word) ?? word)
      .join(", ")
  );
}

/**
 * Compile a key with placeholders to a regular expression.
 * @param {string} key
 */
function compilePattern(key) {
  const parts = key.split(PLACEHOLDER);
  const literal = key.replace(PLACEHOLDER, "");
  const value = /\p{L}.*\p{L}.*\p{L}/u.test(literal) ? ".+?" : "\\S+?"; // a key with few letters would match too many sentences
  const groups = new Set();
  const source = parts
    .map((part, i) => {
      if (i % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      if (groups.has(part)) return `\\k<place${part}>`;
      groups.add(part);
      return `(?<place${part}>${value})`;
    })
    .join("");
  const first = source.charAt(0);
  const caseInsensitiveStart = /[a-z]/.test(first) ? `[${first}${first.toUpperCase()}]${source.slice(1)}` : source;
  return { key, regex: new RegExp(`^${caseInsensitiveStart}$`, "s"), literal: literal.length };
}

/**
 * @param {string} text
 * @param {(string | number)[]} values
 */
function fill(text, values) {
  return text.replace(PLACEHOLDER, (_, place) => {
    const value = values[Number(place)];
    return typeof value === "number" ? formatNumber(value) : value;
  });
}
