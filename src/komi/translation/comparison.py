"""Translated rules compared with the rules: the same results in the same states, floats to the last bit."""

import json
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from math import isclose
from shutil import which
from subprocess import PIPE, Popen, TimeoutExpired
from typing import Any, NamedTuple

from komi.game import CHANCE
from komi.rules.declarations import SIGNATURES
from komi.rules.game import Game
from komi.rules.tuple_fields import author_of
from komi.translation.kinds import MAX_EXACT
from komi.translation.program import PARTS
from komi.typing import Rules

UNIFORMS = (0.0, 0.37, 0.999999)  # random numbers with which the rules draw
SECONDS = 300  # for all calls in Node
MAX_AFTERS = 8  # outcomes of an action whose names are compared
ERROR = "error"  # the result of a call that raises an error of the rules
Call = tuple[Any, ...]  # a part of the protocol, and its arguments after the rules


class Difference(NamedTuple):
    """A call whose results differ."""

    part: str
    arguments: tuple[Any, ...]
    python: Any
    javascript: Any

    @property
    def is_refused(self) -> bool:
        """True if JavaScript refuses the call: a number is beyond 2**53, or of the wrong type."""
        return "counts exactly" in str(self.javascript) or str(self.javascript).startswith("TypeError")

    @property
    def is_of_rounding(self) -> bool:
        """True if only floats differ, by rounding: Python 3.12 adds floats in another way than compiled rules do."""
        return _is_close(self.python, self.javascript)


def _is_close(one: Any, other: Any) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_close, one, other))
    if isinstance(one, float) and isinstance(other, int | float):
        return isclose(one, other, rel_tol=1e-12, abs_tol=1e-15)
    return bool(one == other)


def node() -> str | None:
    """Return the program that runs translated rules; None if it is not installed."""
    return which("node")


def compare(game: Game, rules: Rules, source: str, states: Sequence[Any]) -> list[Difference]:
    """Call every part of the rules, and of their translation in Node, in these states.

    Args:
        game: the game under these rules.
        rules: the rules of the translation.
        source: the translation.
        states: states of the game.

    Returns:
        The calls whose results differ.
    """
    calls = list(calls_in(game, rules, states))
    results = call_javascript(source, calls, lambda: [call_python(game, rules, call) for call in calls])
    return [
        Difference(call[0], call[1:], expected, found)
        for call, expected, found in zip(calls, *results, strict=True)
        if expected != found
    ]


def call_javascript(source: str, calls: Sequence[Call], meanwhile: Callable[[], Any] = list) -> tuple[Any, list[Any]]:
    """Call a translation in Node; return what `meanwhile` returns, and the results, as `plain` values.

    Raises:
        RuntimeError: if the module does not run.
    """
    driver = files("komi.translation").joinpath("comparison.js").read_text(encoding="utf-8")
    command = [str(node()), "--input-type=module", "--eval", driver]
    with Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True, encoding="utf-8") as running:
        expected = meanwhile()
        try:
            written, error = running.communicate(json.dumps([source, plain(calls)]), timeout=SECONDS)
        except TimeoutExpired:
            running.kill()
            raise RuntimeError(f"no result within {SECONDS} seconds") from None
    if running.returncode != 0:
        raise RuntimeError(error)
    return expected, json.loads(written)


def call_python(game: Game, rules: Rules, call: Call) -> Any:
    """Call the rules; return the result as a `plain` value."""
    part, *arguments = call
    try:
        return plain(getattr(author_of(game.module), part)(rules, *arguments))
    except Exception:
        return ERROR


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: tuples and iterators are lists, and an integer beyond 2**53 is a text."""
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value))
    if hasattr(value, "__iter__") and not isinstance(value, str):
        return [plain(each) for each in value]
    return f"{value}n" if isinstance(value, int) and abs(value) > MAX_EXACT else value


def calls_in(game: Game, rules: Rules, states: Sequence[Any]) -> Iterator[Call]:
    """Yield all calls of the parts of a game in these states."""
    module = author_of(game.module)
    takes = {part: SIGNATURES[part] for part in SIGNATURES if part in PARTS and callable(getattr(module, part, None))}
    of_rules, of_states, of_actions, of_afters = (
        [part for part, parameters in takes.items() if parameters == ("rules", *rest)]
        for rest in ((), ("state",), ("state", "action"), ("state", "action", "after"))
    )
    yield from ((part,) for part in of_rules)
    for state in states:
        yield from ((part, state) for part in of_states if part != "payoff")
        if module.over(rules, state):
            seats = [(seat,) for seat in range(game.players(rules))] if game.is_seated else [()]
            yield from (("payoff", state, *seat) for seat in seats)
            continue
        if "deal" in takes:
            view = module.view(rules, state)
            yield from (("deal", view, *[uniform] * game.deal_uniforms) for uniform in UNIFORMS)
        if "pick" in takes:
            yield from (("pick", state, uniform) for uniform in UNIFORMS)
        for action in module.legal(rules, state):
            yield from ((part, state, action) for part in of_actions if action != CHANCE or part == "outcomes")
            if "sample" in takes:
                yield from (("sample", state, action, uniform) for uniform in UNIFORMS)
            for _, after, _ in list(module.outcomes(rules, state, action))[:MAX_AFTERS] if of_afters else ():
                yield from ((part, state, action, after) for part in of_afters)
