/** The requests and responses of komi's API. scripts/api_types.py writes this file. */
declare namespace Api {
  interface AccountRequest {
    name: string;
    password: string;
    present?: string;
  }

  interface AccountResponse {
    name: string | null;
  }

  interface ActionValueView {
    label: string;
    worth: number;
    value: "win" | "draw" | "loss" | null;
    plies: number | null;
  }

  interface ActionView {
    keeps: number[] | null;
    scores: [number, number][];
    label: string;
    square: [number, number] | null;
    target: [number, number] | null;
    then: string[];
    item: number | null;
  }

  interface AxisView {
    field: string;
    values: number[];
  }

  interface BesideView {
    doing: string;
    whose: string;
    number: number;
  }

  interface BoardResponse {
    room: RoomView;
    pupils: PupilView[];
  }

  interface CatalogGameView {
    name: string;
    title: string;
    summary: string;
    face: string;
    group: "own" | "luck" | "dice" | "cards" | "board" | "simultaneous" | "alone";
    players: number;
    seats: number;
    hides: boolean;
    solved: boolean;
    rules: RuleView[];
    fields: NamedView[];
    opponents: OpponentView[];
    rivals: OpponentView[];
    source: string;
    minutes: number | null;
  }

  interface CatalogResponse {
    games: CatalogGameView[];
  }

  interface ChanceView {
    number: number;
    chance: number;
  }

  interface ChoiceResponse {
    label: string;
  }

  interface ClockView {
    minutes: number;
    seconds: number;
    left: number[];
  }

  interface CodeOwnerResponse {
    name: string | null;
    games: number;
  }

  interface CommitmentResponse {
    commitment: string;
    hash: string;
  }

  interface ConfirmationRequest {
    confirmation: string;
  }

  interface ConfirmationsResponse {
    confirmations: (string | null)[];
  }

  interface ConsentRequest {
    agreed: boolean;
  }

  interface ConsentResponse {
    study: boolean;
    agreed: boolean | null;
  }

  interface DecisionView {
    number: number;
    seat: number;
    state: Record<string, number | string>;
    chosen: string;
    best: string;
    worth: Record<string, number>;
    loss: number;
    reasons: Record<string, OutcomeGroupView[]>;
  }

  interface DeviceCodeRequest {
    code: string;
  }

  interface DeviceCodeResponse {
    words: string[];
    link: string;
    qr: string;
    seconds: number;
  }

  interface DoneResponse {
    done: true;
  }

  interface EmptyRequest {}

  interface ErrorResponse {
    error: string;
    game: Record<string, unknown> | null;
  }

  interface EstimateView {
    label: string;
    worth: number;
    stderr: number | null;
  }

  interface EstimatedDecisionView {
    number: number;
    chosen: string;
    best: string;
    loss: number;
    stderr: number;
  }

  interface EstimatedReviewResponse {
    worst: EstimatedDecisionView | null;
  }

  interface EstimatesResponse {
    actions: EstimateView[];
  }

  interface EventView {
    label: string;
    probability: number;
    faces: number[] | null;
  }

  interface ExcitementResponse {
    games: number;
    error: number;
    figures: FigureView[];
  }

  interface FairnessView {
    hash: string;
    number: string;
    numbers: string[] | null;
    seed: string | null;
    lot: boolean;
    protocol: number;
    source: string;
  }

  interface FigureView {
    name: "lead_changes" | "surprise" | "lowest" | "decisive";
    value: number;
    below: number;
    above: number;
  }

  interface GameRequest {
    game: string;
    rules?: Record<string, boolean | number | string>;
    opponent?: string | null;
    seat?: "first" | "second" | "either";
    mode?: "normal" | "test";
    commitment?: string | null;
    number?: string | null;
    names?: string[] | null;
  }

  interface GameSummaryView {
    id: string;
    game: string;
    opponent: string;
    names: string[] | null;
    mode: "normal" | "test";
    started: string;
    ended: string | null;
    over: boolean;
    result: "won" | "lost" | "drew" | "shared" | "got" | null;
    turn: boolean;
    number: number;
  }

  interface GameView {
    state: Record<string, number | string> | null;
    observer: number;
    written: string;
    squares: SquareView[] | null;
    beside: BesideView[] | null;
    throw: [number, number] | null;
    faces: number[] | null;
    filled: number[] | null;
    table: ItemView[] | null;
    id: string;
    game: string;
    face: string;
    solved: boolean;
    searched: boolean;
    rules: Record<string, boolean | number | string>;
    mode: "normal" | "test";
    opponent: OpponentNameView;
    names: string[] | null;
    company: "device" | "link" | null;
    players: number;
    you: number;
    objective: string | null;
    card: ScoreRowView[] | null;
    number: number;
    mover: number | null;
    waiting: "action" | "event" | null;
    actions: ActionView[];
    events: EventView[];
    decided: boolean;
    pending: PendingView | null;
    start: PositionView;
    first: number;
    log: LogLineView[];
    result: ResultView | null;
    clock: ClockView | null;
    fairness: FairnessView;
  }

