"""Decisions of optimal play: what the player to move sees, and the value or the probability of each action.

If a game has few decisions, all are listed, else some, first those on likely paths of optimal play.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import chain, islice
from typing import Any

from komi.solvers.mixed_solution import MixedSolution
from komi.solvers.solution import ActionValue, Solution
from komi.tables.usual_axes import concealed_fields
from komi.typing import State

MAX_DECISIONS = 12  # that fit into a picture
MAX_SEARCHED = 4_096  # states of a game of which all decisions are searched
MAX_FOLLOWED = 1_000  # states that optimal play is followed through,
MAX_OUTCOMES = 20_000  # and outcomes
DIGITS = 6  # of a probability: what differs only in others is the same decision
HIDDEN = "?"  # in place of a value that the player to move does not see


@dataclass(frozen=True, eq=False)
class Decision:
    """A decision of a player.

    Attributes:
        state: the state in which it is made, one of those that look alike to the player.
        seen: by field what the player sees, as text.
        shares: the probability of each action, if play mixes.
        moves: the actions and their values, the best first, if it does not.
    """

    state: State
    seen: dict[str, str]
    shares: dict[str, float]
    moves: Sequence[ActionValue]


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions of optimal play.

    Attributes:
        solution: the solved game.
        rows: the decisions, in the order of play.
        is_complete: True if the game has no others.
    """

    solution: Solution[Any]
    rows: Sequence[Decision]
    is_complete: bool

    @property
    def varying(self) -> list[str]:
        """The fields in which the decisions differ."""
        first = self.rows[0].seen
        return [field for field in first if any(row.seen[field] != first[field] for row in self.rows)]


def read_decisions(solution: Solution[Any], start: State | None = None) -> Decisions | None:
    """List decisions of optimal play from a state on, by default from the initial state; None if there are none."""
    is_small = start is None and solution.all_states.size <= MAX_SEARCHED
    met = _followed(solution, solution.read(None) if start is None else start)
    others = ((state, 0.0) for state in _all(solution) if _is_choice(solution, state)) if is_small else ()
    alike: dict[Any, State] = {}
    reached: dict[Any, float] = defaultdict(float)
    for state, probability in chain(met, others):
        seen = solution.game.observed(solution.rules, state)
        alike.setdefault(seen, state)
        reached[seen] += probability
    often = sorted(alike, key=lambda seen: -reached[seen])[: 2 * MAX_DECISIONS]
    rows = _distinct([_decision(solution, seen, alike[seen]) for seen in often])
    is_complete = is_small and len(alike) == len(often) and len(rows) <= MAX_DECISIONS
    order = sorted(alike.values()) if is_complete else list(alike.values())
    shown = sorted(rows[:MAX_DECISIONS], key=lambda row: order.index(row.state))
    return Decisions(solution, shown, is_complete) if rows else None


def _followed(solution: Solution[Any], start: State) -> Iterator[tuple[State, float]]:
    """Yield states with a choice on the paths of optimal play, the likeliest first, with the path's probability."""
    game, rules, found = solution.game, solution.rules, 0
    paths = [(-1.0, found, start)]
    for _ in range(MAX_FOLLOWED):
        if not paths:
            return
        negative, _, state = heappop(paths)
        if game.part("over")(rules, state):
            continue
        labels = game.labels(rules, state)
        if _is_choice(solution, state):
            yield state, -negative
        for label, share in _play(solution, state, list(labels)).items():
            for probability, after, _ in game.outcomes(rules, state, labels[label]) if found < MAX_OUTCOMES else ():
                if share * probability > 0.0:
                    found += 1
                    heappush(paths, (negative * share * probability, found, after))


def _play(solution: Solution[Any], state: State, labels: Sequence[str]) -> dict[str, float]:
    if len(labels) == 1:
        return {labels[0]: 1.0}
    if isinstance(solution, MixedSolution):
        return solution.mixed(state)
    return {str(solution.best(state)): 1.0}


def _is_choice(solution: Solution[Any], state: State) -> bool:
    return len(list(islice(solution.game.part("legal")(solution.rules, state), 2))) > 1


def _all(solution: Solution[Any]) -> Iterator[State]:
    states = solution.all_states
    return (solution.game.module.State(*states.fields(index)) for index in range(states.size))


def _decision(solution: Solution[Any], seen: State, state: State) -> Decision:
    """Return the decision of a player who sees this of the state."""
    game, rules = solution.game, solution.rules
    shown = _fields(solution, seen)
    for field, values in concealed_fields(solution).items():
        others = [seen._replace(**{field: value}) for value in values if value != getattr(seen, field)]
        if field in shown and any(game.observed(rules, other) == seen for other in others):
            shown[field] = HIDDEN
    if isinstance(solution, MixedSolution):
        return Decision(
            state, shown, {label: round(share, DIGITS) for label, share in solution.mixed(state).items()}, ()
        )
    return Decision(state, shown, {}, solution.action_values(state))


def _fields(solution: Solution[Any], state: State) -> dict[str, str]:
    """Return a state by fields, or in the game's own notation."""
    game, rules = solution.game, solution.rules
    if game.has("write"):
        return {"position": game.write(rules, state)}
    return {name: str(value) for name, value in game.shown(rules, state).items()}


def _distinct(rows: Sequence[Decision]) -> Sequence[Decision]:
    """Leave out what is hidden in some decision, and decisions that then are the same, unless others look like them."""
    hidden = {field for row in rows for field, text in row.seen.items() if text == HIDDEN}
    without = [replace(row, seen={name: text for name, text in row.seen.items() if name not in hidden}) for row in rows]
    distinct = {(*row.seen.values(), *row.shares.items(), *row.moves): row for row in reversed(without)}
    looks = {tuple(row.seen.values()) for row in without}
    return list(distinct.values())[::-1] if len(distinct) == len(looks) else rows
