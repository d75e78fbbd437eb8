"""Classification of a game under its rules, in one place.

Every solution method states whether it supports a kind of game, or in one sentence why not.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from komi.errors import InputError, SolveError
from komi.game import CHANCE
from komi.rules import enumeration
from komi.rules.game import Game
from komi.rules.interpreter import Interpreter
from komi.rules.payoff_scale import PROBABILITIES, PayoffScale
from komi.typing import Rules, State

MAX_FIRST_STATES = 100  # number of states from the start that are searched for chance and choices
MAX_VISITED_STATES = 10_000  # number of states that are visited to prove that there are no choices: about a second

Aim = Literal["most", "least"]
Hiding = Literal["nothing", "unknown", "choices", "more"]
"""The kinds of information that players lack: see `Kind.hides`."""
REASONS_TO_MIX: dict[Hiding, str] = {
    "nothing": "",
    "unknown": "players may not see everything",
    "choices": "players choose at the same time",
    "more": "players do not see everything",
}


@dataclass(frozen=True)
class Kind:
    """The kind of a game under its rules.

    Attributes:
        name: the name of the game, for sentences about it.
        seats: the number of players.
        chance: True if the first states of play contain a random outcome; if False, later states still can.
        choices: True if a player has more than one legal action in these states, or in as many states of random play.
        hides: what players do not observe: "nothing"; only "choices" that are simultaneous, hidden from the players who
            choose next, and revealed to all once everyone has chosen; or "more". It is determined from the first
            states: it is "unknown" if they hide nothing and are not all, and later ones can hide more than "choices".
            That of the kind of a solution holds for all states.
        rewards: True if the objective is the expected total of rewards rather than a probability at the end.
        average: True if the objective is the average of rewards per action, in play that never ends.
        discount: the factor by which rewards and payoffs lose value with each action; 1 without a `discount`.
        aim: whether this objective is maximized ("most") or minimized ("least").
        transient: True if some states are recomputed rather than stored.
        alone: the settings, such as "players=1", of the single-player game that each player solves, if no player
            affects what others can do; otherwise empty.
        histories: an estimate of the number of histories of a game for two or more with hidden information; else 0.
        payoffs: the scale of payoffs: that of probabilities, or the `payoff_range`.
    """

    name: str
    seats: int
    chance: bool
    choices: bool
    hides: Hiding
    rewards: bool
    aim: Aim
    transient: bool
    alone: tuple[str, ...] = ()
    payoffs: PayoffScale = PROBABILITIES
    histories: float = 0.0
    average: bool = False
    discount: float = 1.0

    @property
    def discount_note(self) -> str:
        """What the discount means, in a sentence; "" without one."""
        if self.discount == 1.0:
            return ""
        stops = f"A discount of {self.discount!r} per action is a chance of {1 - self.discount:.6g} to stop after each"
        draws = " Play that stops is a draw." * (self.seats == 2 and self.is_opposed)
        return f"{stops}, with nothing more to gain. Lengths are those of play until it stops.{draws}"

    @property
    def is_chance(self) -> bool:
        """True if values are probabilities of winning rather than expected points or money."""
        return self.payoffs.is_chance and not self.rewards

    @property
    def is_opposed(self) -> bool:
        """True if the payoffs of all seats sum to a constant; False in a general-sum game."""
        return self.payoffs.is_opposed

    @property
    def has_seat_values(self) -> bool:
        """True if the value of one seat does not tell those of the others: beyond two players, or if not opposed."""
        return self.seats > 2 or not self.is_opposed

    @property
    def hidden(self) -> bool:
        """True if players do not observe the whole state, or if that is unknown."""
        return self.hides != "nothing"

    @property
    def simultaneous(self) -> bool:
        """True if only simultaneous choices are hidden."""
        return self.hides == "choices"

    @property
    def is_concealed(self) -> bool:
        """True if more is hidden than simultaneous choices."""
        return self.hides == "more"

    @property
    def reason_to_mix(self) -> str:
        """The reason why optimal play can mix actions, as a clause; empty if it need not."""
        return REASONS_TO_MIX[self.hides]


@lru_cache(maxsize=256)
def kind_of(game: Game, rules: Rules) -> Kind:
    """Determine the kind of a game under these rules.

    Raises:
        GameError: if the number of players is invalid, a rule does not terminate, or labels do not tell actions apart.
    """
    game = game.under(rules)
    trial = enumeration.check_first_states(game, rules)
    interpreter = Interpreter(game, rules)
    moves_of, is_complete = enumeration.explore(interpreter, MAX_FIRST_STATES, known=trial)
    moves = [move for state in moves_of for move in moves_of[state]]
    chance = any(move.action == CHANCE or len(move.outcomes) != 1 for move in moves)
    choices = _has_choices(moves_of) or (
        not is_complete
        and _has_choices(enumeration.sample_states(interpreter, MAX_FIRST_STATES, known=moves_of | trial))
    )
    players = game.players(rules)
    hides = _hides(game, rules, moves_of, is_complete)
    return Kind(
        name=game.name,
        seats=players,
        chance=chance,
        choices=choices,
        hides=hides,
        rewards=game.counts_rewards(rules),
        aim="least" if game.aim(rules) == "least" else "most",
        transient=game.has("transient"),
        alone=tuple(f"{name}={value}" for name, value in _differences(rules, game.alone(rules))),
        payoffs=game.payoff_scale(rules),
        histories=enumeration.estimate_histories(interpreter, moves_of | trial)
        if hides != "nothing" and players > 1
        else 0.0,
        average=game.has_average(rules),
        discount=game.discount(rules),
    )


def never_has_choices(game: Game, rules: Rules) -> bool:
    """Return whether no player has more than one legal action in any state; False if there are too many to visit."""
    if not (game.has("label") or game.module.actions):
        return True
    if kind_of(game, rules).choices:
        return False
    moves_of, is_complete = enumeration.explore(Interpreter(game.under(rules), rules), MAX_VISITED_STATES)
    return is_complete and not _has_choices(moves_of)


def average_refusal(kind: Kind) -> str | None:
    """Return a sentence that refuses an average of play that never ends; None for all other games."""
    if not kind.average:
        return None
    return (
        f"this works for games that end: the value of {kind.name} is an average per action, and 'komi solve', 'value', "
        "'match' and 'sweep' compute it."
    )


def check_no_average(kind: Kind) -> None:
    """Check that the value of a game is not an average of play that never ends.

    Raises:
        SolveError: if it is.
    """
    refusal = average_refusal(kind)
    if refusal:
        raise SolveError(refusal)


def check_no_discount(kind: Kind) -> None:
    """Check that rewards keep their value during a game.

    Raises:
        SolveError: if there is a discount.
    """
    if kind.discount < 1.0:
        raise SolveError(
            f"this works for games without a discount: for {kind.name} komi computes the expected value, not the "
            "distribution of what is gained."
        )


def check_choices(game: Game, rules: Rules, consequence: str) -> None:
    """Check that some player has a choice, unless there are too many states to find out.

    Args:
        game, rules: the game and its rules.
        consequence: what follows from that; the error message ends with it.

    Raises:
        InputError: if no player ever has a choice.
    """
    if never_has_choices(game, rules):
        raise InputError(f"no player of {game.name} ever has a choice: {consequence}.")


def unexpected_reward(game: Game, rules: Rules, state: State, action: int, gained: float) -> str:
    """Describe the error that a transition has a reward although the objective is a chance."""
    return (
        f"{game.file.name}: the objective, {game.objective(rules)!r}, is a chance, which only 'payoff' gives (let "
        "'reward' return 0, or let 'objective' name what is gained, such as 'expected points'), but "
        f"{game.label(rules, state, action)!r} gains {gained:g}"
    )


def _differences(rules: Rules, other_rules: Rules) -> Iterator[tuple[str, Any]]:
    """Yield the names and values in `other_rules` that differ from these rules."""
    for name, value, other in zip(rules._fields, rules, other_rules, strict=True):
        if other != value:
            yield name, other


def _has_choices(moves_of: enumeration.StateMoves) -> bool:
    return any(len(moves) > 1 for moves in moves_of.values())


def _hides(game: Game, rules: Rules, moves_of: enumeration.StateMoves, is_complete: bool) -> Hiding:
    """Determine what the view hides in these states: only choices if it hides nothing but just after one."""
    if not game.has("view"):
        return "nothing"
    view: Callable[..., Any] = game.part("view")
    hiding = {state for state, moves in moves_of.items() if moves and view(rules, state) != state}
    if not hiding:
        return "nothing" if is_complete else "unknown"
    chosen: set[Any] = set()  # the states after hidden choices
    for moves in moves_of.values():
        after = [move.outcomes[0][1] for move in moves if move.action != CHANCE and len(move.outcomes) == 1]
        if len(after) == len(moves) and len({view(rules, each) for each in after}) == 1:
            chosen.update(after)
    return "choices" if hiding <= chosen else "more"
