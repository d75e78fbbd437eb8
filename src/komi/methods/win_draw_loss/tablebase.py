"""What solving a game without chance says: win, draw or loss of every position, and the plies to the end."""

import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from komi.compile.compiled import CompiledGame
from komi.compile.kernels import Notice, engine
from komi.errors import InputError, StorageError
from komi.game import Game
from komi.methods.race.solution import AnyState, Seconds, start_of
from komi.methods.win_draw_loss import retrograde
from komi.methods.win_draw_loss.retrograde import Counts, Scores, solve_positions, step
from komi.model import storage
from komi.model.states import StateSet
from komi.progress import Progress, silent

Value = Literal["win", "draw", "loss"]
MOST = 1 << 15  # scores in Python: so much less the plies


@dataclass(frozen=True)
class Worth:
    """What a position or an action is worth to the mover.

    Attributes:
        value: "win", "draw" or "loss".
        plies: actions to the end if the winner hurries and the loser delays; for an action, with itself counted. None
            in a draw.
    """

    value: Value
    plies: int | None

    @property
    def score(self) -> int:
        """Greater is better: quick wins, slow wins, draws, slow losses, quick losses."""
        if self.plies is None:
            return 0
        return MOST - self.plies if self.value == "win" else self.plies - MOST

    @classmethod
    def of(cls, score: int) -> "Worth":
        """The worth that has this score."""
        if score == 0:
            return cls("draw", None)
        return cls("win" if score > 0 else "loss", MOST - abs(score))


@dataclass
class Tablebase:
    """Perfect play of one game without chance under one set of rules.

    States may be given as a State, as a mapping or as text, `field=value,...` or the game's own notation.
    Positions that play cannot reach from the start are solved when asked for.

    Attributes:
        game: the game.
        rules: its rules.
        seconds: how long it took.
        kept: whether it was found on disk.
        unkept: why it could not be kept on disk, if it could not.
    """

    game: Game
    rules: Any
    seconds: Seconds
    kept: bool
    unkept: StorageError | None
    _compiled: CompiledGame = field(repr=False)
    _scores: Scores = field(repr=False)
    _elsewhere: list[Scores] = field(default_factory=list, repr=False)

    error_bound = 0.0
    """Win, draw and loss are exact."""

    @property
    def states(self) -> int:
        """How many positions play can reach, those where the game is over not counted."""
        return self._scores.states.size

    @property
    def counts(self) -> Counts:
        """How many positions that play can reach are won, lost and drawn for the mover, and in how many it is over."""
        return self._scores.counts

    def value(self, state: AnyState | None = None) -> Value:
        """What the mover can force: "win", "draw" or "loss"; the first player at the start."""
        return self.worth(state).value

    def plies(self, state: AnyState | None = None) -> int | None:
        """How many actions play lasts if the winner hurries and the loser delays; None in a draw."""
        return self.worth(state).plies

    def worth(self, state: AnyState | None = None) -> Worth:
        """Value and plies of a position."""
        return Worth.of(self._score(self._read(state)))

    def actions(self, state: AnyState | None = None) -> dict[str, Worth]:
        """What each legal action is worth to the mover, if all play perfectly on; best first.

        Empty where the game is over.
        """
        read = self._read(state)
        if self.game.part("over")(self.rules, read):
            return {}
        scores = {
            label: self._action_score(read, action) for label, action in self.game.labels(self.rules, read).items()
        }
        return {label: Worth.of(score) for label, score in sorted(scores.items(), key=lambda pair: -pair[1])}

    def best(self, state: AnyState | None = None) -> str | None:
        """The best action; None where the game is over."""
        return next(iter(self.actions(state)), None)

    def after(self, state: AnyState | None, action: str) -> Any:
        """The state that an action leads to, by its label.

        Raises:
            InputError: if it is not legal.
        """
        read = self._read(state)
        labels = {} if self.game.part("over")(self.rules, read) else self.game.labels(self.rules, read)
        if action not in labels:
            written, legal = self.game.write(self.rules, read), ", ".join(labels) or "nothing"
            raise InputError(f"{action!r} is not legal in {written}; legal: {legal}.")
        return next(self.game.outcomes(self.rules, read, labels[action]))[1]

    def line(self, state: AnyState | None = None) -> list[str]:
        """The principal line: best actions of both sides to the end, or until a position comes again."""
        here = self._read(state)
        actions: list[str] = []
        seen = set()
        while here not in seen and (action := self.best(here)) is not None:
            seen.add(here)
            actions.append(action)
            here = self.after(here, action)
        return actions

    def check(self) -> None:
        """Prove that every score follows from the rules and from the scores of the positions after it.

        With the finite plies of wins and losses this proves them all, as `retrograde` says.

        Raises:
            GameError: if one does not.
        """
        retrograde.check(self._compiled, self.rules, self._scores.states, self._scores.scores)

    def _read(self, state: AnyState | None) -> Any:
        return self.game.part("start")(self.rules) if state is None else self.game.read(self.rules, state)

    def _action_score(self, state: Any, action: int) -> int:
        _, after, passes = next(self.game.outcomes(self.rules, state, action))
        score = self._score(after)
        return step(-score if passes % 2 else score)

    def _score(self, state: Any) -> int:
        if self.game.part("over")(self.rules, state):
            return int((2.0 * self.game.payoffs(self.rules, state)[0] - 1.0) * MOST)
        for scores in (self._scores, *self._elsewhere):
            index = scores.states.index_of(state)
            if index >= 0:
                score = int(scores.scores[index])
                further = MOST - int(np.iinfo(scores.scores.dtype).max)
                return score + further if score > 0 else score - further if score < 0 else 0
        self._elsewhere.append(solve_positions(self._compiled, self.rules, [state]))
        return self._score(state)


def solve_tablebase(
    game: Game,
    rules: Any,
    *,
    fresh: bool = False,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
) -> Tablebase:
    """Perfect play from the start of a game of two players without chance.

    Args:
        game: the game.
        rules: its rules.
        fresh: solve again, even if a solution was kept.
        progress: is told how far the work is.
        notice: is told what takes seconds and happens only once.

    Raises:
        MeetsChanceError: if the game is one of chance.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved.
        StorageError: if the cache folder cannot be written to.
    """
    begin = time.perf_counter()
    root = start_of(game, rules)
    compiled = CompiledGame(game)
    compiled.kernels.notice = engine().notice = notice
    path = storage.path_of(compiled, rules)
    scores = None if fresh else _load(path)
    kept = scores is not None
    unkept = None
    compiling = solving = 0.0
    if scores is None:
        start = time.perf_counter()
        before = engine().seconds
        scores = solve_positions(compiled, rules, [root], progress)
        compiling = compiled.kernels.seconds + engine().seconds - before
        solving = time.perf_counter() - start - compiling
        try:
            _save(path, scores)
        except StorageError as error:
            unkept = error
    seconds = Seconds(compiling, solving, time.perf_counter() - begin)
    return Tablebase(game, rules, seconds, kept, unkept, compiled, scores)


def _load(path: Path) -> Scores | None:
    try:
        header, arrays = storage.find(path, ("bits", "scores"))
        states = StateSet.of(storage.layout_of(header), arrays["bits"])
        if not states.size == header["states"] == len(arrays["scores"]):
            return None
        return Scores(states, arrays["scores"], Counts(**header["counts"]))
    except storage.DAMAGE:
        return None


def _save(path: Path, scores: Scores) -> None:
    header = {"states": scores.states.size, "layout": scores.states.layout, "counts": asdict(scores.counts)}
    storage.keep(path, header, {"bits": scores.states.bits, "scores": scores.scores})
