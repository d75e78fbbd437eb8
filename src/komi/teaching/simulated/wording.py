"""Preferences in words, and as the source of a policy."""

from collections.abc import Mapping

from komi.game import Game
from komi.teaching.simulated.follower import NAME
from komi.teaching.simulated.measures import Measure
from komi.teaching.simulated.preferences import PARTS, Condition, Criterion, Order, Preferences, weights

SIZES = {1: "as large as possible", -1: "as small as possible"}
NUMBERS = {1: "as high as possible", -1: "as low as possible"}

_POLICY = '''"""{title}: a strategy to remember.

{about}

komi simulate {game} --games 100000 --policies {file}:{name},random{more}
"""

from math import floor

from komi.bitset import count, length
from komi.compile.rulebook import outcomes, turned

SEATS = {seats}


def {name}(rules, state, action):
    """How much the strategy likes an action, which is taken if it likes no other more."""
{body}


def _seen_again(rules, after, passes):
    """What an action has led to, as the player sees it who took the action."""
    for _ in range(-passes % SEATS):
        after = turned(rules, after)
    return after


def _parts(mean):
    """An average in parts of one, so that equal ones are equal."""
    return floor({parts} * mean + 0.5)
'''
_ORDER = '''

def _order{number}(rules, state, action):
    """{words}"""
{zeros}
    for probability, led, passes in outcomes(rules, state, action):
        after = _seen_again(rules, led, passes)
{sums}
    return {total}
'''


def sentences(preferences: Preferences) -> list[str]:
    """A strategy in sentences, one for each order."""
    told = [f"If {_condition(condition)}: {_order(order)}." for condition, order in preferences.clauses]
    last = _order(preferences.otherwise)
    return [*told, f"Otherwise: {last}." if told else f"{last[0].upper()}{last[1:]}."]


def text(preferences: Preferences) -> str:
    """A strategy in one text."""
    return " ".join(sentences(preferences))


def source(
    game: Game, seats: int, preferences: Preferences, ranges: Mapping[Measure, tuple[int, int]], file: str
) -> str:
    """A policy file that plays the strategy."""
    lines = []
    for number, (condition, _) in enumerate(preferences.clauses):
        relation = ">=" if condition.sign > 0 else "<="
        lines += [
            f"    if {condition.measure.code('state')} {relation} {condition.number}:",
            _call(number, preferences),
        ]
    body = "\n".join([*lines, _call(len(preferences.clauses), preferences)[4:]])
    orders = (_order_source(number, order, ranges) for number, order in enumerate(preferences.orders) if order)
    policy = _POLICY.format(
        title=game.summary.partition(":")[0], about="\n".join(sentences(preferences)), game=game.name, file=file,
        name=NAME, more=",random" * (seats - 2), seats=seats, body=body, parts=PARTS,
    )  # fmt: skip
    return policy + "".join(orders)


def _call(number: int, preferences: Preferences) -> str:
    return f"        return _order{number}(rules, state, action)" if preferences.orders[number] else "        return 0"


def _order_source(number: int, order: Order, ranges: Mapping[Measure, tuple[int, int]]) -> str:
    """The function that says how good what an action leads to is by one of the orders."""
    names = [f"mean{place}" for place in range(len(order))]
    codes = [criterion.measure.code("after") for criterion in order]
    terms = [f"{weight} * _parts({name})" for weight, name in zip(weights(order, ranges), names, strict=True)]
    words = _order(order)
    return _ORDER.format(
        number=number,
        words=f"{words[0].upper()}{words[1:]}.",
        zeros=f"    {' = '.join(names)} = 0.0",
        sums="\n".join(f"        {name} += probability * {code}" for name, code in zip(names, codes, strict=True)),
        total=" + ".join(terms),
    )


def _order(order: Order) -> str:
    """An order in words."""
    if not order:
        return "take any move"
    wanted = [_criterion(criterion) for criterion in order]
    return "; of such moves, ".join([f"leave {wanted[0]}", *wanted[1:]])


def _criterion(criterion: Criterion) -> str:
    words = SIZES if criterion.measure.form == "size" else NUMBERS
    return f"{criterion.measure.words} {words[criterion.sign]}"


def _condition(condition: Condition) -> str:
    has = "has" if condition.measure.form == "size" else "is"
    return f"{condition.measure.words} {has} at {'least' if condition.sign > 0 else 'most'} {condition.number}"
