"""Puzzles: positions in which simple strategies go wrong, one a day, the same for everyone.

Positions come from sampled games in which mostly optimal players sometimes act at random, so that a puzzle looks like
a position of a real game. The solution must be clear: the best action is better than the next by at least `MIN_LEAD`,
and by at most `MAX_LEAD`, so that it is not obvious. In games of chance some action must have a random outcome. Of
these positions the day's puzzle is the one in which most simple strategies choose wrong, and among these the one in
which they lose most. Days rotate through the kinds of positions: behind, level, ahead.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from komi.errors import KomiError
from komi.play.fairness import sample_event
from komi.play.table import Table
from komi.policies import named
from komi.policies.policy import Policy
from komi.solvers.solution import Solution

SAMPLED_GAMES = 30  # games sampled for a puzzle
MAX_ENTRIES = 400  # of a sampled game
RANDOM_PROBABILITY = 0.15  # probability that a player acts at random
MIN_LEAD, MAX_LEAD = 0.005, 0.12  # of the scale: minimum and maximum lead of the best action over the next
SIMPLE_POLICIES = ("max-score", "keep-pace", "hold-at:20", "hold-at:7", "cautious:1", "ahead:1")
KINDS = ("behind", "level", "ahead")
LEVEL_MARGIN = 0.1  # of the scale: a position this near to the middle is level


@dataclass(frozen=True)
class Puzzle:
    """A position, and the values of the actions in it.

    Attributes:
        labels: the entries of the log that lead to it, as `Table` takes them.
        seat: the seat to move.
        values: the value of each legal action, best first.
        wrong: the share of simple strategies that choose another than the best action.
    """

    labels: tuple[str, ...]
    seat: int
    values: dict[str, float]
    wrong: float

    @property
    def best(self) -> str:
        """The best action."""
        return next(iter(self.values))


@dataclass(frozen=True)
class _Candidate:
    puzzle: Puzzle
    kind: str
    losses: float


def daily_puzzle(solution: Solution[Any], day: date) -> Puzzle | None:
    """Return the puzzle of a day; None if the game has none.

    The result depends only on the solution and the day.
    """
    seed = hashlib.sha256(f"{solution.game.name}|{tuple(solution.rules)!r}|{day.isoformat()}".encode()).digest()
    random = np.random.default_rng(list(seed))
    if solution.kind.is_concealed:  # a puzzle shows the whole position
        return None
    candidates = list(_candidates(solution, random))
    if not candidates:
        return None
    turn = day.toordinal() % len(KINDS)
    for kind in (*KINDS[turn:], *KINDS[:turn]):
        own = [candidate for candidate in candidates if candidate.kind == kind]
        if own:
            break
    return max(own, key=lambda candidate: (candidate.puzzle.wrong, candidate.losses)).puzzle


def _candidates(solution: Solution[Any], random: np.random.Generator) -> Iterator[_Candidate]:
    """Yield the positions of sampled games that have a clear solution."""
    strategies = _strategies(solution)
    scale = solution.kind.payoffs.width
    if solution.kind.rewards:
        scale = max(1.0, abs(float(solution.expected_value())))
    seen = set()
    for _ in range(SAMPLED_GAMES):
        table = Table(solution.game, solution.rules)
        while not table.is_over and table.number < MAX_ENTRIES:
            if table.waiting == "event":
                table.enter(sample_event(table.events, float(random.random())).label)
                continue
            values = {advice.label: float(advice.value) for advice in solution.action_values(table.state)}
            if len(values) > 1 and table.state not in seen:
                seen.add(table.state)
                candidate = _candidate(solution, table, values, strategies, scale)
                if candidate:
                    yield candidate
            labels = list(values)
            at_random = random.random() < RANDOM_PROBABILITY
            table.enter(labels[int(random.random() * len(labels))] if at_random else labels[0])


def _candidate(
    solution: Solution[Any], table: Table, values: dict[str, float], strategies: Sequence[Policy], scale: float
) -> _Candidate | None:
    """Return the position as a puzzle, if it has a clear solution."""
    best, second, *_ = values.values()
    if not MIN_LEAD * scale < abs(best - second) < MAX_LEAD * scale and not solution.has_plies:
        return None
    if solution.has_plies and best == second:  # without chance, the best move must be unique
        return None
    if solution.kind.chance and not _has_random_outcome(table):
        return None
    labels = {action: label for label, action in table.actions.items()}
    chosen = [labels.get(policy.choose(solution.game, solution.rules, table.state, 0.0)) for policy in strategies]
    losses = [abs(best - values[label]) for label in chosen if label in values]
    wrong = sum(loss > 0.0 for loss in losses) / len(losses) if losses else 0.0
    middle = solution.kind.payoffs.even if not solution.kind.rewards else float(solution.expected_value())
    lead = (best - middle) / scale
    kind = "level" if abs(lead) < LEVEL_MARGIN else "ahead" if lead > 0.0 else "behind"
    assert table.mover is not None
    puzzle = Puzzle(tuple(entry.label for entry in table.log), table.mover, values, wrong)
    return _Candidate(puzzle, kind, sum(losses) if losses else abs(best - second))


def _has_random_outcome(table: Table) -> bool:
    """Return whether some action has more than one possible outcome."""
    return any(len(table.game.events(table.rules, table.state, action)) > 1 for action in table.actions.values())


def _strategies(solution: Solution[Any]) -> list[Policy]:
    """Return the simple strategies that fit the game."""
    found = []
    for name in SIMPLE_POLICIES:
        try:
            found.append(named.find(name, solution))
        except KomiError:  # not for this game
            continue
    return found
