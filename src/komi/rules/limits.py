"""The limits of rules: which values a game's rules can have, each alone and all together (the part `limits`)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from komi.errors import GameError, RuleError
from komi.typing import Rules

STEP_TOLERANCE = 1e-9
"""The largest distance of a rule from a multiple of its step, in steps, that counts as rounding."""


class Limited(Protocol):
    """A game as far as its limits are concerned; see `komi.rules.game.Game`."""

    @property
    def name(self) -> str:
        """The name of the game."""

    @property
    def file(self) -> Path:
        """The file that contains the rules."""

    @property
    def default_rules(self) -> Rules:
        """The rules with their default values."""

    def part(self, name: str) -> Callable[..., Any]:
        """Return a function of the game file."""


def limits_of(game: Limited, rules: Rules) -> Rules:
    """Return the limits of each rule as the game declares them; None for a rule without limits.

    Raises:
        RuleError: if the game says that these rules do not go together.
        GameError: if a limit is neither (least, greatest), (least, greatest, step) nor a tuple of words.
    """
    limits = game.part("limits")(rules)
    reason = limits.strip().rstrip(".") if isinstance(limits, str) else ""
    if reason:
        raise RuleError(
            f"{game.name} cannot be played with {changed_rules(game, rules)}: {reason}.",
            f"These rules do not go together: {reason}.",
        )
    if getattr(limits, "_fields", None) != rules._fields:
        raise GameError(
            f"{game.file.name}: 'limits' returns {limits!r}, not Rules of (least, greatest), or a sentence that says "
            "why these rules do not go together."
        )
    unlimited = {name: None for name, limit in zip(limits._fields, limits, strict=True) if isinstance(limit, bool)}
    limits = limits._replace(**unlimited)  # true or false, left to its default
    for name, value, limit in zip(rules._fields, rules, limits, strict=True):
        if limit is not None and not _is_limit(limit, value):
            form = "a tuple of words" if isinstance(value, str) else "(least, greatest) or (least, greatest, step)"
            raise GameError(
                f"{game.file.name}: 'limits' says {limit!r} of rule {name!r}, which must be {form}, or None."
            )
    return limits


def check_limits(game: Limited, rules: Rules) -> None:
    """Check that the game's limits allow these rules.

    Raises:
        RuleError: if they do not.
        GameError: if the game declares limits of another form.
    """
    for name, value, limit in zip(rules._fields, rules, limits_of(game, rules), strict=True):
        if isinstance(value, str):
            if limit is not None and value not in limit:
                words = ", ".join(limit)
                raise RuleError(
                    f"{name} of {game.name} must be one of {words}, not {value!r}.",
                    f"“{_called(name)}” must be one of {words}.",
                )
        elif limit is not None:
            _check_number(game, rules, name, limit)


def changed_rules(game: Limited, rules: Rules) -> str:
    """List the rules that differ from their defaults, as name=value, ...; "the default rules" if none does."""
    pairs = zip(rules._asdict().items(), game.default_rules, strict=True)
    return ", ".join(f"{name}={value}" for (name, value), default in pairs if value != default) or "the default rules"


def _check_number(game: Limited, rules: Rules, name: str, limit: tuple[float, ...]) -> None:
    value, (least, greatest, step) = getattr(rules, name), (*limit, 0)[:3]
    others = rules._replace(**{name: getattr(game.default_rules, name)})
    if least > greatest:
        raise RuleError(
            f"no {name} of {game.name} goes with {changed_rules(game, others)}: 'limits' says {least} to {greatest}.",
            f"No “{_called(name)}” goes with the other rules.",
        )
    number = (value - least) / step if step else 0.0
    if least <= value <= greatest and abs(number - round(number)) <= STEP_TOLERANCE:
        return
    steps_of = f" in steps of {step}" if step else ""
    on_page = f"from {least} to {greatest}{steps_of}" if least < greatest else f"{least} here{steps_of}"
    beside = f" with {changed_rules(game, others)}" if _depends(game, name, value, limit) else ""
    allowed = (f"{least} to {greatest}" if least < greatest else f"{least}" if beside else f"{least} here") + steps_of
    raise RuleError(
        f"{name} of {game.name} must be {allowed}{beside}, not {value}.", f"“{_called(name)}” must be {on_page}."
    )


def _depends(game: Limited, name: str, value: float, limit: tuple[float, ...]) -> bool:
    """Return whether a rule has this limit because other rules differ from their defaults."""
    try:
        return bool(getattr(limits_of(game, game.default_rules._replace(**{name: value})), name) != limit)
    except RuleError:
        return True


def _called(rule: str) -> str:
    """Return the name of a rule as pages show it."""
    return rule.replace("_", " ").capitalize()


def _is_limit(limit: Any, value: object) -> bool:
    if not isinstance(limit, tuple | list):
        return False
    if isinstance(value, str):
        return len(limit) > 0 and all(isinstance(word, str) for word in limit)
    return len(limit) in (2, 3) and all(isinstance(end, int | float) for end in limit)
