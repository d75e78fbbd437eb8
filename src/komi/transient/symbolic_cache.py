"""The symbolic transition cache: learns the transitions of groups of states, and writes them as arrays."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from komi.compiling.packing import Layout
from komi.graph.transitions import begin
from komi.jit.kernels import engine_kernels
from komi.transient.roll_graph import Exits, RollGraphs
from komi.transient.symbolic_execution import SymbolicExecutor, SymbolicResult, SymbolicSuccessor, setting
from komi.transient.symbolic_expressions import LARGEST, Form, Range, SymbolicExecutionError
from komi.transient.symbolic_transitions import (
    CAPACITIES,
    NOT_EXECUTABLE,
    SymbolicTransitions,
    SymbolKind,
    slot_of_group,
)

Ranges = dict[Form, Range]


@dataclass(frozen=True)
class ExitBranch:
    """The gain and the successors of an exit under a path condition."""

    result: SymbolicResult
    gain: float
    magnitude: float
    probabilities: NDArray[np.float64]


@dataclass
class GraphCase:
    """The roll graph of states that satisfy a path condition, and the leaves learned for each of its exits."""

    ranges: Ranges
    graph: int
    branches: list[list[ExitBranch]]
    number: int = -1  # in `SymbolicTransitions`


@dataclass
class TotalsGroup:
    """States that differ only in their totals; `state` is one of them."""

    state: Sequence[int]
    cases: list[GraphCase] = field(default_factory=list)
    is_executable: bool = True


class SymbolicTransitionCache:
    """The symbolic transition cache of a game.

    Args:
        executor: executes the rules symbolically.
        totals: bool[fields], the totals.
        inside: bool[fields], which fields can change inside a roll.

    Attributes:
        transitions: the cache as arrays, for compiled code.
    """

    def __init__(self, executor: SymbolicExecutor, totals: NDArray[np.bool_], inside: NDArray[np.bool_]) -> None:
        self._executor, self._inside = executor, inside
        self._totals = [int(i) for i in np.flatnonzero(totals)]
        self._groups: dict[tuple[int, ...], TotalsGroup] = {}
        self._layout = Layout.of([0], [1])
        self._begin()

    def fit(self, layout: Layout) -> None:
        """Write all symbolic transitions for states in this layout."""
        if layout == self._layout or not self._totals or setting() == "0":
            return
        self._layout = layout
        self._begin()
        if layout.halves > 1:
            return
        for j, i in enumerate(self._totals):
            self.transitions.total_shift[j], self.transitions.total_mask[j] = layout.shifts[i], layout.masks[i]
            self.transitions.total_low[j] = layout.lows[i]
        self.transitions.grouping[0] = (
            layout.key_count - 1 - sum(layout.masks[i] << layout.shifts[i] for i in self._totals)
        )
        for group in self._groups.values():
            for case in group.cases:
                self._write_case(group, case)
                for exit_, branches in enumerate(case.branches):
                    for branch in branches:
                        self._write_branch(group, case, exit_, branch)
                self._write_form(group, case)
            self._link(group)

    def learn(self, state: Sequence[int], graph: int, graphs: RollGraphs, exits: Exits) -> None:
        """Learn the missing symbolic transitions of a state in the layout.

        Args:
            state: its fields.
            graph: the index of its roll graph.
            graphs: those of `Rolls`.
            exits: the result of the rules for this state; symbolic transitions that differ from it are rejected.
        """
        group = self._group(state)
        if group.is_executable:
            learnt = self._learn(group, state, graph, graphs, exits)
            group.is_executable = group.is_executable and learnt  # writing may have set it to False
        self._link(group)

    def _group(self, state: Sequence[int]) -> TotalsGroup:
        key = tuple(number for i, number in enumerate(state) if i not in self._totals)
        return self._groups.setdefault(key, TotalsGroup(state))

    def _learn(self, group: TotalsGroup, state: Sequence[int], graph: int, graphs: RollGraphs, exits: Exits) -> bool:
        """Learn the case and the branches of a state. Return whether all were found."""
        first, numbers = int(begin(graphs.graph_exits, graph)), self._numbers(state)
        case = next((case for case in group.cases if _are_satisfied(case.ranges, numbers)), None)
        if case is None:
            result = self._executor.legal_actions(state)
            if result is None:
                return False
            case = GraphCase(result.ranges, graph, [[] for _ in range(int(graphs.graph_exits[graph]) - first)])
            group.cases.append(case)
            self._write_case(group, case)
        for exit_, branches in enumerate(case.branches):
            if any(_are_satisfied(branch.result.ranges, numbers) for branch in branches):
                continue
            index = first + exit_
            inside = self._inside & ~graphs.exit_at_root[index]
            action, outcome = int(graphs.exit_action[index]), int(graphs.exit_outcome[index])
            result = self._executor.successors(state, graphs.exit_fields[index], inside, action, outcome)
            outcomes = slice(int(begin(exits.end, exit_)), int(exits.end[exit_]))
            if result is None or not self._matches(result.value, numbers, exits, outcomes):
                return False
            probabilities = exits.probability[outcomes].copy()
            branch = ExitBranch(result, float(exits.gain[exit_]), float(exits.magnitude[exit_]), probabilities)
            branches.append(branch)
            self._write_branch(group, case, exit_, branch)
        self._write_form(group, case)
        return True

    def _matches(
        self, successors: Sequence[SymbolicSuccessor], numbers: Sequence[int], exits: Exits, outcomes: slice
    ) -> bool:
        """Return whether symbolic transitions have the same values in a state as the rules yield."""
        fields = [
            [each.constant + _sum(each.coefficients, numbers) for each in successor.fields] for successor in successors
        ]
        return bool(
            fields == exits.fields[outcomes].tolist()
            and [successor.passes for successor in successors] == exits.passes[outcomes].tolist()
        )

    def _begin(self) -> None:
        self.transitions = SymbolicTransitions.empty(len(self._totals))
        self._forms: dict[Form, int] = {}
        self._sums: dict[Form, int] = {}

    def _numbers(self, state: Sequence[int]) -> list[int]:
        """Return the totals of a state, divided by their steps."""
        return [state[i] // self._layout.steps[i] for i in self._totals]

    def _link(self, group: TotalsGroup) -> None:
        """Store a group's first case in the hash table of compiled code."""
        word = self._layout.pack(group.state)
        slot = engine_kernels()[slot_of_group](self.transitions, word) if word >= 0 else -1
        if slot >= 0:
            first = group.cases[0].number if group.cases else -1
            self.transitions.first_case[slot] = first if group.is_executable else NOT_EXECUTABLE

    def _reserve(self, kind: int, more: int = 1) -> int:
        """Reserve `more` entries of a kind; return the index of the first.

        Raises:
            SymbolicExecutionError: if the capacity is exceeded.
        """
        first = int(self.transitions.counts[kind])
        if first + more > CAPACITIES[kind]:
            raise SymbolicExecutionError("the cache is full")
        self.transitions.counts[kind] = first + more
        return first

    def _write_case(self, group: TotalsGroup, case: GraphCase) -> None:
        if not group.is_executable:
            return
        transitions = self.transitions
        try:
            case.number, exit_ = self._reserve(SymbolKind.CASE), self._reserve(SymbolKind.EXIT, len(case.branches))
            transitions.case_conditions[case.number] = self._write_conditions(case.ranges)
        except SymbolicExecutionError:
            group.is_executable = False
            return
        transitions.case_graph[case.number], transitions.case_exit[case.number] = case.graph, exit_
        transitions.exit_branch[exit_ : exit_ + len(case.branches)] = -1
        transitions.case_next[case.number] = -1
        number = group.cases.index(case)
        if number:
            transitions.case_next[group.cases[number - 1].number] = case.number

    def _write_branch(self, group: TotalsGroup, case: GraphCase, exit_: int, branch: ExitBranch) -> None:
        if not group.is_executable:
            return
        transitions = self.transitions
        try:
            number = self._reserve(SymbolKind.BRANCH)
            first, end = self._write_conditions(branch.result.ranges)
            words = [self._pack(successor) for successor in branch.result.value]
            bounds = [each for *_, ranges in words for each in ranges.items()]
            needed = [(form, self._needed(form, each, branch.result.ranges)) for form, each in bounds]
            _, last = self._write_ranges([(form, each) for form, each in needed if each])
            outcome = self._reserve(SymbolKind.OUTCOME, len(words))
            for k, (sums, word, _) in enumerate(words):
                transitions.outcome_sum[outcome + k], transitions.outcome_word[outcome + k] = self._sum(sums), word
                transitions.outcome_probability[outcome + k] = branch.probabilities[k]
                transitions.outcome_passes[outcome + k] = branch.result.value[k].passes
        except SymbolicExecutionError:
            group.is_executable = False
            return
        transitions.branch_conditions[number] = first, end, last
        transitions.branch_outcomes[number] = outcome, outcome + len(words)
        transitions.branch_gain[number], transitions.branch_magnitude[number] = branch.gain, branch.magnitude
        transitions.branch_next[number] = -1
        slot = int(transitions.case_exit[case.number]) + exit_
        before = int(transitions.exit_branch[slot])
        if before < 0:
            transitions.exit_branch[slot] = number
            return
        while transitions.branch_next[before] >= 0:
            before = int(transitions.branch_next[before])
        transitions.branch_next[before] = number

    def _write_form(self, group: TotalsGroup, case: GraphCase) -> None:
        """Index the choices of a root by the form with the most different ranges in its leaves."""
        if not group.is_executable:
            return
        ranges = {each for branches in case.branches for branch in branches for each in branch.result.ranges.items()}
        counts = Counter(form for form, _ in ranges)
        forms = [form for form, _ in counts.most_common() if form in self._forms]
        if forms:
            self.transitions.case_form[case.number] = self._forms[forms[0]]

    def _write_conditions(self, ranges: Ranges) -> tuple[int, int]:
        """Write those conditions that do not hold in all states of the layout; return their range."""
        needed = [(form, self._needed(form, each, {})) for form, each in ranges.items()]
        return self._write_ranges([(form, each) for form, each in needed if each])

    def _write_ranges(self, ranges: Sequence[tuple[Form, Range]]) -> tuple[int, int]:
        first = self._reserve(SymbolKind.CONDITION, len(ranges))
        for condition, (form, (low, high)) in enumerate(ranges, first):
            if form not in self._forms:
                self._forms[form] = self._reserve(SymbolKind.FORM)
                self.transitions.form[self._forms[form]] = form
            self.transitions.condition_form[condition] = self._forms[form]
            self.transitions.condition_low[condition], self.transitions.condition_high[condition] = low, high
        return first, first + len(ranges)

    def _sum(self, coefficients: Form) -> int:
        """Return the number of a sum of totals, which is added if it is new."""
        if coefficients not in self._sums:
            self._sums[coefficients] = self._reserve(SymbolKind.SUM)
            self.transitions.sum[self._sums[coefficients]] = coefficients
        return self._sums[coefficients]

    def _pack(self, successor: SymbolicSuccessor) -> tuple[Form, int, Ranges]:
        """Return the packed successor: the coefficients of totals, the constant, and the ranges in which it fits.

        Raises:
            SymbolicExecutionError: if a field may not be a multiple of its step.
        """
        coefficients, word, ranges = [0] * len(self._totals), 0, Ranges()
        for each, low, shift, mask, step in zip(successor.fields, *self._layout, strict=True):
            if each.constant % step or any(one % step for one in each.coefficients):
                raise SymbolicExecutionError("a field may not be a multiple of its step")
            constant = each.constant // step - low
            word += constant << shift
            for j, one in enumerate(each.coefficients):
                coefficients[j] += one // step << shift
            if any(each.coefficients):
                form, least, most = _between([one // step for one in each.coefficients], constant, mask)
            else:  # a constant field fits always or never
                form, least, most = (1,) + (0,) * (len(self._totals) - 1), -LARGEST, LARGEST
                if not 0 <= constant <= mask:
                    least, most = LARGEST, -LARGEST
            before = ranges.get(form, (-LARGEST, LARGEST))
            ranges[form] = max(before[0], least), min(before[1], most)
        return tuple(coefficients), word, ranges

    def _needed(self, form: Form, condition: Range, known: Ranges) -> Range | None:
        """Return a condition, or None if it follows from the layout and the known conditions."""
        least, most = self._limits(form)
        for other, (low, high) in known.items():
            below, above = self._limits([one - another for one, another in zip(form, other, strict=True)])
            least, most = max(least, low + below), min(most, high - 1 + above)
        return None if condition[0] <= least and most < condition[1] else condition

    def _limits(self, coefficients: Sequence[int]) -> Range:
        """Return the minimum and maximum of a sum of totals in the layout."""
        least = most = 0
        for coefficient, i in zip(coefficients, self._totals, strict=True):
            low = self._layout.lows[i]
            ends = coefficient * low, coefficient * (low + self._layout.masks[i])
            least, most = least + min(ends), most + max(ends)
        return least, most


def _between(coefficients: Sequence[int], constant: int, most: int) -> tuple[Form, int, int]:
    """Return the form of a sum, and its range under the condition 0 <= sum + constant <= most."""
    divisor = math.gcd(*coefficients)
    if next(filter(None, coefficients)) > 0:
        return tuple(each // divisor for each in coefficients), -(constant // divisor), (most - constant) // divisor + 1
    return tuple(-each // divisor for each in coefficients), -((most - constant) // divisor), constant // divisor + 1


def _are_satisfied(ranges: Ranges, numbers: Sequence[int]) -> bool:
    """Return whether the totals satisfy a path condition."""
    return all(low <= _sum(form, numbers) < high for form, (low, high) in ranges.items())


def _sum(coefficients: Form, numbers: Sequence[int]) -> int:
    return sum(one * number for one, number in zip(coefficients, numbers, strict=True))
