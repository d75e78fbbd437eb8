"""Searchers for games with hidden information: they draw what is hidden, and never see it."""

from dataclasses import dataclass
from typing import Any

from komi.arrays import I16
from komi.compiling.compiled import CompiledGame
from komi.errors import InputError, SolveError
from komi.graph.state_sets import StateSet
from komi.policies.policy import Policy
from komi.policies.searchers import EXPLORATION, FindPolicy, MctsPolicy, Searcher, SearcherKind, common_fields
from komi.rules.game import Game
from komi.rules.kind import kind_of
from komi.search import ismcts
from komi.search.determinization import Determinization, hidden_states
from komi.search.specification import Specification
from komi.typing import Rules

UNLIMITED = 1 << 30  # decisions
WORLDS = 32  # states drawn before a search
DEPTH = 3  # decisions in which a player knows only what it observes
MAX_WORLDS, MAX_DEPTH = 10**6, 1000


@dataclass(frozen=True)
class DeterminizingPolicy(MctsPolicy):
    """Monte Carlo tree search on states drawn for what the player observes: `ismcts`, `pimc` and `epimc`.

    Attributes:
        game, rules: the game.
        depth: as in `Determinization`.
        worlds: as there.
    """

    game: Game
    rules: Rules
    depth: int
    worlds: int
    search = staticmethod(ismcts.search)
    search_if_free = staticmethod(ismcts.choose_by_ismcts)

    def tabulate(self, compiled: CompiledGame, rules: Rules, states: StateSet) -> I16:
        """Raise an error: what it draws at random decides.

        Raises:
            SolveError: always.
        """
        return Policy.tabulate(self, compiled, rules, states)

    def _limits(self) -> Any:
        """Return the limits of a search that draws what is hidden."""
        hidden = hidden_states(self.game, self.rules)
        draws = Determinization(self.depth, self.worlds, max(self.game.deal_uniforms, 1), hidden)
        return ismcts.DrawingBudget(*self.effort, self.exploration, self.seats, self.sign, draws)


def _create(spec: Specification, game: Game, rules: Rules, find_leaf: FindPolicy, depth: int, worlds: int) -> Searcher:
    """Create a searcher; one that knows everything if nothing is hidden.

    Raises:
        InputError: if what is hidden cannot be drawn.
    """
    game = game.under(rules)
    common = common_fields(spec, game, rules, find_leaf)
    common |= {"effort": spec.effort(), "exploration": spec.number("exploration", EXPLORATION)}
    if not kind_of(game, rules).hidden:
        return MctsPolicy(**common)
    try:
        hidden_states(game, rules)
    except SolveError as error:
        raise InputError(f"policy {spec.name} cannot be used: {error}") from None
    return DeterminizingPolicy(**common, game=game, rules=rules, depth=depth, worlds=worlds)


def _ismcts(spec: Specification, game: Game, rules: Rules, find_leaf: FindPolicy) -> Searcher:
    return _create(spec, game, rules, find_leaf, UNLIMITED, 0)


def _pimc(spec: Specification, game: Game, rules: Rules, find_leaf: FindPolicy) -> Searcher:
    return _create(spec, game, rules, find_leaf, 1, spec.whole("worlds", WORLDS, 1, MAX_WORLDS))


def _epimc(spec: Specification, game: Game, rules: Rules, find_leaf: FindPolicy) -> Searcher:
    depth = spec.whole("depth", DEPTH, 1, MAX_DEPTH)
    return _create(spec, game, rules, find_leaf, depth, spec.whole("worlds", WORLDS, 1, MAX_WORLDS))


DETERMINIZING = {
    "ismcts": SearcherKind("ismcts:N", ("exploration", "leaf"), _ismcts),
    "pimc": SearcherKind("pimc:N", ("exploration", "leaf", "worlds"), _pimc),
    "epimc": SearcherKind("epimc:N", ("exploration", "leaf", "worlds", "depth"), _epimc),
}
"""The kinds of these searchers by name."""
