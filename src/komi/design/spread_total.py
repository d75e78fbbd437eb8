"""The best distribution of a total over rules, by exact solution of all distributions.

Examples are armies over territories, or points over prizes: several integer rules must sum to a total.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from komi.compiling.compiled import CompiledGame, compiled_game
from komi.errors import InputError, KomiError, SolveError
from komi.jit.kernels import Notice
from komi.parallel import spread
from komi.progress import Progress, silent
from komi.rules import catalog
from komi.rules.game import Game
from komi.rules.kind import Kind
from komi.solvers.solution import VerifiedHints
from komi.solvers.solve import solve_without_storing
from komi.tabular import Record, Tabular
from komi.typing import GameLike, Rules

MAX_SPLITS = 100_000  # each is one solve: at 10 ms each, 17 minutes
AIMS = ("most", "least")


@dataclass(frozen=True)
class TotalSplit:
    """One distribution of the total: the value of each rule, in order, and the value of the game.

    `hints` are the hints of the rule file that the value relies on; None if it relies on the rules alone.
    """

    numbers: tuple[int, ...]
    value: float
    error_bound: float
    hints: VerifiedHints | None = None


@dataclass(frozen=True)
class Spread(Tabular):
    """All distributions of a total over rules.

    Attributes:
        game: the game.
        over: the names of the rules.
        objective: the name of the objective.
        splits: the best first; splits of equal value in lexicographic order of their numbers.
    """

    game: Game
    over: tuple[str, ...]
    objective: str
    splits: tuple[TotalSplit, ...]

    def __repr__(self) -> str:
        return f"<Spread of {self.game.name} over {', '.join(self.over)}: {len(self.splits):,} splits>"

    def records(self) -> list[Record]:
        """List the splits: the numbers of the rules, then the value."""
        return [
            {**dict(zip(self.over, split.numbers, strict=True)), "value": split.value, "error_bound": split.error_bound}
            for split in self.splits
        ]

    @property
    def best(self) -> tuple[TotalSplit, ...]:
        """The best splits: more than one if their values are equal within the error bounds."""
        first = self.splits[0]
        return tuple(
            split
            for split in self.splits
            if abs(split.value - first.value) <= max(split.error_bound, first.error_bound)
        )


def spread_total(
    game: GameLike,
    over: Sequence[str],
    total: int,
    *,
    aim: str = "most",
    at_least: int = 1,
    workers: int | None = None,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> Spread:
    """Compute the value of a game for each distribution of a total over some of its rules, the best first.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        over: the names of the rules.
        total: the sum of these rules.
        aim: "most" if the greatest value is best, "least" if the least is.
        at_least: the minimum of each rule.
        workers: number of splits to solve in parallel; by default the number of cores.
        progress: progress callback, called during long work; see `komi.progress`.
        notice: callback that receives a message before work that takes seconds and happens only once.
        rules: values of other rules to change, by name.

    Raises:
        InputError: for invalid rules or numbers.
        SolveError: if the game cannot be solved, or its value is not a number.

    Examples:
        >>> import komi
        >>> chain = {"armies": 6, "defenders3": 0, "defenders4": 0, "defenders5": 0}
        >>> armies = komi.spread_total("risk-chain", ["defenders1", "defenders2"], 4, aim="least", **chain)
        >>> armies.best[0].numbers, round(armies.best[0].value, 4)
        ((2, 2), 0.5124)
    """
    game = catalog.find(game)
    _check(game, over, total, aim, at_least, rules)
    compiled = compiled_game(game, notice)
    all_numbers = list(_splits(total, len(over), at_least))
    first = game.rules({**rules, **dict(zip(over, all_numbers[0], strict=True))})

    def solve_split(numbers: tuple[int, ...], progress: Progress) -> TotalSplit:
        return _solve_split(compiled, game.rules({**rules, **dict(zip(over, numbers, strict=True))}), numbers, progress)

    solved = []
    for done, (_, split) in enumerate(spread(solve_split, all_numbers, workers), 1):
        if isinstance(split, KomiError):
            raise split
        solved.append(split)
        progress("splits", done, len(all_numbers))
    sign = -1.0 if aim == "most" else 1.0
    solved.sort(key=lambda split: (sign * split.value, split.numbers))
    game = game.under(first)
    unit = game.payoff_scale(first).unit
    objective = f"{unit} of the first player" if unit else "chance that the first player wins"
    if game.players(first) == 1:
        objective = game.objective(first)
    return Spread(game, tuple(over), objective, tuple(solved))


def _check(game: Game, over: Sequence[str], total: int, aim: str, at_least: int, rules: dict[str, object]) -> None:
    if aim not in AIMS:
        raise InputError(f"the aim must be most or least, not {aim!r}.")
    if len(over) < 2 or len(set(over)) < len(over):
        raise InputError("a total is spread over two rules or more, each named once.")
    for name in over:
        if name in rules:
            raise InputError(f"the total is spread over rule {name!r}: do not set it too.")
        game.setting(name, at_least)
        if type(game.module.Rules._field_defaults[name]) is not int:
            raise InputError(f"rule {name!r} of {game.name} is not a whole number: a total cannot be spread over it.")
    if at_least < 0 or total < at_least * len(over):
        raise InputError(
            f"a total of {total} cannot be spread over {len(over)} rules with at least {at_least} each: "
            f"it takes {max(at_least, 0) * len(over)} or more."
        )
    count = math.comb(total - at_least * len(over) + len(over) - 1, len(over) - 1)
    if count > MAX_SPLITS:
        raise InputError(
            f"there are {count:,} ways to distribute {total} over {len(over)} rules: the maximum is {MAX_SPLITS:,}."
        )


def _splits(total: int, parts: int, at_least: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to write the total as a sum of `parts` numbers, none below `at_least`, in lexicographic order."""
    remainder = total - at_least * parts
    for bars in combinations(range(remainder + parts - 1), parts - 1):
        ends = (-1, *bars, remainder + parts - 1)
        yield tuple(end - start - 1 + at_least for start, end in pairwise(ends))


def _solve_split(compiled: CompiledGame, rules: Rules, numbers: tuple[int, ...], progress: Progress) -> TotalSplit:
    """Compute the value of the game under these rules.

    Raises:
        SolveError: if it is not a number, or cannot be proved.
    """
    solution = solve_without_storing(compiled.under(rules), rules, progress)
    check_numeric(solution.kind, solution.has_plies)
    return TotalSplit(numbers, float(solution.value()), solution.error_bound, solution.verified_hints)


def check_numeric(kind: Kind, has_plies: bool) -> None:
    """Check that values are numbers, by which splits can be compared.

    Raises:
        SolveError: if they are win, draw or loss.
    """
    if has_plies:
        raise SolveError(
            f"{kind.name} is won, drawn or lost without chance: a total is spread where values are numbers; 'komi "
            "sweep' lists the results of rule sets."
        )
