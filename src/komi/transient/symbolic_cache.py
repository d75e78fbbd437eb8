"""The symbolic transition cache: learns the transitions of groups of states, and writes them as arrays."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from komi.graph.transitions import begin
from komi.jit.kernels import engine_kernels
from komi.rules.packing import Layout
from komi.transient.roll_graph import Ports, Shapes
from komi.transient.symbolic_execution import Lead, Traced, Tracer
from komi.transient.symbolic_expressions import LARGEST, Form, Range, UntraceableError
from komi.transient.symbolic_transitions import (
    CONDITIONS,
    FORMS,
    LEAVES,
    MOST,
    OUTCOMES,
    PORTS,
    ROOTS,
    SUMS,
    UNTRACEABLE,
    Formulas,
    slot_of_group,
)

Ranges = dict[Form, Range]


@dataclass(frozen=True)
class Leaf:
    """The gain and the successors of a port under a path condition."""

    traced: Traced
    gain: float
    magnitude: float
    probabilities: NDArray[np.float64]


@dataclass
class Root:
    """The shape of states that satisfy a path condition, and the leaves learned for each of its ports."""

    ranges: Ranges
    shape: int
    leaves: list[list[Leaf]]
    number: int = -1  # in `Formulas`


@dataclass
class Group:
    """States that differ only in their totals; `state` is one of them."""

    state: Sequence[int]
    roots: list[Root] = field(default_factory=list)
    is_traceable: bool = True


class Formulary:
    """The symbolic transition cache of a game.

    Args:
        tracer: executes the rules symbolically.
        totals: bool[fields], the totals.
        inside: bool[fields], which fields can change inside a roll.

    Attributes:
        formulas: the cache as arrays, for compiled code.
    """

    def __init__(self, tracer: Tracer, totals: NDArray[np.bool_], inside: NDArray[np.bool_]) -> None:
        self._tracer, self._inside = tracer, inside
        self._totals = [int(i) for i in np.flatnonzero(totals)]
        self._groups: dict[tuple[int, ...], Group] = {}
        self._layout = Layout.of([0], [1])
        self._begin()

    def fit(self, layout: Layout) -> None:
        """Write all symbolic transitions for states in this layout."""
        if layout == self._layout or not self._totals:
            return
        self._layout = layout
        self._begin()
        if layout.halves > 1:
            return
        for j, i in enumerate(self._totals):
            self.formulas.total_shift[j], self.formulas.total_mask[j] = layout.shifts[i], layout.masks[i]
            self.formulas.total_low[j] = layout.lows[i]
        self.formulas.grouping[0] = (
            layout.key_count - 1 - sum(layout.masks[i] << layout.shifts[i] for i in self._totals)
        )
        for group in self._groups.values():
            for root in group.roots:
                self._write_root(group, root)
                for port, leaves in enumerate(root.leaves):
                    for leaf in leaves:
                        self._write_leaf(group, root, port, leaf)
                self._write_form(group, root)
            self._link(group)

    def learn(self, state: Sequence[int], shape: int, shapes: Shapes, ports: Ports) -> None:
        """Learn the missing symbolic transitions of a state in the layout.

        Args:
            state: its fields.
            shape: its shape.
            shapes: of `Rolls`.
            ports: the result of the rules for this state; symbolic transitions that differ from it are rejected.
        """
        group = self._group(state)
        if group.is_traceable:
            learnt = self._learn(group, state, shape, shapes, ports)
            group.is_traceable = group.is_traceable and learnt  # writing may have set it to False
        self._link(group)

    def _group(self, state: Sequence[int]) -> Group:
        key = tuple(number for i, number in enumerate(state) if i not in self._totals)
        return self._groups.setdefault(key, Group(state))

    def _learn(self, group: Group, state: Sequence[int], shape: int, shapes: Shapes, ports: Ports) -> bool:
        """Learn the root and the leaves of a state. Return whether all were found."""
        first, numbers = int(begin(shapes.shape_ports, shape)), self._numbers(state)
        root = next((root for root in group.roots if _hold(root.ranges, numbers)), None)
        if root is None:
            traced = self._tracer.actions(state)
            if traced is None:
                return False
            root = Root(traced.ranges, shape, [[] for _ in range(int(shapes.shape_ports[shape]) - first)])
            group.roots.append(root)
            self._write_root(group, root)
        for port, leaves in enumerate(root.leaves):
            if any(_hold(leaf.traced.ranges, numbers) for leaf in leaves):
                continue
            place = first + port
            inside = self._inside & ~shapes.port_root[place]
            action, outcome = int(shapes.port_action[place]), int(shapes.port_outcome[place])
            traced = self._tracer.leads(state, shapes.port_fields[place], inside, action, outcome)
            outcomes = slice(int(begin(ports.end, port)), int(ports.end[port]))
            if traced is None or not self._agrees(traced.found, numbers, ports, outcomes):
                return False
            probabilities = ports.probability[outcomes].copy()
            leaf = Leaf(traced, float(ports.gain[port]), float(ports.magnitude[port]), probabilities)
            leaves.append(leaf)
            self._write_leaf(group, root, port, leaf)
        self._write_form(group, root)
        return True

    def _agrees(self, leads: Sequence[Lead], numbers: Sequence[int], ports: Ports, outcomes: slice) -> bool:
        """Return whether symbolic transitions have the same values in a state as the rules yield."""
        fields = [[each.constant + _sum(each.coefficients, numbers) for each in lead.fields] for lead in leads]
        return bool(
            fields == ports.fields[outcomes].tolist()
            and [lead.passes for lead in leads] == ports.passes[outcomes].tolist()
        )

    def _begin(self) -> None:
        self.formulas = Formulas.empty(len(self._totals))
        self._forms: dict[Form, int] = {}
        self._sums: dict[Form, int] = {}

    def _numbers(self, state: Sequence[int]) -> list[int]:
        """Return the totals of a state, divided by their steps."""
        return [state[i] // self._layout.steps[i] for i in self._totals]

    def _link(self, group: Group) -> None:
        """Store a group's first root in the hash table of compiled code."""
        word = self._layout.pack(group.state)
        slot = engine_kernels()[slot_of_group](self.formulas, word) if word >= 0 else -1
        if slot >= 0:
            first = group.roots[0].number if group.roots else -1
            self.formulas.first_root[slot] = first if group.is_traceable else UNTRACEABLE

    def _take(self, kind: int, more: int = 1) -> int:
        """Reserve `more` entries of a kind; return the index of the first.

        Raises:
            UntraceableError: if the capacity is exceeded.
        """
        first = int(self.formulas.counts[kind])
        if first + more > MOST[kind]:
            raise UntraceableError
        self.formulas.counts[kind] = first + more
        return first

    def _write_root(self, group: Group, root: Root) -> None:
        if not group.is_traceable:
            return
        formulas = self.formulas
        try:
            root.number, port = self._take(ROOTS), self._take(PORTS, len(root.leaves))
            formulas.root_conditions[root.number] = self._write_conditions(root.ranges)
        except UntraceableError:
            group.is_traceable = False
            return
        formulas.root_shape[root.number], formulas.root_port[root.number] = root.shape, port
        formulas.port_leaf[port : port + len(root.leaves)] = -1
        formulas.root_next[root.number] = -1
        place = group.roots.index(root)
        if place:
            formulas.root_next[group.roots[place - 1].number] = root.number

    def _write_leaf(self, group: Group, root: Root, port: int, leaf: Leaf) -> None:
        if not group.is_traceable:
            return
        formulas = self.formulas
        try:
            number = self._take(LEAVES)
            first, end = self._write_conditions(leaf.traced.ranges)
            words = [self._word(lead) for lead in leaf.traced.found]
            bounds = [each for *_, ranges in words for each in ranges.items()]
            needed = [(form, self._needed(form, each, leaf.traced.ranges)) for form, each in bounds]
            _, last = self._write_ranges([(form, each) for form, each in needed if each])
            outcome = self._take(OUTCOMES, len(words))
            for k, (sums, word, _) in enumerate(words):
                formulas.outcome_sum[outcome + k], formulas.outcome_word[outcome + k] = self._sum(sums), word
                formulas.outcome_probability[outcome + k] = leaf.probabilities[k]
                formulas.outcome_passes[outcome + k] = leaf.traced.found[k].passes
        except UntraceableError:
            group.is_traceable = False
            return
        formulas.leaf_conditions[number] = first, end, last
        formulas.leaf_outcomes[number] = outcome, outcome + len(words)
        formulas.leaf_gain[number], formulas.leaf_magnitude[number] = leaf.gain, leaf.magnitude
        formulas.leaf_next[number] = -1
        place = int(formulas.root_port[root.number]) + port
        before = int(formulas.port_leaf[place])
        if before < 0:
            formulas.port_leaf[place] = number
            return
        while formulas.leaf_next[before] >= 0:
            before = int(formulas.leaf_next[before])
        formulas.leaf_next[before] = number

    def _write_form(self, group: Group, root: Root) -> None:
        """Index the choices of a root by the form with the most different ranges in its leaves."""
        if not group.is_traceable:
            return
        ranges = {each for leaves in root.leaves for leaf in leaves for each in leaf.traced.ranges.items()}
        told = Counter(form for form, _ in ranges)
        forms = [form for form, _ in told.most_common() if form in self._forms]
        if forms:
            self.formulas.root_form[root.number] = self._forms[forms[0]]

    def _write_conditions(self, ranges: Ranges) -> tuple[int, int]:
        """Write those conditions that do not hold in all states of the layout; return their range."""
        needed = [(form, self._needed(form, each, {})) for form, each in ranges.items()]
        return self._write_ranges([(form, each) for form, each in needed if each])

    def _write_ranges(self, ranges: Sequence[tuple[Form, Range]]) -> tuple[int, int]:
        first = self._take(CONDITIONS, len(ranges))
        for condition, (form, (low, high)) in enumerate(ranges, first):
            if form not in self._forms:
                self._forms[form] = self._take(FORMS)
                self.formulas.form[self._forms[form]] = form
            self.formulas.condition_form[condition] = self._forms[form]
            self.formulas.condition_low[condition], self.formulas.condition_high[condition] = low, high
        return first, first + len(ranges)

    def _sum(self, coefficients: Form) -> int:
        """Return the number of a sum of totals, which is added if it is new."""
        if coefficients not in self._sums:
            self._sums[coefficients] = self._take(SUMS)
            self.formulas.sum[self._sums[coefficients]] = coefficients
        return self._sums[coefficients]

    def _word(self, lead: Lead) -> tuple[Form, int, Ranges]:
        """Return the packed successor: the coefficients of totals, the constant, and the ranges in which it fits.

        Raises:
            UntraceableError: if a field may not be a multiple of its step.
        """
        coefficients, word, ranges = [0] * len(self._totals), 0, Ranges()
        for each, low, shift, mask, step in zip(lead.fields, *self._layout, strict=True):
            if each.constant % step or any(one % step for one in each.coefficients):
                raise UntraceableError
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

    def _needed(self, form: Form, wanted: Range, known: Ranges) -> Range | None:
        """Return a condition, or None if it follows from the layout and the known conditions."""
        least, most = self._limits(form)
        for other, (low, high) in known.items():
            below, above = self._limits([one - another for one, another in zip(form, other, strict=True)])
            least, most = max(least, low + below), min(most, high - 1 + above)
        return None if wanted[0] <= least and most < wanted[1] else wanted

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


def _hold(ranges: Ranges, numbers: Sequence[int]) -> bool:
    """Return whether the totals satisfy a path condition."""
    return all(low <= _sum(form, numbers) < high for form, (low, high) in ranges.items())


def _sum(coefficients: Form, numbers: Sequence[int]) -> int:
    return sum(one * number for one, number in zip(coefficients, numbers, strict=True))
