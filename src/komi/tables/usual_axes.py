"""The fields of a table or a map where the user names none: those that vary where a player chooses."""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any

from komi.errors import InputError
from komi.rules.enumeration import first_choice
from komi.solvers.solution import Solution
from komi.typing import State

MAX_VALUES = 4096  # of a field to try, and states to search for fields that vary


def usual_map(solution: Solution[Any], base: State | None, without: str = "") -> tuple[State, list[str]]:
    """Return a state and up to two fields that vary, if possible where all other fields are as in this state.

    Fields that are sets are left out, since their numbers mean nothing to a reader, and those that a player does not
    observe.

    Args:
        solution: the solution.
        base: the state; by default the first choice, or one with more choices around it if no field varies there.
        without: a field that is shown in another way.
    """
    game, rules = solution.game, solution.rules
    sets, varying = game.elements(rules), varying_fields(solution, is_observed=True)
    left_out = {without, *concealed_fields(solution)}
    fields = [field for field in varying if field not in left_out and field.partition("[")[0] not in sets]
    if not (fields or without):
        raise InputError(_no_axes(game.name, varying))
    shown = base or first_choice(solution.game, solution.rules)
    found = [field for field in fields if len(list(islice(_choices(solution, shown, field), 2))) == 2]
    if len(found) < 2 and not (base or without):
        shown, found = _most_varied(solution, fields) or (shown, found)
    found = list(dict.fromkeys([*found, *(fields if without or not found else ())]))[:2]
    return shown, [field for field in fields if field in found]


def _no_axes(name: str, varying: Sequence[str]) -> str:
    """Return why there are no fields to take, and what helps."""
    if varying:
        return f"no field of {name} is a number that varies: choose a set, {' or '.join(varying)}, as 'x'."
    return f"no field of {name} varies where a player chooses: 'komi value' shows the decision."


def unobserved_fields(solution: Solution[Any]) -> tuple[str, ...]:
    """Return the fields that vary, but not in what players observe; some states of a large game are searched."""
    if not solution.game.has("view"):
        return ()
    observed = varying_fields(solution, is_observed=True)
    return tuple(field for field in varying_fields(solution, is_observed=False) if field not in observed)


def varying_fields(solution: Solution[Any], *, is_observed: bool) -> list[str]:
    """Return the fields with more than one value where a player chooses, or in what players observe there.

    In a game without choices, those with more than one value.
    """
    game, rules, choices = solution.game, solution.rules, _some_choices(solution)
    seen = [game.observed(rules, state) for state in choices] if is_observed else choices
    return [field for field in game.fields(rules) if len({getattr(state, field) for state in seen}) > 1]


def concealed_fields(solution: Solution[Any]) -> dict[str, set[int]]:
    """Return the fields of which the player to move sees another value in some state, with their values.

    An example is what a rival has chosen at the same time.
    """
    states = _some_choices(solution) if solution.game.has("view") else []
    pairs = [(state, solution.game.observed(solution.rules, state)) for state in states]
    fields = solution.game.module.State._fields
    concealed = [
        field for field in fields if any(getattr(state, field) != getattr(seen, field) for state, seen in pairs)
    ]
    return {field: {getattr(state, field) for state in states} for field in concealed}


def _some_choices(solution: Solution[Any]) -> list[State]:
    """Return states in which a player chooses, spread over all; any states in a game without choices."""
    states = solution.all_states
    spread = range(0, states.size, max(states.size // MAX_VALUES, 1))
    found = [solution.game.module.State(*states.fields(index)) for index in spread]
    return [state for state in found if not solution.game.is_chance(solution.rules, state)] or found


def _choices(solution: Solution[Any], base: State, field: str) -> Iterator[State]:
    """Yield the states in which a player chooses and that differ from the base in one field at most."""
    states, index = solution.all_states, base._fields.index(field)
    low, highest, step = (int(part[index]) for part in (states.layout.lows, states.layout.maxima, states.layout.steps))
    values = range(low * step, highest + 1, step)
    for state in (base._replace(**{field: value}) for value in values[:MAX_VALUES]):
        if states.index_of(state) >= 0 and not solution.game.is_chance(solution.rules, state):
            yield state


def _most_varied(solution: Solution[Any], fields: Sequence[str]) -> tuple[State, list[str]] | None:
    """Return two fields that vary among choices that agree in all others, and one of these; None if there are none.

    Only the first states are searched.
    """
    game, states = solution.game, solution.all_states
    members = (game.module.State(*states.fields(index)) for index in range(min(states.size, MAX_VALUES)))
    choices = [state for state in members if not game.is_chance(solution.rules, state)]
    most, found = 1, None
    for pair in combinations(fields, 2):
        groups: dict[State, list[State]] = {}
        for state in choices:
            groups.setdefault(state._replace(**dict.fromkeys(pair, 0)), []).append(state)
        for group in groups.values():
            if len(group) > most and all(len({getattr(state, field) for state in group}) > 1 for field in pair):
                most, found = len(group), (group[0], list(pair))
    return found
