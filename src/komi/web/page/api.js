/** Client of the server's JSON API. */

import { t, translateServerText } from "./language.js";
import { retryWhileBusy } from "./retry.js";

/** A refusal by the server, in one sentence for the user. `after` is the Retry-After time in seconds, if there is one. */
export class ApiError extends Error {
  /**
   * @param {string} sentence
   * @param {number} status
   * @param {Page.View | null} [game]
   * @param {number} [after]
   */
  constructor(sentence, status, game, after) {
    super(translateServerText(sentence));
    this.status = status;
    this.game = game ?? null;
    this.after = after;
  }
}

/** The server did not respond, or its response was incomplete. */
export class NetworkError extends Error {}

/**
 * Return whether the server refused because it has no solution of the game and will have none.
 * @param {Error & { status?: number }} error
 */
export const isWithoutSolution = (error) => error.status === 404 || error.status === 422;

const TIMEOUT = 20000; // milliseconds
const ID = /^[0-9a-f]{32}$/;

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
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

/** @param {Response} response */
async function read(response) {
  let body;
  const isPage = response.headers.get("content-type")?.startsWith("text/html"); // a malformed path falls through to the index page
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

/** @param {string} path */
const get = (path) => send("GET", path);
/**
 * @param {string} path
 * @param {unknown} body
 */
const post = (path, body) => send("POST", path, body);

/** @type {Promise<Api.CatalogResponse> | null} */
let catalog = null;

/**
 * Read the catalog of games. It is requested only once.
 * @returns {Promise<Api.CatalogResponse>}
 */
export function readCatalog() {
  catalog ??= get("catalog")
    .then(translateCatalog)
    .catch((error) => {
      catalog = null;
      throw error;
    });
  return catalog;
}

/**
 * Translate the title and summary of an opponent.
 * @param {Api.OpponentView} opponent
 */
const translateOpponent = ({ title, summary, ...more }) => ({
  ...more,
  title: translateServerText(title),
  summary: translateServerText(summary),
});

/**
 * Translate the titles in the catalog.
 * @param {Api.CatalogResponse} response
 */
function translateCatalog({ games }) {
  return {
    games: games.map((game) => ({
      ...game,
      title: translateServerText(game.title),
      opponents: game.opponents.map(translateOpponent),
      rivals: game.rivals.map(translateOpponent),
    })),
  };
}

/**
 * Read the rules of a game as a module of JavaScript.
 * @param {string} game
 * @returns {Promise<Api.RulesModuleResponse>}
 */
export const readRules = (game) => get(`rules/${encodeURIComponent(game)}`);
/** @returns {Promise<Api.ProfileResponse>} */
export const readMe = () => get("me");
/**
 * @param {string} name
 * @returns {Promise<Api.ProfileResponse>}
 */
export const rename = (name) => send("PUT", "me", { name });
/** @returns {Promise<Api.DoneResponse>} */
export const deleteMyData = () => send("DELETE", "me", {});
/**
 * Leave this browser, which becomes a new person.
 * @returns {Promise<Api.DoneResponse>}
 */
export const leaveDevice = () => post("me/leave", {});
/** @returns {Promise<Api.DeviceCodeResponse>} */
export const createDeviceCode = () => post("devices", {});
/** @returns {Promise<boolean>} */
export const deviceCodeIsWaiting = () => get("devices").then(({ waiting }) => waiting);
/** @returns {Promise<Api.DoneResponse>} */
export const withdrawDeviceCode = () => send("DELETE", "devices", {});
/**
 * @param {string} code
 * @returns {Promise<Api.CodeOwnerResponse>}
 */
export const findCodeOwner = (code) => post("devices/find", { code });
/**
 * @param {string} code
 * @returns {Promise<Api.DoneResponse>}
 */
export const joinDevice = (code) => post("devices/join", { code });
/** @returns {Promise<Api.DoneResponse>} */
export const signOutOthers = () => post("devices/sign-out-others", {});
/** @returns {Promise<Api.AccountResponse>} */
export const readAccount = () => get("account");
/**
 * @param {string} name
 * @param {string} password
 * @param {string} present
 * @returns {Promise<Api.AccountResponse>}
 */
export const saveAccount = (name, password, present) => send("PUT", "account", { name, password, present });
/**
 * @param {string} password
 * @returns {Promise<Api.DoneResponse>}
 */
export const removeAccount = (password) => send("DELETE", "account", { password });
/**
 * @param {string} name
 * @param {string} password
 * @returns {Promise<Api.DoneResponse>}
 */
export const signIn = (name, password) => post("account/sign-in", { name, password });
/** @returns {Promise<Api.ConsentResponse>} */
export const readConsent = () => get("consent");
/**
 * @param {boolean} agreed
 * @returns {Promise<Api.ConsentResponse>}
 */
export const consent = (agreed) => send("PUT", "consent", { agreed });
/**
 * @param {string} game
 * @param {Page.Rules} rules
 * @param {string} [opponent]
 * @returns {Promise<Page.Preparation>}
 */
export const prepare = (game, rules, opponent = null) => post("preparations", { game, rules, opponent });
/**
 * @param {string} key
 * @returns {Promise<Page.Preparation>}
 */
export const preparation = (key) => get(`preparations/${encodeURIComponent(key)}`);
/**
 * List the opponents that are available under these rules.
 * @param {string} game
 * @param {Page.Rules} rules
 * @returns {Promise<Api.OpponentView[]>}
 */
export const readOpponents = (game, rules) =>
  post("opponents", { game, rules }).then(({ opponents }) => opponents.map(translateOpponent));
/**
 * @param {string} game
 * @param {Page.Rules} rules
 * @returns {Promise<Api.RungView[]>}
 */
export const readRungs = (game, rules) => post("rungs", { game, rules }).then(({ rungs }) => rungs);
/**
 * @param {string} game
 * @param {Page.Rules} rules
 * @returns {Promise<Api.StrengthsResponse>}
 */
export const strengths = (game, rules) => post("strengths", { game, rules });
/**
 * @param {string} game
 * @param {Page.Rules} rules
 * @returns {Promise<Api.HowToPlayResponse>}
 */
export const howToPlay = (game, rules) => post("how-to-play", { game, rules });
/** @returns {Promise<Api.CommitmentResponse>} */
export const commit = () => retryWhileBusy(() => post("commitments", {}));
/**
 * @param {Api.GameRequest} options
 * @returns {Promise<Page.View>}
 */
export const begin = (options) => retryWhileBusy(() => post("games", options)).then(withLog);
/**
 * Read your games that fit a question: see the parameters of the API.
 * @param {Record<string, string>} [question]
 * @returns {Promise<Api.GamesResponse>}
 */
export const readGames = (question = {}) => get(`games?${new URLSearchParams(question)}`);
/**
 * @param {string} id
 * @returns {Promise<Api.DoneResponse>}
 */
export const removeGame = (id) => send("DELETE", `games/${encodeURIComponent(id)}`, {});
/**
 * @param {string} id
 * @returns {Promise<Page.View>}
 */
export const readGame = async (id) => {
  if (!ID.test(id)) throw new ApiError(t`There is no such game: part of the link may be missing.`, 404);
  return withLog(await get(`games/${id}`));
};

/**
 * Replace a missing log by an empty one. The fairness check then reports what is missing.
 * @param {Api.GameView} view
 * @returns {Page.View}
 */
function withLog(view) {
  return /** @type {Page.View} */ ({ ...view, log: Array.isArray(view.log) ? view.log : [] });
}

/**
 * Make a move. The response contains only the new lines of the log.
 * @param {Pick<Page.View, "id" | "number" | "log">} view
 * @param {string} label
 * @returns {Promise<Page.View>}
 */
export async function move({ id, number, log }, label) {
  const view = withLog(await post(`games/${encodeURIComponent(id)}/moves`, { number, move: label, known: log.length }));
  return { ...view, log: [...log.slice(0, view.first), ...view.log] };
}

/**
 * @param {string} id
 * @returns {Promise<Page.View>}
 */
export const resign = (id) => post(`games/${encodeURIComponent(id)}/resign`, {}).then(withLog);
/**
 * @param {string} id
 * @param {number} number
 * @returns {Promise<Page.View>}
 */
export const takeBack = (id, number) => post(`games/${encodeURIComponent(id)}/takeback`, { number }).then(withLog);
/**
 * @param {string} id
 * @returns {Promise<Api.NewsResponse>}
 */
export const news = (id) => get(`games/${encodeURIComponent(id)}/news`);
/**
 * Open a room for a class.
 * @param {Api.RoomRequest} request
 * @returns {Promise<Api.RoomView>}
 */
export const openRoom = (request) => post("rooms", request);
/** @returns {Promise<Api.RoomsResponse>} */
export const readRooms = () => get("rooms");
/**
 * @param {string} code
 * @returns {Promise<Api.RoomView>}
 */
export const findRoom = (code) => post("rooms/find", { code });
/**
 * @param {string} code
 * @param {string} name
 * @returns {Promise<Api.RoomView>}
 */
export const joinRoom = (code, name) => post("rooms/join", { code, name });
/**
 * Close a room, or leave another's.
 * @param {string} id
 * @returns {Promise<Api.DoneResponse>}
 */
export const leaveRoom = (id) => send("DELETE", `rooms/${encodeURIComponent(id)}`, {});
/**
 * @param {string} id
 * @returns {Promise<Api.BoardResponse>}
 */
export const readBoard = (id) => get(`rooms/${encodeURIComponent(id)}/board`);
/** @param {string} id */
export const boardAddress = (id) => `api/rooms/${encodeURIComponent(id)}/board.csv`;
/** @returns {Promise<Api.LobbyResponse>} */
export const readLobby = () => get("lobby");
/**
 * Say one of the phrases to the others at the table.
 * @param {string} id
 * @param {Api.PhraseRequest["phrase"]} phrase
 * @returns {Promise<Api.DoneResponse>}
 */
export const say = (id, phrase) => post(`games/${encodeURIComponent(id)}/phrases`, { phrase });
/**
 * Read the rematch of a finished game among friends, and the score of the games so far.
 * @param {string} id
 * @returns {Promise<Api.RematchResponse>}
 */
export const readRematch = (id) => get(`games/${encodeURIComponent(id)}/rematch`);
/**
 * @param {Api.InvitationRequest} options
 * @returns {Promise<Api.InvitationView>}
 */
export const invite = (options) => post("invitations", options);
/** @returns {Promise<Api.InvitationsResponse>} */
export const readInvitations = () => get("invitations");
/**
 * @param {string} id
 * @returns {Promise<Api.InvitationView>}
 */
export const readInvitation = (id) => get(`invitations/${encodeURIComponent(id)}`);
/**
 * @param {string} id
 * @param {string} hash
 * @returns {Promise<Api.InvitationView>}
 */
export const join = (id, hash) => post(`invitations/${encodeURIComponent(id)}/join`, { number_hash: hash });
/**
 * @param {string} id
 * @param {string} number
 * @returns {Promise<Api.InvitationView>}
 */
export const reveal = (id, number) => post(`invitations/${encodeURIComponent(id)}/reveal`, { number });
/**
 * @param {string} id
 * @returns {Promise<Api.DoneResponse>}
 */
export const withdrawInvitation = (id) => send("DELETE", `invitations/${encodeURIComponent(id)}`, {});
/**
 * @param {string} secret
 * @returns {Promise<Page.View>}
 */
export const readWatched = (secret) => get(`watch/${encodeURIComponent(secret)}`).then(withLog);
/**
 * @param {Api.SandboxRequest} request
 * @returns {Promise<Page.View>}
 */
export const readSandbox = (request) => post("sandbox", request);
/**
 * @param {Api.SandboxRequest} request
 * @returns {Promise<Api.HintResponse>}
 */
export const sandboxHint = (request) => post("sandbox/hint", request);
/**
 * @param {Api.SandboxRequest} request
 * @param {string} opponent
 * @returns {Promise<Api.ChoiceResponse>}
 */
export const sandboxChoice = (request, opponent) => post("sandbox/choice", { ...request, opponent });
/**
 * @param {Api.SandboxRequest} request
 * @param {number} seat
 * @returns {Promise<Api.ReviewResponse>}
 */
export const sandboxReview = (request, seat) => post("sandbox/review", { ...request, seat });
/**
 * @param {Api.SandboxRequest} request
 * @returns {Promise<Api.RecordTextResponse>}
 */
export const sandboxRecord = (request) => post("sandbox/record", request);
/**
 * @param {string} text
 * @returns {Promise<Api.RecordResponse>}
 */
export const readRecord = (text) => post("records", { text });
/**
 * @param {string} id
 * @returns {Promise<Api.HintResponse>}
 */
export const hint = (id) => get(`games/${encodeURIComponent(id)}/hint`);
/**
 * @param {string} id
 * @returns {Promise<Api.EstimatesResponse>}
 */
export const estimates = (id) => get(`games/${encodeURIComponent(id)}/hint/estimates`);
/**
 * @param {string} id
 * @returns {Promise<Api.SharedResponse>}
 */
export const share = (id) => post(`games/${encodeURIComponent(id)}/share`, {});
/**
 * @param {string} id
 * @param {string} confirmation
 * @returns {Promise<Api.ConfirmationsResponse>}
 */
export const confirm = (id, confirmation) => post(`games/${encodeURIComponent(id)}/confirm`, { confirmation });
/**
 * @param {string} id
 * @returns {Promise<Api.DoneResponse>}
 */
export const withdraw = (id) => send("DELETE", `games/${encodeURIComponent(id)}/share`, {});
/**
 * @param {string} secret
 * @returns {Promise<Page.View>}
 */
export const readShared = (secret) => get(`shared/${encodeURIComponent(secret)}`).then(withLog);
/**
 * @param {string} secret
 * @returns {Promise<Api.ReviewResponse>}
 */
export const reviewShared = (secret) => get(`shared/${encodeURIComponent(secret)}/review`);
/**
 * @param {string} id
 * @param {number} [seat]
 * @returns {Promise<Api.ReviewResponse>}
 */
export const review = (id, seat = null) =>
  get(`games/${encodeURIComponent(id)}/review${seat === null ? "" : `?seat=${seat}`}`);
/**
 * @param {string} id
 * @param {number} [seat]
 * @returns {Promise<Api.EstimatedReviewResponse>}
 */
export const estimatedReview = (id, seat = null) =>
  get(`games/${encodeURIComponent(id)}/review/estimates${seat === null ? "" : `?seat=${seat}`}`);
/**
 * @param {string} id
 * @returns {Promise<Api.ExcitementResponse>}
 */
export const excitement = (id) => get(`games/${encodeURIComponent(id)}/excitement`);
/**
 * @param {string} id
 * @returns {Promise<Api.SurfaceResponse>}
 */
export const surface = (id) => get(`games/${encodeURIComponent(id)}/surface`);
/**
 * @param {string} game
 * @param {string} [day] by default today
 * @returns {Promise<Page.Puzzle>}
 */
export const readPuzzle = (game, day) => get(`puzzles/${encodeURIComponent(game)}${day ? `?day=${day}` : ""}`);
/**
 * @param {string} game
 * @param {string} day
 */
export const pictureAddress = (game, day) => `api/puzzles/${encodeURIComponent(game)}/${day}.png`;
/** @returns {Promise<Api.PuzzlesResponse>} */
export const readPuzzles = () => get("puzzles");
/**
 * @param {string} game
 * @param {string} day
 * @param {string} label
 * @returns {Promise<Page.Puzzle>}
 */
export const answerPuzzle = (game, day, label) => post(`puzzles/${encodeURIComponent(game)}`, { day, label });
/** @returns {Promise<Api.StatisticsResponse>} */
export const statistics = () => get("statistics");
