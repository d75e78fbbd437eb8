/** What the page asks of the server; the server is the referee. */

import { t, worded } from "./language.js";
import { retryWhileBusy } from "./retry.js";

/** The server refused, in one sentence for a person; `after` so many seconds it may not, if it says so. */
export class ApiError extends Error {
  constructor(sentence, status, game, after) {
    super(worded(sentence));
    this.status = status;
    this.game = game ?? null;
    this.after = after;
  }
}

/** No response came. */
export class NetworkError extends Error {}

const TIMEOUT = 20000; // milliseconds
const ID = /^[0-9a-f]{32}$/;

async function send(method, path, body) {
  let response;
  try {
    response = await fetch(`api/${path}`, {
      method,
      headers: body === undefined && method === "GET" ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT),
    });
  } catch {
    throw new NetworkError(t`The server cannot be reached.`);
  }
  return read(response);
}

async function read(response) {
  let body;
  const isPage = response.headers.get("content-type")?.startsWith("text/html"); // some part of the address leads elsewhere
  if (isPage) throw new ApiError(t`There is nothing at this address.`, 404);
  try {
    body = response.status === 204 ? {} : await response.json();
  } catch {
    throw new NetworkError(t`The server's response is incomplete.`);
  }
  const after = response.headers.has("retry-after") ? Number(response.headers.get("retry-after")) : undefined;
  if (!response.ok)
    throw new ApiError(
      body.error ?? t`The server refused the request without a reason.`,
      response.status,
      body.game,
      after,
    );
  return after === undefined ? body : { ...body, after };
}

const get = (path) => send("GET", path);
const post = (path, body) => send("POST", path, body);

let catalog = null;

/** Read the catalog of games; requested once. */
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
export const rename = (name) => send("PUT", "me", { name });
export const forgetMe = () => send("DELETE", "me", {});
export const readConsent = () => get("consent");
export const consent = (agreed) => send("PUT", "consent", { agreed });
export const prepare = (game, rules, opponent = null) => post("preparations", { game, rules, opponent });
export const preparation = (key) => get(`preparations/${encodeURIComponent(key)}`);
/** Who can be played against under these rules. */
export const readOpponents = (game, rules) =>
  post("opponents", { game, rules }).then(({ opponents }) => opponents.map(known));
export const strengths = (game, rules) => post("strengths", { game, rules });
export const howToPlay = (game, rules) => post("how-to-play", { game, rules });
export const commit = () => retryWhileBusy(() => post("commitments", {}));
export const begin = (options) => retryWhileBusy(() => post("games", options)).then(withLog);
export const readGames = () => get("games");
export const removeGame = (id) => send("DELETE", `games/${encodeURIComponent(id)}`, {});
export const readGame = async (id) => {
  if (!ID.test(id)) throw new ApiError(t`There is no such game: part of the link may be missing.`, 404);
  return withLog(await get(`games/${id}`));
};

/** A game without a log has an empty one: then the check says what is missing. */
function withLog(view) {
  return { ...view, log: Array.isArray(view.log) ? view.log : [] };
}

/** Make a move; the response has only the new lines of the log. */
export async function move({ id, number, log }, label) {
  const view = withLog(await post(`games/${encodeURIComponent(id)}/moves`, { number, move: label, known: log.length }));
  return { ...view, log: [...log.slice(0, view.first), ...view.log] };
}

export const resign = (id) => post(`games/${encodeURIComponent(id)}/resign`, {}).then(withLog);
export const takeBack = (id, number) => post(`games/${encodeURIComponent(id)}/takeback`, { number }).then(withLog);
export const news = (id) => get(`games/${encodeURIComponent(id)}/news`);
export const invite = (options) => post("invitations", options);
export const readInvitations = () => get("invitations");
export const readInvitation = (id) => get(`invitations/${encodeURIComponent(id)}`);
export const join = (id, hash) => post(`invitations/${encodeURIComponent(id)}/join`, { number_hash: hash });
export const reveal = (id, number) => post(`invitations/${encodeURIComponent(id)}/reveal`, { number });
export const withdrawInvitation = (id) => send("DELETE", `invitations/${encodeURIComponent(id)}`, {});
export const readWatched = (secret) => get(`watch/${encodeURIComponent(secret)}`).then(withLog);
export const laySandbox = (request) => post("sandbox", request);
export const sandboxHint = (request) => post("sandbox/hint", request);
export const sandboxChoice = (request, opponent) => post("sandbox/choice", { ...request, opponent });
export const sandboxReview = (request, seat) => post("sandbox/review", { ...request, seat });
export const sandboxRecord = (request) => post("sandbox/record", request);
export const readRecord = (text) => post("records", { text });
export const hint = (id) => get(`games/${encodeURIComponent(id)}/hint`);
export const share = (id) => post(`games/${encodeURIComponent(id)}/share`, {});
export const withdraw = (id) => send("DELETE", `games/${encodeURIComponent(id)}/share`, {});
export const readShared = (secret) => get(`shared/${encodeURIComponent(secret)}`).then(withLog);
export const reviewShared = (secret) => get(`shared/${encodeURIComponent(secret)}/review`);
export const review = (id, seat = null) =>
  get(`games/${encodeURIComponent(id)}/review${seat === null ? "" : `?seat=${seat}`}`);
export const surface = (id) => get(`games/${encodeURIComponent(id)}/surface`);
export const readPuzzle = (game) => get(`puzzles/${encodeURIComponent(game)}`);
export const answerPuzzle = (game, day, label) => post(`puzzles/${encodeURIComponent(game)}`, { day, label });
export const statistics = () => get("statistics");
