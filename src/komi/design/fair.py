"""The fairest komi: the value of each seat for each komi, from one solution where the rules allow it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from komi.compiling.compiled import compiled_game
from komi.design.dependencies import rules_of_start
from komi.design.openings import Opening, check_sweepable, solve_expanded_openings, solve_openings
from komi.design.ranges import multiple
from komi.errors import InputError, SolveError
from komi.jit.kernels import Notice
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.game import Game
from komi.rules.kind import Kind, kind_of
from komi.tabular import Record, Tabular
from komi.typing import GameLike, Rules

KOMI = "komi"
MAX_KOMI = 10_000  # the largest komi accepted
ROUNDING = 1e-9  # of a number of steps
DEFAULT_STEPS = 10  # the greatest komi tried, in steps, unless it is given


@dataclass(frozen=True)
class Fair(Tabular):
    """A game's opening for each komi.

    Attributes:
        game: the game.
        rules: its rules, without komi.
        table: the opening for each komi, starting with komi 0.
        step: the difference between successive komi, in points; a fraction where komi can be one.
    """

    game: Game
    rules: Rules
    table: tuple[Opening, ...]
    step: float = 1

    def __repr__(self) -> str:
        first = dict(self.rows)[self.best].first
        return f"<Fair of {self.game.name}: komi {self.best}, with which the first player wins {first:.6f}>"

    def records(self) -> list[Record]:
        """List each komi with the opening."""
        names = ("unfairness", "expected_actions", "error_bound")
        return [
            {
                KOMI: komi,
                "first": opening.first,
                **{f"seat_{seat}": value for seat, value in enumerate(opening.seats[1:], 2)},
                **{name: getattr(opening, name) for name in names},
            }
            for komi, opening in self.rows
        ]

    @property
    def rows(self) -> list[tuple[float, Opening]]:
        """Each komi with its opening."""
        return [(_komi(number, self.step), opening) for number, opening in enumerate(self.table)]

    @property
    def best(self) -> float:
        """The komi for which the first player's probability of winning is nearest to one half, or its payoff to 0.

        With three and more players, that for which the largest distance of a seat from its equal share is least.
        """
        return min(self.rows, key=lambda row: row[1].unfairness)[0]


def fair(
    game: GameLike,
    max_komi: float | None = None,
    *,
    step: float | None = None,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Fair:
    """Solve the game exactly for every komi that the rules allow, from 0 to the greatest requested.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        max_komi: the greatest komi to try; by default ten times the smallest step, or the greatest that the game
            allows.
        step: the difference between successive komi; by default that of the game's limits, or 1. Fractions are for
            games whose rule `komi` is a float.
        progress: progress callback, called during long work; see `komi.progress`.
        notice: callback that receives a message before work that takes seconds and happens only once.
        rules: values of rules to change, by name.

    Raises:
        InputError: for a game without komi, a single-player game, an unknown rule, or a value out of its limits.
        GameError: if the rules are broken.
        SolveError: if the game cannot be solved, or is multiplayer.

    Examples:
        >>> import komi
        >>> red_light = komi.fair("red-light", max_komi=2, goal=20)
        >>> [round(opening.first, 4) for opening in red_light.table]
        [0.5344, 0.5014, 0.4675]
        >>> red_light.best
        1
    """
    game = catalog.find(game)
    without = {KOMI: 0} if KOMI in game.module.Rules._fields else {}  # not all rules allow the komi of the default
    check_seats(kind_of(game, game.rules({**rules, **without})))
    if not without:
        raise InputError(
            f"{game.name} has no rule {KOMI!r}: a parameter sweep over its other rules may find a fair game."
        )
    if KOMI in rules:
        raise InputError(f"komi {rules[KOMI]} cannot be set here: this command tries every komi.")
    step = _step(game, step, rules)
    rule_sets = _rule_sets(game, max_komi, step, rules)
    game = game.under(rule_sets[0])
    kind = kind_of(game, rule_sets[0])
    compiled = compiled_game(game, notice)
    solved_together = [rule_sets] if KOMI in rules_of_start(game) else [[rule_set] for rule_set in rule_sets]
    openings: list[Opening] = []
    for sets in solved_together:
        compiled = compiled.under(sets[0])
        check_sweepable(compiled.game, sets[0])
        if kind.transient and kind.seats == 2:
            openings += solve_expanded_openings(compiled, sets, progress)
        else:
            openings += solve_openings(compiled, sets, progress, ranges=True)
    return Fair(game, rule_sets[0], tuple(openings), step)


def check_seats(kind: Kind) -> None:
    """Check that a game has opponents whose chances komi can balance.

    Raises:
        InputError: for one player.
        SolveError: for a general-sum game.
    """
    if kind.seats == 1:
        raise InputError(f"{kind.name} is a single-player game: fairness needs opponents.")
    if not kind.is_opposed:
        raise SolveError(
            f"a komi makes games fair whose players have opposed interests: in {kind.name} they need not be opposed "
            "('payoff_range')."
        )


def _step(game: Game, step: float | None, rules: Mapping[str, object]) -> float:
    """Return the step of komi, in points.

    Raises:
        InputError: if it is not above 0, or a fraction although komi is a whole number.
    """
    is_whole = isinstance(game.module.Rules._field_defaults[KOMI], int)
    if step is None:
        limits = game.limits(game.rules({**rules, KOMI: 0})) if game.has("limits") else None
        limit = getattr(limits, KOMI, None)
        step = limit[2] if limit is not None and len(limit) == 3 else 1
    if not 0.0 < step < math.inf:
        raise InputError(f"the step of komi must be above 0, not {step:g}.")
    if is_whole and step != int(step):
        raise InputError(f"komi of {game.name} is a whole number: its step cannot be {step:g}.")
    return int(step) if is_whole else float(step)


def _komi(number: int, step: float) -> float:
    """Return the komi of a row."""
    return number * step if isinstance(step, int) else multiple(number, step)


def _rule_sets(game: Game, max_komi: float | None, step: float, rules: Mapping[str, object]) -> list[Any]:
    if max_komi is not None and isinstance(step, int) and max_komi == max_komi // 1:
        max_komi = int(max_komi)
    if max_komi is not None and not max_komi >= 0:
        raise InputError(f"the greatest komi must be 0 or more, not {max_komi}.")
    if max_komi is not None and max_komi > MAX_KOMI:
        raise InputError(f"the greatest komi must be at most {MAX_KOMI:,}, not {max_komi:,}.")
    if max_komi is not None:
        game.rules({**rules, KOMI: max_komi})
    last = DEFAULT_STEPS if max_komi is None else int(max_komi / step + ROUNDING)
    if last > MAX_KOMI:
        raise InputError(f"there are {last:,} komi up to {max_komi:g}, more than {MAX_KOMI:,}: use a larger step.")
    rule_sets = [game.rules({**rules, KOMI: 0})]
    for number in range(1, last + 1):
        try:
            rule_sets.append(game.rules({**rules, KOMI: _komi(number, step)}))
        except InputError:
            break
    return rule_sets
