/** The server of a page in one file: it answers the requests of the page's modules in this browser, from the data in the
 * file and the browser's storage. */

import { outcomeFor } from "../game-view.js";
import { Game } from "../translated-game.js";
import { LiveGame, hashOf, seatOf } from "./live-game.js";
import { Refusal } from "./refusal.js";
import { resultsOf } from "./results.js";
import { review } from "./review.js";
import { Searching } from "./searching.js";
import { Solver } from "./solving.js";
import { hex } from "../sha256.js";

const MAX_STORED = 50; // games
const NO_ID = "0".repeat(32);
const PREPARED = { ready: true, playable: true, stage: "", done: 0, total: 0, error: /** @type {null} */ (null) };

/** @typedef {(body: any, ...parts: string[]) => unknown} Handler */

export class FileServer {
  /**
   * @param {any} file the data of the file
   * @param {any} module the rules in JavaScript
   * @param {Uint8Array} data the columns of the table
   */
  constructor(file, module, data) {
    const game = new Game(module, module.RULES);
    this.file = file;
    /** @type {import("./live-game.js").Rules} */
    this.rules = { module, game, catalog: file.catalog.games[0], rules: file.rules };
    this.solver = file.table && new Solver(this.rules, file, data);
    this.searching = file.searching && new Searching(game, file);
    this.key = `komi.file.${file.key}`;
    /** @type {Map<string, LiveGame>} */
    this.live = new Map();
    /** @type {Map<string, string>} */
    this.seeds = new Map(); // of games that have not begun, by commitment
    /** @type {Record<string, import("./live-game.js").Saved> | null} */
    this.kept = null; // the games of this page, once they cannot be stored
    /** @type {[RegExp, Handler][]} */
    this.handlers = [
      [/^GET catalog$/, () => file.catalog],
      [/^GET rules\/.+$/, () => ({ source: file.source })],
      [/^GET consent$/, () => ({ study: false, agreed: null })],
      [/^GET invitations$/, () => ({ invitations: [] })],
      [/^POST preparations$/, () => this.solver?.preparation() ?? PREPARED],
      [/^GET preparations\/solution$/, () => this.solver.preparation()],
      [/^POST opponents$/, () => ({ opponents: this.rules.catalog.opponents })],
      [/^POST strengths$/, () => ({ ready: true, matches: [] })],
      [/^POST how-to-play$/, () => ({ paragraphs: file.howToPlay })],
      [/^POST commitments$/, () => this.commit()],
      [/^POST games$/, (body) => this.begin(body)],
      [/^GET games(?:\?(.*))?$/, (_, question) => this.list(Object.fromEntries(new URLSearchParams(question)))],
      [/^GET games\/(\w+)$/, (_, id) => this.resume(this.find(id))],
      [/^DELETE games\/(\w+)$/, (_, id) => this.remove(id)],
      [/^POST games\/(\w+)\/moves$/, (body, id) => this.move(body, this.find(id))],
      [/^POST games\/(\w+)\/resign$/, (_, id) => this.resign(this.find(id))],
      [/^POST games\/(\w+)\/takeback$/, (body, id) => this.takeBack(body, this.find(id))],
      [/^GET games\/(\w+)\/hint$/, (_, id) => this.hint(this.find(id))],
      [/^GET games\/(\w+)\/review(?:\?seat=(\d+))?$/, (_, id, seat) => this.review(this.find(id), seat)],
      [/^GET games\/(\w+)\/hint\/estimates$/, (_, id) => this.estimates(this.find(id))],
      [/^GET games\/(\w+)\/review\/estimates(?:\?seat=(\d+))?$/, (_, id, seat) => this.costliest(this.find(id), seat)],
      [/^GET games\/(\w+)\/surface$/, (_, id) => this.surface(this.find(id))],
      [/^GET statistics$/, () => ({ ratings: [], rows: this.statistics() })],
      [/^POST sandbox$/, (body) => this.sandbox(body).view()],
      [/^POST sandbox\/hint$/, (body) => this.hint(this.sandbox(body))],
      [/^POST sandbox\/choice$/, (body) => this.choice(body)],
      [/^POST sandbox\/review$/, (body) => review(this.solution, this.sandbox(body), body.seat)],
    ];
  }

