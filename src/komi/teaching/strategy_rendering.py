"""A strategy as text, and as the source code of a policy."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from komi.game import CHANCE
from komi.rules.game import Game
from komi.teaching.features import TIMES, Feature
from komi.teaching.policy_source import policy_source
from komi.teaching.strategy import Clause, LinearTest, Strategy, Term, integer_scaling
from komi.typing import Rules, State

NAME = "cheat_sheet"


class StrategyRenderer:
    """The rendering of a game's strategies as text and as source code.

    Args:
        game: the game.
        rules: its rules.
        features: the features that a person sees.
        subject: the field on the left side of tests where it occurs, such as the points at risk.
        labels: the name of each action of a strategy; by default those of the game's actions.
    """

    def __init__(
        self,
        game: Game,
        rules: Rules,
        features: Sequence[Feature],
        subject: str | None,
        labels: Sequence[str] | None = None,
    ) -> None:
        self._game, self._features, self._subject = game, features, subject
        self._labels = action_labels(game, rules) if labels is None else labels

    def sentences(self, strategy: Strategy) -> list[str]:
        """Describe the strategy in sentences, one for each clause; adjacent clauses with the same action are merged."""
        if not strategy.clauses:
            return [f"Always {self._labels[strategy.default]}."]
        groups: list[tuple[int, list[str]]] = []
        for clause in strategy.clauses:
            if not groups or groups[-1][0] != clause.action:
                groups.append((clause.action, []))
            groups[-1][1].append(self.condition(clause))
        lines = [f"{self._labels[action]} if {', or if '.join(conditions)}" for action, conditions in groups]
        lines = [line[0].upper() + line[1:] for line in (lines[0], *(f"else {line}" for line in lines[1:]))]
        last = self._labels[strategy.default]
        return [*(f"{line}." for line in lines[:-1]), f"{lines[-1]}; otherwise {last}."]

    def text(self, strategy: Strategy) -> str:
        """Describe the strategy in one text."""
        return " ".join(self.sentences(strategy))

    def condition(self, clause: Clause[Any]) -> str:
        """Describe the tests of a clause."""
        return " and ".join(self._test(test) for test in clause.tests)

    def source(self, strategy: Strategy, file: str) -> str:
        """Write a policy file that plays the strategy, in integer arithmetic."""
        about = "a strategy to remember.\n\n" + "\n".join(self.sentences(strategy))
        returned = [f"{number}  # {label}" for number, label in enumerate(self._labels)]
        return policy_source(self._game, file, NAME, "strategy", about, self.body(strategy, returned))

    def body(self, strategy: Strategy, returned: Sequence[str]) -> str:
        """Write the body of a function (rules, state), in integer arithmetic, given what it returns for each action."""
        lines: list[str] = []
        for clause in strategy.clauses:
            tests = " and ".join(self._code(test) for test in clause.tests)
            lines += [f"    if {tests}:", f"        return {returned[clause.action]}"]
        return "\n".join([*lines, f"    return {returned[strategy.default]}"])

    def explain(self, strategy: Strategy, decider: int, state: State) -> str:
        """Explain in numbers why a clause of a strategy decides in a state; after the last clause, why none applies."""
        values = {number: feature.evaluate(state) for number, feature in enumerate(self._features)}
        if decider < len(strategy.clauses):
            return " and ".join(self._test_in_numbers(test, values, True) for test in strategy.clauses[decider].tests)
        failed = [next(test for test in clause.tests if not _holds(test, values)) for clause in strategy.clauses]
        return " and ".join(self._test_in_numbers(test, values, False) for test in failed[-2:])

    def _test(self, test: LinearTest) -> str:
        """Describe a test: one feature on the left, all others on the right."""
        lead, sign, right = self._sides(test)
        feature = self._features[lead.feature]
        if feature.form in ("larger", "smaller") and len(test.terms) == 1:
            return _describe_bound(feature, sign, sign * test.constant)
        return f"{feature.text} {feature.verb} at {'least' if sign > 0 else 'most'} {right}"

    def _test_in_numbers(self, test: LinearTest, values: Mapping[int, Fraction], is_passed: bool) -> str:
        """Describe a test with the numbers of a state."""
        lead, sign, right = self._sides(test)
        rest = sum((term.coefficient * values[term.feature] for term in test.terms if term is not lead), Fraction(0))
        bound = (test.constant - rest) / lead.coefficient
        relation = {(True, 1): "at least", (True, -1): "at most", (False, 1): "less than", (False, -1): "more than"}
        shown = f"{right} = {_decimal(bound)}" if len(test.terms) > 1 else right
        subject = f"{self._features[lead.feature].text}, {_decimal(values[lead.feature])},"
        return f"{subject} is {relation[is_passed, sign]} {shown}"

    def _sides(self, test: LinearTest) -> tuple[Term, int, str]:
        """Split a test into its leading term, the sign of its coefficient, and the other side in text."""
        lead = max(test.terms, key=lambda term: (self._rank(term), term.coefficient))
        sign = 1 if lead.coefficient > 0 else -1
        scale = abs(lead.coefficient)
        others = [Term(term.feature, -sign * term.coefficient / scale) for term in test.terms if term is not lead]
        constant = sign * test.constant / scale
        if constant.denominator == 1 or not others:
            return lead, sign, self._total(constant, others)
        whole = [Term(term.feature, scale * term.coefficient) for term in others]
        return lead, sign, f"({self._total(scale * constant, whole)}) / {scale}"

    def _total(self, constant: Fraction, terms: Sequence[Term]) -> str:
        """Describe the sum of a constant and terms."""
        constants = [str(constant)] if constant or not terms else []
        is_sum = len(constants) + len(terms) > 1
        parts = [self._product(term, is_sum) for term in sorted(terms, key=lambda other: -other.coefficient)]
        return _sum([*constants, *parts])

    def _rank(self, term: Term) -> tuple[bool, bool]:
        feature = self._features[term.feature]
        return (feature.form == "identity" and feature.a.field == self._subject, abs(term.coefficient) == 1)

    def _product(self, term: Term, is_in_sum: bool) -> str:
        """Describe a term with its sign; a negative difference has its operands swapped instead."""
        feature, size = self._features[term.feature], abs(term.coefficient)
        text, sign = feature.text, "-" if term.coefficient < 0 else ""
        if feature.form in ("difference", "scaled"):
            text, sign = (feature.negated.text if sign else text), ""
        grouped = feature.form in ("sum", "difference") or (feature.form == "ratio" and size.numerator == 1)
        of_two = feature.form in ("larger", "smaller") and (is_in_sum or size != 1)
        if of_two or (grouped and size != 1) or (feature.form == "sum" and sign):
            text = f"({text})"
        if size != 1:
            text = f"{text} / {size.denominator}" if size.numerator == 1 else f"{size} {TIMES} {text}"
        return sign + text

    def _code(self, test: LinearTest) -> str:
        scale, ratio = integer_scaling(test, self._features)
        divisor = f" * {self._features[ratio].b.code}" if ratio >= 0 else ""
        sides: tuple[list[str], list[str]] = ([], [])
        for term in test.terms:
            feature, size = self._features[term.feature], int(term.coefficient * scale)
            times = f"{abs(size)} * " if abs(size) != 1 else ""
            sides[size < 0].append(f"{times}{feature.code}{'' if feature.form == 'ratio' else divisor}")
        if test.constant:
            sides[test.constant > 0].append(f"{abs(test.constant) * scale}{divisor}")
        left, right = (" + ".join(side) or "0" for side in sides)
        return f"{left} >= {right}"


def action_labels(game: Game, rules: Rules) -> list[str]:
    """Return the name of each action of a game."""
    start = game.part("start")(rules)
    return [game.label(rules, start, action) for action in range(count_actions(game, rules))]


def count_actions(game: Game, rules: Rules) -> int:
    """Count the actions, numbered from 0: those that the game lists, or those legal at the start; else all declared."""
    if game.has("actions"):
        return len(game.module.actions)
    first = max(int(action) for action in game.part("legal")(rules, game.part("start")(rules)))
    return (game.action_count(rules) or 0) if first == CHANCE else 1 + first


def _sum(parts: Sequence[str]) -> str:
    """Join the summands; those that begin with a minus sign are subtracted."""
    text = parts[0]
    for part in parts[1:]:
        text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return text


def _describe_bound(feature: Feature, sign: int, constant: Fraction | int) -> str:
    """Describe a bound of the larger or the smaller of two quantities in plain text."""
    a, b = feature.a.text, feature.b.text
    bound = f"at {'least' if sign > 0 else 'most'} {constant}"
    if (feature.form == "larger") == (sign > 0):
        return f"{a} or {b} is {bound}"
    return f"{a} and {b} are both {bound}"


def _holds(test: LinearTest, values: Mapping[int, Fraction]) -> bool:
    return sum(term.coefficient * values[term.feature] for term in test.terms) >= test.constant


def _decimal(number: Fraction) -> str:
    """Format a number with up to two decimal digits."""
    return f"{float(number):.2f}".rstrip("0").rstrip(".")