  interface GamesResponse {
    games: GameSummaryView[];
    more: boolean;
    played: PlayedView[];
  }

  interface HintResponse {
    actions: ActionValueView[];
    best: string;
  }

  interface HowToPlayResponse {
    paragraphs: string[];
  }

  interface InvitationRequest {
    number?: string | null;
    number_hash?: string | null;
    game: string;
    rules?: Record<string, boolean | number | string>;
    seat?: "first" | "second" | "either" | "next";
    clock?: TimeControlRequest | null;
    commitment: string;
    follows?: string | null;
    open?: boolean;
  }

  interface InvitationView {
    id: string;
    game: string;
    rules: Record<string, boolean | number | string>;
    seat: "first" | "second" | "either" | "next";
    players: number;
    clock: TimeControlView | null;
    hash: string;
    names: string[];
    seated: boolean;
    host: boolean;
    begun: boolean;
    watch: string | null;
    number_hashes: string[];
    revealed: boolean;
    rematch: boolean;
    follows: string | null;
    open: boolean;
  }

  interface InvitationsResponse {
    invitations: InvitationView[];
  }

  interface ItemView {
    kind: string;
    place: string;
    owner: number | null;
    text: string;
    numbers: number[];
  }

  interface JoinRequest {
    number?: string | null;
    number_hash?: string | null;
  }

  interface LobbyResponse {
    waiting: WaitingTableView[];
    running: RunningTableView[];
  }

  interface LogLineView {
    keeps: number[] | null;
    scores: [number, number][];
    state: Record<string, number | string> | null;
    observer: number;
    written: string;
    squares: SquareView[] | null;
    beside: BesideView[] | null;
    throw: [number, number] | null;
    faces: number[] | null;
    filled: number[] | null;
    table: ItemView[] | null;
    number: number;
    seat: number;
    kind: "action" | "event";
    label: string;
    by: "you" | "friend" | "computer" | "chance" | "hand";
    mover: number | null;
    luck: number | null;
    outcomes: [string, number][] | null;
    afters: OutcomeStateView[] | null;
    gained: number | null;
    revealed: string;
    laid: ItemView[] | null;
  }

  interface MoveRequest {
    number: number;
    move: string;
    known?: number;
  }

  interface NamedView {
    name: string;
    means: string;
  }

  interface NewsResponse {
    number: number;
    over: boolean;
    turn: boolean;
    phrases: PhraseView[];
  }

  interface OpponentNameView {
    name: string;
    title: string;
  }

  interface OpponentView {
    name: string;
    title: string;
    summary: string;
  }

  interface OpponentsResponse {
    opponents: OpponentView[];
  }

  interface OutcomeGroupView {
    ends: "nothing" | "turn" | "game";
    probability: number;
    worth: number;
  }

  interface OutcomeStateView {
    state: Record<string, number | string>;
    observer: number;
  }

  interface PasswordRequest {
    password: string;
  }

  interface PendingView {
    label: string;
  }

  interface PhraseRequest {
    phrase: "hello" | "well" | "thanks";
  }

  interface PhraseView {
    seat: number;
    phrase: "hello" | "well" | "thanks";
    said: string;
  }

  interface PlayedView {
    game: string;
    opponent: string;
  }

  interface PositionView {
    state: Record<string, number | string> | null;
    observer: number;
    written: string;
    squares: SquareView[] | null;
    beside: BesideView[] | null;
    throw: [number, number] | null;
    faces: number[] | null;
    filled: number[] | null;
    table: ItemView[] | null;
  }

  interface PreparationRequest {
    game: string;
    rules?: Record<string, boolean | number | string>;
    opponent?: string | null;
  }

  interface PreparationResponse {
    key: string;
    ready: boolean;
    playable: boolean;
    stage: string;
    done: number;
    total: number;
    error: string | null;
  }

  interface ProfileRequest {
    name: string | null;
  }

  interface ProfileResponse {
    name: string | null;
  }

  interface PupilView {
    name: string;
    playing: boolean;
    games: number;
    won: number;
    decisions: number;
    loss: number | null;
    actions: Record<string, number>;
  }

  interface PuzzleAnswerRequest {
    day: string;
    label: string;
  }

  interface PuzzleSummaryView {
    game: string;
    streak: number;
    answers: Record<string, boolean>;
  }

  interface PuzzleView {
    day: string;
    position: GameView;
    options: string[];
    answered: string | null;
    best: string | null;
    worth: Record<string, number> | null;
    reasons: Record<string, OutcomeGroupView[]>;
    others: Record<string, number>;
    streak: number;
    picture: boolean;
  }