  /**
   * Answer a request, as `fetch` does.
   * @param {string} address
   * @param {RequestInit} [options]
   */
  async fetch(address, { method = "GET", body } = {}) {
    const language = /^languages\/(\w+)\.json$/.exec(address);
    if (language) return answer(200, this.file.languages[language[1]]);
    const request = `${method} ${address.replace(/^api\//, "")}`;
    try {
      for (const [path, handle] of this.handlers) {
        const found = path.exec(request);
        if (found) return answer(200, await handle(body ? JSON.parse(String(body)) : null, ...found.slice(1)));
      }
      throw new Refusal(404, "A page in one file does not offer this.");
    } catch (error) {
      if (!(error instanceof Refusal)) return answer(500, { error: String(error.message) });
      const headers = error.after === null ? {} : { "retry-after": String(error.after) };
      const game = error.live && (await this.resume(error.live).catch(() => error.live.view()));
      return answer(error.status, { error: error.message, game }, headers);
    }
  }

  /** The solution; null in a game whose opponents search. */
  get solution() {
    return this.solver ? this.solver.solution : null;
  }

  commit() {
    const [commitment, seed] = [random(16), random(32)];
    this.seeds.set(commitment, seed);
    return { commitment, hash: hashOf(seed) };
  }

  /** @param {Api.GameRequest} request */
  begin(request) {
    const seed = this.seeds.get(request.commitment);
    const { game, catalog } = this.rules;
    if (!seed) throw new Refusal(404, "There is no such commitment: request a new one.");
    if (request.opponent && !catalog.opponents.some(({ name }) => name === request.opponent))
      throw new Refusal(422, `${catalog.title} has no opponent '${request.opponent}'.`);
    if (!request.opponent && !request.names && game.players > 1)
      throw new Refusal(422, `${catalog.title} is played against an opponent: name one.`);
    if (request.names && request.names.length !== game.players)
      throw new Refusal(422, `${catalog.title} is for ${game.players} here, not for ${request.names.length}.`);
    const isOther = (/** @type {[string, any]} */ [name, value]) => String(value) !== String(this.rules.rules[name]);
    if (Object.entries(request.rules ?? {}).some(isOther))
      throw new Refusal(422, `The rules of ${catalog.title} cannot be changed here.`);
    if (request.mode === "test" && game.hides)
      throw new Refusal(422, `${catalog.title} has hidden information: you cannot enter chance events by hand.`);
    const live = new LiveGame(this.rules, {
      id: request.commitment,
      opponent: request.opponent ?? "",
      names: request.names?.map((name, seat) => name.trim() || `Player ${seat + 1}`) ?? null,
      seat: seatOf(request, seed, game.players),
      lot: request.seat === "either" && !request.names,
      mode: request.mode,
      seed,
      number: request.number,
      started: new Date().toISOString(),
      log: [],
      resigned: null,
    });
    this.checkOpponent(live);
    this.seeds.delete(request.commitment);
    this.live.set(live.saved.id, live);
    return this.proceed(live);
  }

  /**
   * Store the game, play until a person must act, and return what the page shows.
   * @param {LiveGame} live
   */
  proceed(live) {
    this.store(live.saved.id);
    return this.resume(live);
  }

  /**
   * Play until a person must act, and return what the page shows.
   * @param {LiveGame} live
   */
  async resume(live) {
    const { number } = live;
    await live.advance((state) => this.choose(state, live.saved.opponent));
    if (live.number !== number) this.store(live.saved.id);
    return live.view();
  }

  /**
   * @param {any} state
   * @param {string} opponent
   * @returns {number | Promise<number>}
   */
  choose(state, opponent) {
    if (this.searching) return this.searching.choose(state, opponent);
    return this.solution.choose(state, opponent, this.file.horizons[opponent]);
  }

