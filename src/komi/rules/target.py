"""The game of reaching a target: another objective for a single-player game, generated from its own rules.

`think:at-least` is Think with the probability of at least `target` points as objective; `target` is an additional rule.
With `:at-most` the objective is the probability of at most that many, for games that minimize, such as turns. Play that
is best for a target differs from play that is best for the expectation. The state has one more field, the total so far,
and the payoff at the end is 1 if the total reaches the target. The result is an ordinary rule file, in a folder of the
cache with copies of the files it is generated from, so that it is solved, verified, plotted and played like any game.
Where rewards are fractions, the total is counted in the unit of which all are multiples.

If no reward is negative the game ends as soon as the target is certain to be reached or missed. Whether this holds, and
the unit, are determined from a limited number of states; the generated rules reject a game that later violates them.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from math import gcd
from pathlib import Path
from string import Template

from komi.errors import GameError
from komi.rules import derived, source
from komi.rules.declarations import DECLARED
from komi.rules.game import Game
from komi.rules.tuple_fields import author_of

SUFFIXES = (":at-least", ":at-most")
MAX_DENOMINATOR = 1_000  # of a reward as a fraction
TOLERANCE = 1e-9  # the greatest difference of a reward from its fraction, and from a multiple of the unit
MAX_SEARCHED = 2_000  # maximum number of states that are searched for negative rewards


def split(name: str) -> tuple[str, str]:
    """Split a name into that of the game and the suffix for a target; the suffix is empty if there is none."""
    suffix = next((suffix for suffix in SUFFIXES if name.endswith(suffix)), "")
    return name.removesuffix(suffix), suffix


def write_rules(game: Game, suffix: str) -> Path:
    """Write the rule file of reaching a target in a single-player game, and return its path.

    Args:
        game: the game.
        suffix: the kind of target, one of `SUFFIXES`.

    Raises:
        GameError: if the game has more players, hidden information, or no rewards.
        StorageError: if the file cannot be written.
    """
    _check(game)
    files = source.files(game.module)
    name = Path(f"{game.file.stem}_target.py")
    contents = {file.relative_to(game.file.parent): file.read_bytes() for file in files}
    return derived.write(game.file.stem, {**contents, name: _text(game, suffix).encode()}) / name


def _check(game: Game) -> None:
    if callable(game.module.players) or game.module.players != 1:
        raise GameError(f"a target is for games for one player: {game.name} is for others too.")
    if not game.has("reward"):
        raise GameError(f"{game.name} gains nothing on the way, so that there is no target to reach.")
    if game.has(f"{DECLARED}discount"):
        raise GameError(f"{game.name} declares a discount: its games have no target.")
    if game.has("view"):
        raise GameError(f"{game.name} hides something from its player: its games have no target.")
    for name, what in (("gained", author_of(game.module).State), ("target", game.module.Rules)):
        if name in what._fields:
            raise GameError(f"{game.file.name} has a {name!r} of its own, which a target needs: rename it.")


def _first_rewards(game: Game) -> set[float]:
    """Return the rewards in the first states of play, and the payoffs of those in which the game is over."""
    rules = game.default_rules
    reward, waiting = game.part("reward"), [game.part("start")(rules)]
    seen = set(waiting)
    rewards = set[float]()
    while waiting and len(seen) < MAX_SEARCHED:
        state = waiting.pop(0)
        if game.part("over")(rules, state):
            rewards.add(float(game.payoffs(rules, state)[0]))
            continue
        for action in game.part("legal")(rules, state):
            for _, after, _ in game.outcomes(rules, state, action):
                rewards.add(float(reward(rules, state, action, after)))
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return rewards


RULES = '''"""$called, for a target: the chance of at $bound so much in all. Its rules are those of $file."""

from math import ceil, floor
from typing import NamedTuple

import $stem as base

players = 1
UNIT = $unit  # of what is gained
IMPOSSIBLE = -(1 << 38)  # gained, where a reward is none that a target can be made of


class Rules(NamedTuple):
$rules
    target: $target  # to be gained in all, at $bound


class State(NamedTuple):
$state
    gained: int = 0  # so far$in_units


def base_of(state):
    return base.State($inner)


def limits(rules):
    of_base = $limits
    return of_base if isinstance(of_base, str) else Rules(*of_base, target=(-(1 << 30), 1 << 30))


def objective(rules):
    return f"chance of at $bound {rules.target$written} " + $objective.removeprefix("expected ")


def no_value(rules):
    return "nothing is gained under these rules" if $objective.startswith("chance") else ""


def start(rules):
    after = base.start(rules)
    return State($after, 0)


def possible(rules, state):
    return state.gained > IMPOSSIBLE and $possible


def legal(rules, state):
    yield from base.legal(rules, base_of(state))


def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    before = base_of(state)
    for probability, after, passes in base.outcomes(rules, before, action):
        gained = total(rules, state.gained, base.reward(rules, before, action, after))
        if base.over(rules, after):
            gained = total(rules, gained, $end)
        yield probability, State($after, gained), passes


def total(rules, gained, reward):
    """The total gain so far, as far as it matters, in units."""
    units = $units
    if $broken:
        return IMPOSSIBLE
    return $sum


def goal(rules):
    """The target, in units."""
    return $goal


def over(rules, state):
    return $decided or base.over(rules, base_of(state))


def payoff(rules, state):
    return 1.0 if state.gained $reaches goal(rules) else 0.0
$optional'''

OPTIONAL = {  # optional parts of the protocol that are forwarded to the original game
    "actions": "actions = base.actions",
    "fields": 'def fields(rules):\n    return (*base.fields(rules), "gained")',
    "label": "def label(rules, state, action):\n    return base.label(rules, base_of(state), action)",
    "event": (
        "def event(rules, state, action, after):\n    return base.event(rules, base_of(state), action, base_of(after))"
    ),
    "transient": "def transient(rules, state):\n    return base.transient(rules, base_of(state))",
    "roll": "roll = base.roll",
    "elements": "elements = base.elements",
}


def _text(game: Game, suffix: str) -> str:
    """Generate the text of the rule file."""
    module = author_of(game.module)
    is_most = suffix == ":at-most"
    rewards = _first_rewards(game)
    ends, unit = min(rewards) >= 0, find_unit(sorted(rewards))
    if unit is None:
        raise GameError(
            f"rewards of {game.name} are not all multiples of one unit, which a target needs; one is "
            f"{next(reward for reward in rewards if reward != int(reward)):.10g}."
        )
    is_whole = unit == 1
    counted = f"{'floor' if is_most else 'ceil'}(rules.target / UNIT {'+' if is_most else '-'} {TOLERANCE})"
    differs = "reward != units" if is_whole else f"abs(units * UNIT - reward) > {TOLERANCE}"
    return Template(RULES).substitute(
        called=game.summary.partition(":")[0],
        bound="most" if is_most else "least",
        file=game.file.name,
        stem=game.file.stem,
        rules=derived.field_lines(game, "Rules", module.Rules._field_defaults),
        state=derived.field_lines(game, "State", dict.fromkeys(module.State._fields)),
        inner=", ".join(f"state.{name}" for name in module.State._fields),
        after=", ".join(f"after.{name}" for name in module.State._fields),
        limits="base.limits(rules)" if game.has("limits") else (None,) * len(module.Rules._fields),
        objective="base.objective(rules)" if game.has("objective") else '"in all"',
        possible="base.possible(rules, base_of(state))" if game.has("possible") else "True",
        end="base.payoff(rules, after, 0)" if game.is_seated else "base.payoff(rules, after)",
        unit=1 if is_whole else float(unit),
        target="int = 1" if is_whole else "float = 1.0",
        in_units="" if is_whole else f", in units of {float(unit):.10g}",
        written="" if is_whole else ":.10g",
        units="int(reward)" if is_whole else "int(floor(reward / UNIT + 0.5))",
        goal="rules.target" if is_whole else f"int({counted})",
        broken=f"{differs} or reward < 0" if ends else differs,
        sum=("min(gained + units, goal(rules)" + " + 1" * is_most + ")") if ends else "gained + units",
        decided=f"state.gained {'>' if is_most else '>='} goal(rules)" if ends else "False",
        reaches="<=" if is_most else ">=",
        optional="".join(f"\n\n{text}\n" for name, text in OPTIONAL.items() if game.has(name)),
    )


def find_unit(rewards: Iterable[float]) -> Fraction | None:
    """Return the unit of some rewards: 1 if all are whole numbers; None if it is too small to count in."""
    fractions = [Fraction(reward).limit_denominator(MAX_DENOMINATOR) for reward in rewards]
    if any(abs(float(fraction) - reward) > TOLERANCE for fraction, reward in zip(fractions, rewards, strict=True)):
        return None
    if all(fraction.denominator == 1 for fraction in fractions):
        return Fraction(1)
    unit = reduce(_common, fractions)
    return unit if unit.denominator <= MAX_DENOMINATOR else None


def _common(one: Fraction, other: Fraction) -> Fraction:
    """Return the greatest number of which both are multiples."""
    denominator = one.denominator * other.denominator
    return Fraction(gcd(one.numerator * other.denominator, other.numerator * one.denominator), denominator)
