"""The kind of a game: what its rules and its module say of it, worked out in one place.

Every method says of a kind whether it takes it, or in one sentence why not.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from komi import walk
from komi.game import CHANCE, Game
from komi.interpreted import Interpreter

FIRST_STATES = 100  # from the start, looked at for chance and choices

Aim = Literal["most", "least"]


@dataclass(frozen=True)
class Kind:
    """What kind of game a rule set makes.

    Attributes:
        name: the game's name, for sentences about it.
        seats: how many play.
        chance: whether chance is met in the first states of play; where it is not, it may still come later.
        choices: whether a player is met there, or in as many states of random play, who has more than one legal action.
        hidden: whether players do not see all of a state.
        simultaneous: whether all that is hidden is what others choose at the same time: a choice is hidden from those
            who choose next, and seen by all once everyone has chosen.
        rewards: whether what players gain on the way counts, rather than a probability at the end.
        aim: whether the most or the least of it is wanted.
        transient: whether some states are to be worked out again rather than stored.
        alone: the settings, such as "players=1", under which the game of each player is solved alone, where nobody
            changes what others can do; else none.
    """

    name: str
    seats: int
    chance: bool
    choices: bool
    hidden: bool
    simultaneous: bool
    rewards: bool
    aim: Aim
    transient: bool
    alone: tuple[str, ...] = ()


@lru_cache(maxsize=256)
def kind_of(game: Game, rules: Any) -> Kind:
    """The kind of game that these rules make.

    Raises:
        GameError: if the number of players is no number, or a rule does not end.
    """
    tried = walk.try_out(game, rules)
    interpreter = Interpreter(game, rules)
    walked, everything = walk.explore(interpreter, FIRST_STATES, known=tried)
    moves = [move for state in walked for move in walked[state]]
    chance = any(move.action == CHANCE or len(move.outcomes) != 1 for move in moves)
    choices = _has_choices(walked) or (
        not everything and _has_choices(walk.play(interpreter, FIRST_STATES, known=walked | tried))
    )
    hidden = game.has("view") and not (everything and _sees_all(game, rules, walked))
    return Kind(
        name=game.name,
        seats=game.players(rules),
        chance=chance,
        choices=choices,
        hidden=hidden,
        simultaneous=hidden and _is_simultaneous(game, rules, walked),
        rewards=counts_rewards(game, rules),
        aim="least" if game.aim(rules) == "least" else "most",
        transient=game.has("transient"),
        alone=tuple(f"{name}={value}" for name, value in _changed(rules, game.alone(rules))),
    )


def counts_rewards(game: Game, rules: Any) -> bool:
    """Whether what players gain on the way counts, rather than a probability at the end."""
    return game.has("reward") and not game.objective(rules).startswith("chance")


def gain_told(game: Game, rules: Any, state: Any, action: int, gained: float) -> str:
    """What is wrong where something is gained on the way from a state and the objective is a chance."""
    return (
        f"{game.file.name}: the objective, {game.objective(rules)!r}, is a chance, which only 'payoff' gives (let "
        "'reward' return 0, or let 'objective' name what is gained, such as 'expected points'), but "
        f"{game.label(rules, state, action)!r} gains {gained:g}"
    )


def _changed(rules: Any, others: Any) -> Iterator[tuple[str, Any]]:
    """The settings of other rules that are not as in these."""
    for name, value, other in zip(rules._fields, rules, others, strict=True):
        if other != value:
            yield name, other


def _has_choices(walked: walk.Walk) -> bool:
    return any(len(moves) > 1 for moves in walked.values())


def _sees_all(game: Game, rules: Any, walked: walk.Walk) -> bool:
    """Whether a view hides nothing from the player to move in any of these states."""
    view: Callable[..., Any] = game.part("view")
    return all(view(rules, state) == state for state, moves in walked.items() if moves)


def _is_simultaneous(game: Game, rules: Any, walked: walk.Walk) -> bool:
    """Whether what a view hides is one choice, made just before by a player who chooses at the same time."""
    view: Callable[..., Any] = game.part("view")
    blind: dict[Any, Any] = {}  # states after a hidden choice: where it was made
    for state, moves in walked.items():
        after = [move.outcomes[0][1] for move in moves if move.action != CHANCE and len(move.outcomes) == 1]
        looks = {view(rules, each) for each in after}
        if len(after) == len(moves) > 0 and len(looks) == 1 and looks != set(after):
            blind.update(dict.fromkeys(after, state))
    hiding = {state for state, moves in walked.items() if moves and view(rules, state) != state}
    seen = {(view(rules, after), state) for after, state in blind.items()}
    return hiding <= blind.keys() and len(seen) == len({look for look, _ in seen})
