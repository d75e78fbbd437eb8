/** What the page asks of the server; the server is the referee. */

import { t, worded } from "./language.js";
import { patiently } from "./patience.js";

/** The server refused, in one sentence for a person; `after` so many seconds it may not, if it says so. */
export class Refusal extends Error {
  constructor(sentence, status, game, after) {
    super(worded(sentence));
    this.status = status;
    this.game = game ?? null;
    this.after = after;
  }
}

/** No answer came. */
export class Unreachable extends Error {}

const PATIENCE = 20000;
const ID = /^[0-9a-f]{32}$/;

async function ask(method, path, body) {
  let answer;
  try {
    answer = await fetch(`api/${path}`, {
      method,
      headers: body === undefined && method === "GET" ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    throw new Unreachable(t`The server cannot be reached.`);
  }
  return read(answer);
}

async function read(answer) {
  let said;
  const isPage = answer.headers.get("content-type")?.startsWith("text/html"); // some part of the address leads elsewhere
  if (isPage) throw new Refusal(t`There is nothing at this address.`, 404);
  try {
    said = answer.status === 204 ? {} : await answer.json();
  } catch {
    throw new Unreachable(t`The server's response is incomplete.`);
  }
  const after = answer.headers.has("retry-after") ? Number(answer.headers.get("retry-after")) : undefined;
  if (!answer.ok)
    throw new Refusal(
      said.error ?? t`The server refused the request without a reason.`,
      answer.status,
      said.game,
      after,
    );
  return after === undefined ? said : { ...said, after };
}

const get = (path) => ask("GET", path);
const post = (path, body) => ask("POST", path, body);

let catalog = null;

/** The games there are; asked for once. */
export function readCatalog() {
  catalog ??= get("catalog")
    .then(inLanguage)
    .catch((error) => {
      catalog = null;
      throw error;
    });
  return catalog;
}

const known = ({ title, summary, ...more }) => ({ ...more, title: worded(title), summary: worded(summary) });

/** The games as they are called in the person's language. */
function inLanguage({ games }) {
  return {
    games: games.map((game) => ({
      ...game,
      title: worded(game.title),
      opponents: game.opponents.map(known),
      rivals: game.rivals.map(known),
    })),
  };
}

export const readMe = () => get("me");
export const rename = (name) => ask("PUT", "me", { name });
export const forgetMe = () => ask("DELETE", "me", {});
export const readConsent = () => get("consent");
export const consent = (agreed) => ask("PUT", "consent", { agreed });
export const prepare = (game, rules, opponent = null) => post("preparations", { game, rules, opponent });
export const preparation = (key) => get(`preparations/${encodeURIComponent(key)}`);
/** Who can be played against under these rules. */
export const readOpponents = (game, rules) =>
  post("opponents", { game, rules }).then(({ opponents }) => opponents.map(known));
export const strengths = (game, rules) => post("strengths", { game, rules });
export const howToPlay = (game, rules) => post("how-to-play", { game, rules });
export const commit = () => patiently(() => post("commitments", {}));
export const begin = (wishes) => patiently(() => post("games", wishes)).then(whole);
export const readGames = () => get("games");
export const removeGame = (id) => ask("DELETE", `games/${encodeURIComponent(id)}`, {});
export const readGame = async (id) => {
  if (!ID.test(id)) throw new Refusal(t`There is no such game: part of the link may be missing.`, 404);
  return whole(await get(`games/${id}`));
};

/** A game without a log has an empty one: then the check says what is missing. */
function whole(view) {
  return { ...view, log: Array.isArray(view.log) ? view.log : [] };
}

/** Only what is new of the log is told again. */
export async function move({ id, number, log }, label) {
  const view = whole(await post(`games/${encodeURIComponent(id)}/moves`, { number, move: label, known: log.length }));
  return { ...view, log: [...log.slice(0, view.first), ...view.log] };
}

export const resign = (id) => post(`games/${encodeURIComponent(id)}/resign`, {}).then(whole);
export const takeBack = (id, number) => post(`games/${encodeURIComponent(id)}/takeback`, { number }).then(whole);
export const news = (id) => get(`games/${encodeURIComponent(id)}/news`);
export const invite = (wishes) => post("invitations", wishes);
export const readInvitations = () => get("invitations");
export const readInvitation = (id) => get(`invitations/${encodeURIComponent(id)}`);
export const join = (id, hash) => post(`invitations/${encodeURIComponent(id)}/join`, { number_hash: hash });
export const reveal = (id, number) => post(`invitations/${encodeURIComponent(id)}/reveal`, { number });
export const withdrawInvitation = (id) => ask("DELETE", `invitations/${encodeURIComponent(id)}`, {});
export const readWatched = (secret) => get(`watch/${encodeURIComponent(secret)}`).then(whole);
export const laySandbox = (asked) => post("sandbox", asked);
export const sandboxHint = (asked) => post("sandbox/hint", asked);
export const sandboxChoice = (asked, opponent) => post("sandbox/choice", { ...asked, opponent });
export const sandboxReview = (asked, seat) => post("sandbox/review", { ...asked, seat });
export const sandboxRecord = (asked) => post("sandbox/record", asked);
export const readRecord = (text) => post("records", { text });
export const hint = (id) => get(`games/${encodeURIComponent(id)}/hint`);
export const share = (id) => post(`games/${encodeURIComponent(id)}/share`, {});
export const withdraw = (id) => ask("DELETE", `games/${encodeURIComponent(id)}/share`, {});
export const readShared = (secret) => get(`shared/${encodeURIComponent(secret)}`).then(whole);
export const reviewShared = (secret) => get(`shared/${encodeURIComponent(secret)}/review`);
export const review = (id, seat = null) =>
  get(`games/${encodeURIComponent(id)}/review${seat === null ? "" : `?seat=${seat}`}`);
export const surface = (id) => get(`games/${encodeURIComponent(id)}/surface`);
export const readPuzzle = (game) => get(`puzzles/${encodeURIComponent(game)}`);
export const answerPuzzle = (game, day, label) => post(`puzzles/${encodeURIComponent(game)}`, { day, label });
export const statistics = () => get("statistics");
