"""How a game begins under rule sets that differ in nothing else: what it is worth, how long it lasts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from komi.compile.compiled import CompiledGame
from komi.errors import SolveError
from komi.evaluation.mixed import match_mixed
from komi.game import Game
from komi.kind import kind_of
from komi.methods.answer import TOLERANCE
from komi.methods.backup.batch import ValueBackup
from komi.methods.backup.length_range import length_ranges
from komi.methods.backup.unproved import Unproved
from komi.methods.backup.values import CHANCE_OF_TWO, find_values
from komi.methods.method import start_of
from komi.methods.race.solution import chance_of_two
from komi.methods.solitaire.objective import wanted_of
from komi.methods.solve import check_solvable, solve
from komi.model.components import back_up_components
from komi.model.survey import survey_states
from komi.policies.named import find
from komi.progress import Progress, silent


def check_sweepable(game: Game, rules: Any) -> None:
    """See that the value of the start and the length of the game can be found: for one player, or for two.

    Raises:
        SolveError: if the game is of another kind.
    """
    kind = kind_of(game, rules)
    if kind.seats > 2:
        raise SolveError(f"{game.name} is for {kind.seats} players: rule sets are swept in games of one or two.")
    check_solvable(game, rules)


@dataclass(frozen=True)
class Opening:
    """What optimal play comes to from the start.

    Attributes:
        first: the first player's probability of winning; of one player the objective.
        expected_actions: of both players, the last one counted; not a number where the states inside a roll are not
            stored, and it was not worked out.
        error_bound: no probability is further than this from the truth.
        length_error_bound: the same for the expected actions.
        expected_actions_range: their least and greatest, where actions that are worth the same make the game longer or
            shorter; None if it is one number, or was not asked for.
    """

    first: float
    expected_actions: float
    error_bound: float
    length_error_bound: float
    expected_actions_range: tuple[float, float] | None = None

    @property
    def unfairness(self) -> float:
        """How far the first player's chance is from a half."""
        return abs(self.first - 0.5)


def solve_expanded_openings(
    compiled: CompiledGame, rule_sets: Sequence[Any], progress: Progress = silent
) -> list[Opening]:
    """As `solve_openings`, of a game for two whose states inside a roll are not stored; without lengths."""
    rules = rule_sets[0]
    starts = [start_of(compiled.game, each) for each in rule_sets]
    found = find_values(compiled, rules, starts, None, progress, chance_of_two(kind_of(compiled.game, rules)))
    _check_bound(compiled.game, rules, starts[0], found.error_bound)
    values = [float(found.values[found.states.index_of(start)]) for start in starts]
    return [Opening(value, math.nan, found.error_bound, math.nan) for value in values]


def solve_openings(
    compiled: CompiledGame,
    rule_sets: Sequence[Any],
    progress: Progress = silent,
    side_by_side: bool = True,
    ranges: bool = False,
) -> list[Opening]:
    """The openings under rule sets that differ only in rules that nothing but `start` reads: one solution for all.

    Where players choose at the same time, each rule set has a solution of its own, which is kept.

    Args:
        compiled: the game.
        rule_sets: at least one.
        progress: called during long work; see `komi.progress`.
        side_by_side: whether to use two threads, as simultaneous choice always does; one takes less time of both
            together.
        ranges: whether to find the ranges of expected actions.

    Raises:
        GameError: if the rules are broken.
        SolveError: if the game is too large, or a value cannot be proved.
    """
    kind = kind_of(compiled.game, rule_sets[0])
    if kind.simultaneous:
        return [_solve_simultaneous(compiled, rules, progress) for rules in rule_sets]
    starts = [start_of(compiled.game, rules) for rules in rule_sets]
    wanted = wanted_of(kind) if kind.seats == 1 else CHANCE_OF_TWO
    states, counts = survey_states(compiled, rule_sets[0], starts, progress=progress, side_by_side=side_by_side)
    backup = ValueBackup(
        states.size,
        counts,
        Unproved(compiled, rule_sets[0], states),
        flips=wanted.flips,
        sign=wanted.sign,
        lowest=wanted.lowest,
        highest=wanted.highest,
        measures=1,
    )
    back_up_components(
        compiled,
        rule_sets[0],
        states,
        counts,
        starts,
        backup,
        views=wanted.views,
        progress=progress,
        side_by_side=side_by_side,
    )
    found = backup.findings
    lengths: list[tuple[float, float] | None] = [None] * len(starts)
    if ranges and kind.seats == 2:
        rules = rule_sets[0]
        lengths = length_ranges(compiled, rules, states, counts, starts, found.value, found.choice, progress)
    scale = max(1.0, float(abs(found.value).max(initial=0.0))) if kind.rewards else 1.0
    openings = []
    for start, length_range in zip(starts, lengths, strict=True):
        index = states.index_of(start)
        opening = Opening(
            wanted.sign * float(found.value[index]),
            float(found.length[0, index]),
            float(found.bound[index]),
            float(found.length_bound[index]),
            length_range,
        )
        _check_bound(compiled.game, rule_sets[0], start, opening.error_bound, scale)
        openings.append(opening)
    return openings


def _solve_simultaneous(compiled: CompiledGame, rules: Any, progress: Progress) -> Opening:
    """The opening where both choose at the same time: the length is that of optimal play against itself."""
    answer = solve(compiled.game, progress=progress, notice=compiled.kernels.notice, **rules._asdict())
    optimal = find("optimal", answer)
    played = match_mixed(answer, optimal, optimal, progress=progress)
    return Opening(answer.value(), played.first.actions, answer.error_bound, played.length_error_bound)


def _check_bound(game: Game, rules: Any, start: Any, bound: float, scale: float = 1.0) -> None:
    if not bound <= TOLERANCE * scale:
        raise SolveError(
            f"{game.name} is proved only to {bound:.1e} from {game.write(rules, start)}, not to {TOLERANCE:.1e}."
        )
