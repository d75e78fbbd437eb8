"""Serializable job that solves openings on any machine: it contains the game's files."""

from functools import cache
from typing import Any

from komi.design.openings import Opening, check_sweepable, solve_openings
from komi.progress import Progress
from komi.rules.bundle import SerializedModule
from komi.rules.compiled import CompiledGame, compiled_game

RuleSets = tuple[tuple[Any, ...], ...]
"""Rule sets that share one solution, as tuples of their values."""


class RemoteJob:
    """Solves the openings of one game, in this or in another process."""

    def __init__(self, compiled: CompiledGame) -> None:
        self._compiled = compiled

    def __call__(self, rule_sets: RuleSets, progress: Progress) -> list[Opening]:
        """Solve the openings of rule sets that share one solution, on one core if moves are sequential."""
        game = self._compiled.game
        rules = [game.module.Rules(*numbers) for numbers in rule_sets]
        check_sweepable(game, rules[0])
        return solve_openings(self._compiled, rules, progress, side_by_side=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrived, (SerializedModule.of(self._compiled.game.module),)


@cache
def _arrived(game: SerializedModule) -> RemoteJob:
    return RemoteJob(compiled_game(game.game()))