  /** @param {string} id */
  find(id) {
    const live = this.live.get(id);
    const { [id]: saved } = this.saved;
    if (!saved) throw new Refusal(404, "There is no such game.");
    if (live && (live.advancing || JSON.stringify(live.saved) === JSON.stringify(saved))) return live;
    const found = new LiveGame(this.rules, saved); // it is new here, or has gone on in another tab
    this.live.set(id, found);
    return found;
  }

  /**
   * List the games that pass the filters of the server's API, newest first: as few as are stored are one page.
   * @param {Record<string, string>} wanted
   * @returns {Api.GamesResponse}
   */
  list({ over, opponent, result, text = "" }) {
    const games = Object.values(this.saved).map((saved) => this.summary(this.find(saved.id)));
    const found = games.filter(
      (game) =>
        [undefined, String(game.over)].includes(over) &&
        [undefined, rivalOf(game)].includes(opponent) &&
        (result === undefined || game.result === result) &&
        (text === "" || game.names?.some((name) => name.toLowerCase().includes(text.toLowerCase()))),
    );
    const rivals = [...new Set(games.map(rivalOf))];
    const played = rivals.map((rival) => ({ game: this.rules.catalog.name, opponent: rival }));
    return { games: found.reverse(), more: false, played };
  }

  /**
   * @param {LiveGame} live
   * @returns {Api.GameSummaryView}
   */
  summary(live) {
    const { id, opponent, names, mode, started, seat } = live.saved;
    const { number, isOver: over } = live;
    const result = over && !names ? outcomeFor(live.payoffs().payoffs, seat) : null;
    const game = this.rules.catalog.name;
    return { id, game, opponent, names, mode, started, ended: null, over, result, turn: !over, number };
  }

  /** @param {string} id */
  remove(id) {
    this.live.delete(id);
    this.store(id);
    return { done: true };
  }

  /**
   * @param {{ number: number, move: string }} request
   * @param {LiveGame} live
   */
  move({ number, move }, live) {
    if (live.saved.log[number]?.label === move) return this.resume(live); // a repeated request
    if (number !== live.number) throw new Refusal(409, "The game has moved on: this move comes too late.", live);
    if (!live.possible.includes(move)) throw new Refusal(422, `'${move}' is not legal now.`, live);
    this.checkOpponent(live);
    live.enter(move, live.now.waiting === "event" ? "hand" : "you");
    return this.proceed(live);
  }

  /** @param {LiveGame} live */
  resign(live) {
    if (!live.isOver) live.saved.resigned = live.isAtOneDevice ? live.now.mover : live.saved.seat;
    this.store(live.saved.id);
    return live.view();
  }

  /**
   * @param {{ number: number }} request
   * @param {LiveGame} live
   */
  takeBack({ number }, live) {
    if (number !== live.number) throw new Refusal(409, "The game has moved on.", live);
    this.checkOpponent(live);
    if (live.saved.mode !== "test" || !live.takeBack()) throw new Refusal(422, "There is nothing to take back.", live);
    return this.proceed(live);
  }

  /**
   * @param {LiveGame} live
   * @returns {Api.HintResponse}
   */
  hint(live) {
    this.checkSolution();
    this.checkHint(live);
    const actions = this.solution.actions(live.table.state);
    return { actions, best: actions[0].label };
  }

  /** @param {LiveGame} live */
  async estimates(live) {
    this.checkHint(live);
    return { actions: await this.searching.estimates(live.table) };
  }

  /** @param {LiveGame} live */
  checkHint(live) {
    const isPersons = live.isPersonsTurn && live.now.waiting === "action";
    if (!isPersons) throw new Refusal(409, "It is not your turn: there is no hint.");
  }

  /**
   * Check that the opponent can choose, unless the game is still being solved.
   * @param {LiveGame} live
   */
  checkOpponent({ saved }) {
    if (saved.opponent) this.solver?.check();
  }

  checkSolution() {
    const { title } = this.rules.catalog;
    const sentence = `Optimal play of ${title} is not known here, where games of this kind or size are not solved.`;
    if (!this.solution) throw new Refusal(404, sentence);
  }

  /**
   * @param {LiveGame} live
   * @param {string} [seat]
   */
  async costliest(live, seat = String(live.saved.seat)) {
    this.checkReview(live);
    return { worst: await this.searching.costliest(live, Number(seat)) };
  }

