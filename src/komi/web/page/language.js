/** The words that people read, in their language: the English text in the source is the key of its translation.
 *
 * What this page says by itself is marked: t`Step ${number}` has the key "Step {0}". What the server and the files of games
 * say comes in English, and is looked up when it is shown: `worded`. What has no translation is shown as it is.
 */

const PLACE = /\{(\d)\}/g;
const SENTENCES = /(?<=[.!?]) +/;
const FORMS = ["zero", "one", "two", "few", "many", "other"];

/** The language of the page, as the server chose it. */
export const language = document.documentElement.lang || "en";
const locale = language === "en" ? "en-GB" : language;
const { page, server } = await catalogue();
const patterns = Object.keys(server)
  .filter((key) => key.includes("{0}"))
  .map(patternOf)
  .sort((one, other) => other.literal - one.literal);
const found = new Map();

/** The languages that the page can be read in, by their own names. */
export function languages() {
  const codes = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=languages]")).content.split(" ");
  return codes.map((code) => [code, new Intl.DisplayNames(code, { type: "language" }).of(code)]);
}

/**
 * Read the page in another language from now on.
 * @param {string} code
 */
export function speak(code) {
  const path = new URL(".", document.baseURI).pathname;
  document.cookie = `komi-language=${code}; path=${path}; max-age=${2 * 365 * 24 * 3600}; samesite=lax`;
  location.reload();
}

/**
 * A text of this page; numbers in it are written as the language does.
 * @param {TemplateStringsArray} parts
 * @param {...string | number} values
 */
export function t(parts, ...values) {
  const key = parts.reduce((text, part, i) => `${text}{${i - 1}}${part}`);
  return filled(page[key] ?? key, values);
}

/**
 * The same of one or several: {0} is how many, what follows are {1} and so on.
 * @param {number} count
 * @param {string} one
 * @param {string} many
 * @param {...string | number} values
 */
export function tn(count, one, many, ...values) {
  const forms = page[one] ?? [one, many];
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
  const ordered = FORMS.filter((form) => pluralCategories.includes(/** @type {Intl.LDMLPluralRule} */ (form)));
  const index = ordered.indexOf(new Intl.PluralRules(locale).select(count));
  return filled(forms[Math.min(index, forms.length - 1)], [count, ...values]);
}

/**
 * A number as it is written, with so many decimals at least and at most.
 * @param {number} number
 * @param {number} [most]
 * @param {number} [least]
 */
export function numeral(number, most = 4, least = 0) {
  return new Intl.NumberFormat(locale, {
    maximumFractionDigits: most,
    minimumFractionDigits: least,
    useGrouping: "min2",
  }).format(number);
}

/**
 * Words one after another: a, b and c.
 * @param {string[]} words
 */
export function listed(words) {
  return new Intl.ListFormat(locale, { type: "conjunction" }).format(words);
}

/**
 * A moment in the way of writing of the language.
 * @param {string} text
 */
export function moment(text) {
  return new Date(text).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
}

/**
 * What the server or the file of a game says: word for word, or sentence by sentence if all of them are known.
 * @param {string} text
 */
export function worded(text) {
  if (language === "en" || !text) return text;
  if (!found.has(text)) found.set(text, translated(text) ?? text);
  return found.get(text);
}

/**
 * Whether all of a text of the server or of a game's file can be said in the language.
 * @param {string} text
 */
export const isWorded = (text) => language === "en" || translated(text) !== null;

async function catalogue() {
  if (language === "en") return { page: {}, server: {} };
  try {
    return await (await fetch(`languages/${language}.json`)).json();
  } catch {
    return { page: {}, server: {} }; // in English rather than not at all
  }
}

/**
 * @param {string} text
 * @returns {string | null}
 */
function translated(text) {
  return exactly(text) ?? bySentences(text) ?? byPattern(text);
}

/** @param {string} text */
function exactly(text) {
  if (text in server) return server[text];
  const small = text.charAt(0).toLowerCase() + text.slice(1);
  return small in server ? server[small].charAt(0).toUpperCase() + server[small].slice(1) : null;
}

/**
 * @param {string} text
 * @returns {string | null}
 */
function byPattern(text) {
  for (const { form, key } of patterns) {
    const match = form.exec(text);
    if (match)
      return filled(
        server[key],
        Array.from({ length: 10 }, (_, i) => inside(match.groups[`place${i}`])),
      );
  }
  return null;
}

/**
 * @param {string} text
 * @returns {string | null}
 */
function bySentences(text) {
  const sentences = text.split(SENTENCES);
  if (sentences.length < 2) return null;
  const all = sentences.map(translated);
  return all.includes(null) ? null : all.join(" ");
}

/**
 * What stands at a place of a sentence: a number, words that are known, one after another, or a name.
 * @param {string | undefined} value
 * @returns {string}
 */
function inside(value) {
  if (value === undefined) return "";
  if (/^-?\d+(\.\d+)?$/.test(value)) return numeral(Number(value), 9);
  return (
    translated(value) ??
    value
      .split(", ")
      .map((word) => translated(word) ?? word)
      .join(", ")
  );
}

/** @param {string} key */
function patternOf(key) {
  const parts = key.split(PLACE);
  const literal = key.replace(PLACE, "");
  const value = /\p{L}.*\p{L}.*\p{L}/u.test(literal) ? ".+?" : "\\S+?"; // so little could stand in any sentence
  const seen = new Set();
  const source = parts
    .map((part, i) => {
      if (i % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      if (seen.has(part)) return `\\k<place${part}>`;
      seen.add(part);
      return `(?<place${part}>${value})`;
    })
    .join("");
  const first = source.charAt(0);
  const either = /[a-z]/.test(first) ? `[${first}${first.toUpperCase()}]${source.slice(1)}` : source;
  return { key, form: new RegExp(`^${either}$`, "s"), literal: literal.length };
}

/**
 * @param {string} text
 * @param {(string | number)[]} values
 */
function filled(text, values) {
  return text.replace(PLACE, (_, place) => {
    const value = values[Number(place)];
    return typeof value === "number" ? numeral(value) : value;
  });
}
