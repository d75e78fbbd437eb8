"""`komi.endless_values`: both values of a game whose value depends on what an endless game counts.

The bounds are those of a certificate (theorem 4 of `docs/certificates.md`), checked in exact arithmetic by the
checker's own code. Values of actions are reported, but no best one: which of them lead on depends on what is counted,
and an action of the greatest value may go around for ever.
"""

import math
import time
from dataclasses import dataclass

from komi.compiling.compiled import compiled_game
from komi.errors import InputError, SolveError
from komi.game import CHANCE
from komi.graph.reachability import find_reachable
from komi.graph.sources import GameTransitions
from komi.jit.kernels import Kernels, Notice
from komi.progress import Progress, silent
from komi.proof.certificate import Fields, as_read, rule_fields
from komi.proof.nodes import Interval, play_claim, proved_values
from komi.rounding import format_bound
from komi.rules import catalog
from komi.rules.game import Game
from komi.rules.kind import Kind, kind_of
from komi.rules.payoff_scale import PayoffScale
from komi.solvers.solution import TOLERANCE, AnyState, Seconds
from komi.typing import GameLike, Rules, State


@dataclass(frozen=True)
class EndlessValue:
    """The value of a state to the player to move, for one of the two payoffs that an endless game can count.

    Attributes:
        counts: what an endless game counts for this player.
        value: the value of the state.
        error_bound: a proved bound on the error of the value, and of those of the actions.
        actions: the value of each legal action; empty where chance moves.
    """

    counts: float
    value: float
    error_bound: float
    actions: dict[str, float]


@dataclass(frozen=True)
class EndlessValues:
    """The values of a state if an endless game counts least, and most, for the player to move.

    Whatever it counts in between, the value is between them.

    Attributes:
        game: the game.
        rules: its rules.
        kind: the kind of game.
        state: the state.
        states: the number of states that play can reach from it, without terminal ones.
        lost, won: the value if an endless game counts as lost, and as won.
        seconds: the time that it took.
    """

    game: Game
    rules: Rules
    kind: Kind
    state: State
    states: int
    lost: EndlessValue
    won: EndlessValue
    seconds: Seconds

    @property
    def error_bound(self) -> float:
        """A bound on the error of all values."""
        return max(self.lost.error_bound, self.won.error_bound)


def endless_values(
    game: GameLike,
    state: AnyState | None = None,
    *,
    tolerance: float = TOLERANCE,
    progress: Progress = silent,
    notice: Notice = lambda message: None,
    **rules: object,
) -> EndlessValues:
    """Compute what a state is worth to the player to move if an endless game counts as lost, and as won.

    For games that `komi.solve` refuses with an `EndlessPlayError`: for one player or two, who see all of the state,
    and whose objective is a chance or a payoff.

    Args:
        game: the name of a game, its rule file, or a Game; see `komi.find`.
        state: a state; the initial one by default.
        tolerance: the largest error bound to accept.
        progress: called during long work; see `komi.progress`.
        notice: called with a sentence before something that takes seconds and happens only once.
        rules: the rules to change, by name.

    Returns:
        both values, each with a proved bound, and those of each action.

    Raises:
        InputError: for an unknown game or rule, or a state that is impossible, or in which the game is over.
        GameError: if the rules are broken.
        SolveError: if it is a game of another kind, its rules cannot be run by the checker, or there is no proof.

    Examples:
        >>> import komi
        >>> values = komi.endless_values("piglet", goal=2)  # where it makes no difference: both are 4/7
        >>> round(values.lost.value, 8), round(values.won.value, 8)
        (0.57142857, 0.57142857)
    """
    begin, compiled_before = time.perf_counter(), Kernels.total_seconds
    found = catalog.find(game)
    settings = found.rules(rules)
    found = found.under(settings)
    if not has_both_values(found, settings):
        raise SolveError(
            f"{found.name} is not a game of one or two players who see everything, with a payoff at the end."
        )
    read = found.part("start")(settings) if state is None else found.read(settings, state)
    if found.part("over")(settings, read):
        payoff = found.payoffs(settings, read)[0]
        raise InputError(f"{found.write(settings, read)} is over: the player to move gets {payoff:g}.")
    reached, _ = find_reachable(GameTransitions(compiled_game(found, notice), settings), [read], progress=progress)
    kind, certificate = kind_of(found, settings), as_read({**rule_fields(found, settings), "policies": []})
    lost, won = (_value(found, settings, certificate, read, endless, progress) for endless in (0, 1))
    compiling = Kernels.total_seconds - compiled_before
    total = time.perf_counter() - begin
    seconds = Seconds(compiling, total - compiling, total)
    values = EndlessValues(found, settings, kind, read, int(reached.size), lost, won, seconds)
    if not values.error_bound <= tolerance * kind.payoffs.width:
        raise SolveError(f"the values of {found.name} are proved only to {format_bound(values.error_bound)}.")
    return values


def has_both_values(game: Game, rules: Rules) -> bool:
    """Return whether there is a theorem for what a game is worth if an endless one counts as lost, or as won."""
    return game.players(rules) <= 2 and not game.has("view") and not game.counts_rewards(rules)


def _value(
    game: Game, rules: Rules, certificate: Fields, state: State, endless: int, progress: Progress
) -> EndlessValue:
    """Return the value of a state if an endless game counts this share, 0 or 1, for the player to move."""
    start, scale = game.nested(state), game.payoff_scale(rules)
    claim = play_claim(certificate, 0, [None] * game.players(rules), progress, endless, start)
    value, actions = proved_values(certificate, claim, start)
    labels = [label for label, action in game.labels(rules, state).items() if action != CHANCE]
    middle = {label: _middle(scale, ends) for label, ends in zip(labels, actions, strict=bool(labels))}
    bound = max(scale.bound((high - low) / 2 + math.ulp(1.0)) for low, high in (value, *actions))
    return EndlessValue(scale.payoff(float(endless)), _middle(scale, value), bound, middle)


def _middle(scale: PayoffScale, ends: Interval) -> float:
    return scale.payoff((ends[0] + ends[1]) / 2)
