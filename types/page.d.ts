/** The types that several modules of the page share. They are not served. */
declare namespace Page {
  /** The fields of a state. The fields that the page uses in computations are numbers. */
  type State = Record<string, number>;
  /** The values of rules. A module that computes with a rule knows its type. */
  type Rules = Record<string, any>;

  type Position = Omit<Api.PositionView, "state"> & { state: State | null };
  type Snapshot = Position & { mover: number | null };
  type Line = Omit<Api.LogLineView, "state"> & { state: State | null };
  type Square = Pick<Api.SquareView, "row" | "column"> & Partial<Api.SquareView>;
  /** A game; `isSpectator` for spectators, `isByName` if the user's own seat is shown by name as well. A game that is played
   * has the response of the server as `received`, and the outcomes of the legal actions as `choices`; see game-rules.js. */
  type View = Omit<Api.GameView, "state" | "rules" | "start" | "log"> & {
    state: State | null;
    rules: Rules;
    start: Position;
    log: Line[];
    isSpectator?: boolean;
    isByName?: boolean;
    received?: View;
    choices?: Replay["choices"];
  };
  /** The fields of a view on which the names of players and the measure of a game depend. */
  type Seating = Partial<Pick<View, "you" | "company" | "names" | "players" | "opponent" | "objective" | "isByName">>;
  type Puzzle = Omit<Api.PuzzleView, "position"> & { position: View };

  type Preparation = Api.PreparationResponse & { after?: number };

  type Child = Node | string | number | boolean | null | undefined | Child[];
  interface Attributes {
    [name: string]: any;
    onclick?(event: MouseEvent): unknown;
    onkeydown?(event: KeyboardEvent): unknown;
    onsubmit?(event: SubmitEvent): unknown;
    onpointerdown?(event: PointerEvent): unknown;
    onpointermove?(event: PointerEvent): unknown;
  }
  type Say = (sentence: string) => void;
  type Send = (label: string) => void;
  /** Adds an objection to a game or to one of its steps. */
  type Objection = (sentence: string, step?: number | null) => void;

  type SkipSignal = import("../src/komi/web/page/motion.js").SkipSignal;
  type Options = import("../src/komi/web/page/begin.js").GameOptions;
  type Table = import("../src/komi/web/page/table.js").Table;
  type Measure = ReturnType<typeof import("../src/komi/web/page/words.js").measureOf>;

  /** The display of a game: shows positions and events, and offers choices where it can. */
  interface Face {
    root: HTMLElement;
    view: View;
    changed?: () => void;
    show(snapshot: Snapshot, entries?: Line[]): void;
    animate(entry: Line, before: Snapshot, after: Snapshot, skip: SkipSignal): Promise<void>;
    describe(entry: Line, before: Snapshot, after: Snapshot): string | null;
    question?(seat: number): string | null;
    offer?(actions: Api.ActionView[], send: Send): void;
    offerEvents?(events: Api.EventView[], send: Send): boolean;
    buttons?(): HTMLButtonElement[];
    takes?(action: Api.ActionView): boolean;
    label?(text: string): Child;
    mark?(labels: string[], worths?: [string, string][]): void;
    press?(key: string): boolean;
  }

  /** The terms that were agreed before a game. */
  interface Terms {
    game: string;
    face: string;
    source: string;
    translation: string | null; // the hash of the rules in JavaScript
    rules: Rules;
    changed: string[]; // the rules that differ from the catalog
    mode: Api.GameView["mode"];
    seat: string;
    company: string | null;
    clock: Api.TimeControlView | null;
    players: number | null;
    opponent: any; // only the name in games that an earlier version started
    names: string[] | null;
  }

  /** The data that this browser stores about a game. Games that an earlier version started have no version. */
  interface StoredCommitment extends Terms {
    version?: number;
    hash: string;
    number: string;
    hashes: string[] | null;
    shown: any; // see constantFields
    steps: (string | null)[];
    views?: [number, string][];
    sent: { number: number; label: string | null; refused: boolean }[];
    aborted: number;
    hides?: boolean;
    isHost?: boolean;
    next?: number | null; // the seat in a rematch in which all move on to the next one
    key?: string | null; // of the link to a table of friends
    isOver?: boolean;
    isAltered?: boolean; // later responses differed in what never changes
    refusals?: number; // of legal moves
    allRules?: Rules;
  }

  /** The rules of a game, as the server sends them. `isExpected`: they are those that were promised before the game;
   * `isRun`: they also import nothing, and are run. */
  interface GameRules {
    source: string;
    hash: string;
    isBuiltIn: boolean;
    isExpected: boolean;
    isRun: boolean;
    replay: Replay | null;
  }

  /** A game as it is played by its rules; see replay.js. */
  interface Replay {
    defaults: Rules;
    players: number;
    objective: string | null;
    card: Api.ScoreRowView[] | null;
    hides: boolean;
    isChance: boolean;
    range: number[];
    choices: Record<string, Consequence[]>;
    moments: Moment[];
  }

  /** The table after some steps. `shown` is what the view of a running game shows of it to this browser. */
  interface Moment {
    entry: any;
    seat: number;
    mover: number | null;
    waiting: string | null;
    isPending: boolean;
    isStopped: boolean;
    results: number[] | null;
    points: number[] | null;
    score: number | null;
    labels: string[];
    events: { label: string; probability: number; after: any; faces?: number[] | null }[];
    position: any;
    shown: any;
  }

  /** An outcome of an action, as the page shows it. */
  interface Consequence {
    label: string;
    probability: number;
    state: State;
    passes: number;
  }

  /** An outcome of an action; `after` is a state of the module of the rules. */
  interface Event {
    label: string;
    probability: number;
    after: any;
    passes: number;
  }
}
