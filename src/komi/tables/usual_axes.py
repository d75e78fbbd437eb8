"""The fields of a table or a map where the user names none: those that vary where a player chooses."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from komi.errors import InputError
from komi.solvers.solution import Solution
from komi.typing import State

MAX_VALUES = 4096  # of a field to try, and states in which fields are seen to vary
MAX_EARLIER = 1000  # states to search for the first one in which a player chooses


def first_choice(solution: Solution[Any]) -> State:
    """Return the first state of play in which a player chooses between actions; the initial state if none is near."""
    game, rules = solution.game, solution.rules
    start = game.part("start")(rules)
    queue, known = [start], {start}
    for state in queue:  # it grows meanwhile
        actions = list(game.part("legal")(rules, state))
        if len(actions) > 1:
            return state
        for action in actions:
            for probability, after, _ in game.outcomes(rules, state, action):
                is_new = probability > 0.0 and after not in known and not game.part("over")(rules, after)
                if is_new and len(known) < MAX_EARLIER:
                    known.add(after)
                    queue.append(after)
    return start


def usual_fields(solution: Solution[Any], base: State, without: str = "") -> list[str]:
    """Return up to two fields that vary: if possible, where players choose and all other fields are as in the base.

    Fields that are sets are left out: their numbers mean nothing to a reader.

    Raises:
        InputError: if there is no such field, and no field is left out as `without`.
    """
    game, rules, states = solution.game, solution.rules, solution.all_states
    lows, maxima, steps = states.layout.lows, states.layout.maxima, states.layout.steps

    def choices(field: str) -> Iterator[State]:
        index = base._fields.index(field)
        values = range(int(lows[index] * steps[index]), int(maxima[index]) + 1, int(steps[index]))
        for state in (base._replace(**{field: value}) for value in values[:MAX_VALUES]):
            if states.index_of(state) >= 0 and not game.is_chance(rules, state):
                yield state

    sets = game.elements(rules)
    spread = range(0, states.size, max(states.size // MAX_VALUES, 1))
    columns = dict(zip(base._fields, zip(*map(states.fields, spread), strict=True), strict=True))
    varying = [field for field in game.fields(rules) if len(set(columns[field])) > 1]
    fields = [field for field in varying if field != without and field.partition("[")[0] not in sets]
    alone = [field for field in fields if len(list(islice(choices(field), 2))) == 2]
    found = list(dict.fromkeys([*alone, *fields]))[:2]
    if not (found or without):
        raise InputError(f"no field of {game.name} is a number that varies: choose 'x' and 'y'.")
    return [field for field in fields if field in found]