  /** @param {LiveGame} live */
  checkReview(live) {
    if (!live.isOver) throw new Refusal(409, "The game is not over: there is no review yet.");
  }

  /**
   * @param {LiveGame} live
   * @param {string} [seat]
   */
  review(live, seat = String(live.saved.seat)) {
    this.checkSolution();
    this.checkReview(live);
    return review(this.solution, live, Number(seat));
  }

  /**
   * Return the hold values, with the point of the current position on them.
   * @param {LiveGame} live
   */
  surface(live) {
    const { surface } = this.file;
    if (!surface) throw new Refusal(404, "This page does not hold the hold values.");
    const { score: x, rival: y, turn: z } = this.rules.game.shown(live.table.state);
    return { ...surface, now: { x, y, z } };
  }

  /** Return the results against each opponent. */
  statistics() {
    const { catalog } = this.rules;
    const over = Object.keys(this.saved)
      .map((id) => this.find(id))
      .filter(({ isOver, saved }) => isOver && saved.opponent && saved.mode === "normal");
    return catalog.opponents
      .map(({ name }) => over.filter(({ saved }) => saved.opponent === name))
      .filter((games) => games.length > 0)
      .map((games) => resultsOf(catalog.name, games, this.solver?.solved ? (live) => this.review(live) : null));
  }

  /**
   * Return a game of the sandbox, in which a person plays for all seats.
   * @param {Api.SandboxRequest} request
   */
  sandbox({ start, labels, names }) {
    if (start) throw new Refusal(422, "A page in one file has no other first position.");
    const { players, hides } = this.rules.game;
    if (hides) throw new Refusal(422, `${this.rules.catalog.title} has hidden information: it has no sandbox.`);
    const given = names.length === players ? names : Array.from({ length: players }, (_, seat) => `Player ${seat + 1}`);
    /** @type {import("./live-game.js").Saved} */
    const saved = {
      ...{ id: NO_ID, opponent: "", names: players > 1 ? given : null, seat: 0, lot: false, mode: "test" },
      ...{ seed: NO_ID + NO_ID, number: NO_ID, started: "", log: [], resigned: null },
    };
    const live = new LiveGame(this.rules, saved);
    for (const label of labels) {
      if (!live.possible.includes(label)) throw new Refusal(422, `'${label}' is not legal now.`);
      live.enter(label, live.now.waiting === "event" ? "hand" : "you");
    }
    return live;
  }

  /** @param {Api.SandboxRequest & { opponent: string }} request */
  async choice({ opponent, ...request }) {
    const { table } = this.sandbox(request);
    return { label: this.rules.game.label(table.state, await this.choose(table.state, opponent)) };
  }

  /**
   * The stored games by id, with those of other tabs. Without storage, games last as long as the page is open.
   * @returns {Record<string, import("./live-game.js").Saved>}
   */
  get saved() {
    if (this.kept) return this.kept;
    try {
      return JSON.parse(localStorage.getItem(this.key)) ?? {};
    } catch {
      return {};
    }
  }

  /**
   * Store a game that has changed, or was removed.
   * @param {string} id
   */
  store(id) {
    const { [id]: before, ...others } = this.saved; // eslint-disable-line no-unused-vars
    const live = this.live.get(id);
    const all = live ? { ...this.saved, [id]: live.saved } : others;
    const latest = Object.fromEntries(Object.entries(all).slice(-MAX_STORED));
    try {
      localStorage.setItem(this.key, JSON.stringify(latest));
    } catch {
      this.kept = latest;
    }
  }
}

/**
 * @param {number} status
 * @param {unknown} body
 * @param {Record<string, string>} [headers]
 */
const answer = (status, body, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });

/**
 * Draw random bytes, in hexadecimal digits.
 * @param {number} bytes
 */
const random = (bytes) => hex(crypto.getRandomValues(new Uint8Array(bytes)));

/** @param {Api.GameSummaryView} game */
const rivalOf = ({ names, opponent }) => (names ? "people" : opponent || "alone");
