"""The solution of openings as work that can travel to another machine: it takes the game's files along."""

from functools import cache
from typing import Any

from komi.compile.compiled import CompiledGame, compiled_game
from komi.design.openings import Opening, check_sweepable, solve_openings
from komi.portable import Portable
from komi.progress import Progress

RuleSets = tuple[tuple[Any, ...], ...]
"""Rule sets that one solution holds for, their numbers only."""


class RemoteJob:
    """Solves the openings of one game, here or wherever it is sent."""

    def __init__(self, compiled: CompiledGame) -> None:
        self._compiled = compiled

    def __call__(self, rule_sets: RuleSets, progress: Progress) -> list[Opening]:
        """The openings under rule sets that one solution holds for, on one core where players take turns."""
        game = self._compiled.game
        rules = [game.module.Rules(*numbers) for numbers in rule_sets]
        check_sweepable(game, rules[0])
        return solve_openings(self._compiled, rules, progress, side_by_side=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrived, (Portable.of(self._compiled.game.module),)


@cache
def _arrived(game: Portable) -> RemoteJob:
    return RemoteJob(compiled_game(game.game()))
