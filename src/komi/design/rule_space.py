"""The rule sets of a sweep or a search: the combinations of values of varied rules that a game's limits allow."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from komi.design.ranges import check_values
from komi.errors import InputError
from komi.rules.game import Game


class RuleSpace:
    """The combinations of values of varied rules.

    Args:
        game: the game.
        vary: the values of each rule to vary.
        rules: values of other rules to change, by name.

    Raises:
        InputError: for an unknown rule, a value of the wrong type, a rule that is both set and varied, no values, or
            too many combinations.

    Attributes:
        game: the game.
        values: the values of each varied rule, converted to its type.
        size: the number of combinations.
        forbidden: the combinations tried that the limits forbid.
        refusal: the reason why the last of them is forbidden; None if there was none yet.
    """

    def __init__(self, game: Game, vary: Mapping[str, Iterable[object]], rules: Mapping[str, object]) -> None:
        self.game, self._fixed = game, game.values(rules)
        for name in vary.keys() & self._fixed.keys():
            raise InputError(f"rule {name!r} is both set and varied: choose one.")
        self.values: Mapping[str, Sequence[object]] = check_values(game, vary)
        self.size = math.prod(map(len, self.values.values()))
        self.forbidden: set[tuple[object, ...]] = set()
        self.refusal: InputError | None = None

    def rule_set(self, chosen: Mapping[str, object]) -> Any | None:
        """Return the rules with these values; None if the game's limits do not allow them."""
        try:
            return self.game.rules({**self._fixed, **chosen})
        except InputError as error:
            self.forbidden.add(tuple(chosen.values()))
            self.refusal = error
            return None

    def rule_sets(self) -> list[Any]:
        """List all rule sets that the limits allow.

        Raises:
            InputError: if there is none.
        """
        combinations = product(*self.values.values())
        chosen = (self.rule_set(dict(zip(self.values, combination, strict=True))) for combination in combinations)
        allowed = [rules for rules in chosen if rules is not None]
        if not allowed and self.refusal:
            raise self.refusal
        return allowed

    def neighbors(self, rules: Any) -> Iterator[tuple[str, Any]]:
        """Yield (rule, rule set) for each rule set that the limits allow one step in one rule away."""
        chosen = {name: getattr(rules, name) for name in self.values}
        for name, values in self.values.items():
            index = list(values).index(chosen[name])
            for near in (index - 1, index + 1):
                neighbor = self.rule_set({**chosen, name: values[near]}) if 0 <= near < len(values) else None
                if neighbor is not None:
                    yield name, neighbor