  interface PuzzlesResponse {
    day: string;
    days: number;
    puzzles: PuzzleSummaryView[];
  }

  interface RatingView {
    game: string;
    rules: Record<string, boolean | number | string>;
    objective: string | null;
    games: number;
    loss: number;
    error: number | null;
    course: number[];
  }

  interface RecordRequest {
    text: string;
  }

  interface RecordResponse {
    game: string;
    rules: Record<string, boolean | number | string>;
    start: string | null;
    labels: string[];
    names: string[];
    seat: number;
  }

  interface RecordTextResponse {
    text: string;
  }

  interface RematchResponse {
    table: InvitationView | null;
    games: number;
    score: number[];
    phrases: PhraseView[];
  }

  interface ResultView {
    payoffs: number[];
    points: number[] | null;
    score: number | null;
    stopped: boolean;
    resigned: number | null;
    late: boolean;
    you: "won" | "lost" | "drew" | "shared" | "got";
  }

  interface RevealRequest {
    number: string;
  }

  interface ReviewResponse {
    decisions: DecisionView[];
    worst: number | null;
    start: number;
    curve: ChanceView[];
    mistakes: number;
    gifts: number;
    luck: number;
    skill: number;
    accuracy: number | null;
  }

  interface RoomCodeRequest {
    code: string;
  }

  interface RoomJoinRequest {
    code: string;
    name: string;
  }

  interface RoomRequest {
    game: string;
    rules?: Record<string, boolean | number | string>;
    opponent?: string | null;
  }

  interface RoomView {
    id: string;
    code: string;
    game: string;
    rules: Record<string, boolean | number | string>;
    opponent: string;
    teacher: boolean;
    joined: boolean;
  }

  interface RoomsResponse {
    rooms: RoomView[];
  }

  interface RuleView {
    name: string;
    means: string;
    default: boolean | number | string;
    least: number | null;
    greatest: number | null;
    words: string[] | null;
  }

  interface RulesModuleResponse {
    source: string;
  }

  interface RulesRequest {
    game: string;
    rules?: Record<string, boolean | number | string>;
  }

  interface RungView {
    policy: string;
    opponent: string | null;
    loss: number;
    error: number;
  }

  interface RungsResponse {
    rungs: RungView[];
  }

  interface RunningTableView {
    watch: string;
    game: string;
    rules: Record<string, boolean | number | string>;
    clock: TimeControlView | null;
    names: string[];
  }

  interface SandboxChoiceRequest {
    game: string;
    rules?: Record<string, boolean | number | string>;
    start?: string | null;
    labels?: string[];
    names?: string[];
    opponent: string;
  }

  interface SandboxRequest {
    game: string;
    rules?: Record<string, boolean | number | string>;
    start?: string | null;
    labels?: string[];
    names?: string[];
  }

  interface SandboxReviewRequest {
    game: string;
    rules?: Record<string, boolean | number | string>;
    start?: string | null;
    labels?: string[];
    names?: string[];
    seat?: number;
  }

  interface ScoreRowView {
    name: string;
    part: string;
  }

  interface SharedResponse {
    secret: string;
  }

  interface SignInRequest {
    name: string;
    password: string;
  }

  interface SquareView {
    row: number;
    column: number;
    shows: string;
    tint: number;
    decisive: boolean;
  }

  interface StatisticsResponse {
    ratings: RatingView[];
    rows: StatisticsRowView[];
  }

  interface StatisticsRowView {
    game: string;
    opponent: string;
    games: number;
    wins: number;
    win_rate: number;
    low: number;
    high: number;
    average_mistake: number | null;
    streak: number;
    best_streak: number;
    luck: number | null;
    skill: number | null;
  }

  interface StrengthView {
    a: string;
    b: string;
    average: number;
    low: number;
    high: number;
    games: number;
  }

  interface StrengthsResponse {
    ready: boolean;
    matches: StrengthView[];
  }

  interface SurfacePointView {
    x: number;
    y: number;
    z: number;
  }

  interface SurfaceResponse {
    x: AxisView;
    y: AxisView;
    z: (number | null)[][];
    now: SurfacePointView;
    caption: string;
  }

  interface TakebackRequest {
    number: number;
  }

  interface TimeControlRequest {
    minutes: number;
    seconds?: number;
  }

  interface TimeControlView {
    minutes: number;
    seconds: number;
  }

  interface WaitingCodeResponse {
    waiting: boolean;
  }

  interface WaitingTableView {
    id: string;
    game: string;
    rules: Record<string, boolean | number | string>;
    players: number;
    clock: TimeControlView | null;
    since: string;
    names: string[];
    seated: boolean;
  }
}
