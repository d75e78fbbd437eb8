"""Preferences as text, and as the source code of a policy."""

from collections.abc import Mapping
from textwrap import wrap

from komi.rules.game import Game
from komi.teaching.simulated.observed_measures import ObservedMeasures
from komi.teaching.simulated.preference_policy import NAME
from komi.teaching.simulated.preferences import (
    RESOLUTION,
    Condition,
    Criterion,
    Order,
    Preferences,
    is_deterministic,
    weights,
)

LINE = 118  # characters in a line
SIZES = {1: "as large as possible", -1: "as small as possible"}
NUMBERS = {1: "as high as possible", -1: "as low as possible"}

_POLICY = '''"""{title}: a strategy to remember.

{about}

komi simulate {game} --games 100000 --policy {file}:{name}{others}
"""

{imports}


def {name}(rules, state, action):
    """Return the score of an action: the strategy takes an action with the highest score."""
{body}
{helpers}'''
_OBSERVED = '''

def _observed_by_mover(rules, after, passes):
    """Return the next state as the player who took the action observes it."""
    for _ in range(-passes % {seats}):
        after = turned(rules, after)
    return after
'''
_ROUNDED = '''

def _rounded(mean):
    """Round an average to a whole number of small parts, so that equal averages compare equal."""
    return floor({parts} * mean + 0.5)
'''
_ORDER = '''

def _order{number}(rules, state, action):
    """{text}"""
{zeros}
    for {probability}, {after}, {passes} in outcomes(rules, state, action):
{sums}
    return {total}
'''


def sentences(preferences: Preferences) -> list[str]:
    """Describe a strategy in sentences, one for each order."""
    clauses = [f"If {_condition(condition)}: {_order(order)}." for condition, order in preferences.clauses]
    last = _order(preferences.otherwise)
    return [*clauses, f"Otherwise: {last}." if clauses else f"{last[0].upper()}{last[1:]}."]


def text(preferences: Preferences) -> str:
    """Describe a strategy in one text."""
    return " ".join(sentences(preferences))


def source(game: Game, seats: int, preferences: Preferences, table: ObservedMeasures, file: str) -> str:
    """Write a policy file that plays the strategy."""
    lines = []
    for number, (condition, _) in enumerate(preferences.clauses):
        measure = condition.measure.code(f"state.{condition.measure.field}")
        relation = ">=" if condition.sign > 0 else "<="
        lines += [f"    if {measure} {relation} {condition.number}:", _call(number, preferences)]
    body = "\n".join([*lines, _call(len(preferences.clauses), preferences)[4:]])
    has_turned = game.has("turned")
    orders = [
        _order_source(number, order, table, has_turned) for number, order in enumerate(preferences.orders) if order
    ]
    helpers = [_ROUNDED.format(parts=RESOLUTION), *([_OBSERVED.format(seats=seats)] if has_turned else []), *orders]
    helper_source = "".join(helpers) if orders else ""
    return _POLICY.format(
        title=game.summary.partition(":")[0],
        about="\n".join(line for sentence in sentences(preferences) for line in wrap(sentence, LINE)),
        game=game.name,
        file=file,
        name=NAME,
        others=" --policy random" * (seats - 1),
        imports=_imports(body + helper_source),
        body=body,
        helpers=helper_source,
    )


def _imports(code: str) -> str:
    """Write the imports that the code needs."""
    sets = [name for name in ("count", "length") if f"{name}(" in code]
    interface = [name for name in ("outcomes", "turned") if f"{name}(" in code]
    lines = ["from math import floor\n"] if "floor(" in code else []
    lines += [f"from komi.bitset import {', '.join(sets)}"] if sets else []
    lines += [f"from komi.rules.interface import {', '.join(interface)}"] if interface else []
    return "\n".join(lines)


def _call(number: int, preferences: Preferences) -> str:
    return f"        return _order{number}(rules, state, action)" if preferences.orders[number] else "        return 0"


def _order_source(number: int, order: Order, table: ObservedMeasures, has_turned: bool) -> str:
    """Write the function that ranks the result of an action by one of the orders."""
    names = [f"mean{index}" for index in range(len(order))]
    codes = [criterion.measure.code(_field_after(criterion.measure.field, table.mirrored)) for criterion in order]
    is_certain = is_deterministic(order, table)
    share = "" if is_certain else "probability * "
    sums = [f"        {name} += {share}{code}" for name, code in zip(names, codes, strict=True)]
    if is_certain:
        sums.append("        break  # no criterion depends on chance")
    if has_turned:
        sums.insert(0, "        after = _observed_by_mover(rules, next_state, passes)")
    weighted = zip(weights(order, table.results), names, strict=True)
    text = _order(order)
    return _ORDER.format(
        number=number,
        text=f"{text[0].upper()}{text[1:]}.",
        zeros=f"    {' = '.join(names)} = 0.0",
        probability="_" if is_certain else "probability",
        after="next_state" if has_turned else "after",
        passes="passes" if "passes" in " ".join(sums) else "_",
        sums="\n".join(sums),
        total=" + ".join(f"{weight} * _rounded({name})" for weight, name in weighted),
    )


def _field_after(field: str, mirrored: Mapping[str, str]) -> str:
    """Write the expression of a field of the next state, as the player who took the action observes it."""
    other = mirrored.get(field)
    return f"(after.{other} if passes % 2 else after.{field})" if other else f"after.{field}"


def _order(order: Order) -> str:
    """Describe an order in words."""
    if not order:
        return "take any move"
    criteria = [_criterion(criterion) for criterion in order]
    return "; of such moves, ".join([f"leave {criteria[0]}", *criteria[1:]])


def _criterion(criterion: Criterion) -> str:
    directions = SIZES if criterion.measure.form == "size" else NUMBERS
    return f"{criterion.measure.text} {directions[criterion.sign]}"


def _condition(condition: Condition) -> str:
    has = "has" if condition.measure.form == "size" else "is"
    return f"{condition.measure.text} {has} at {'least' if condition.sign > 0 else 'most'} {condition.number}"
