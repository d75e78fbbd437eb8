"""Symbolic transitions: the successors of exits as expressions of a state's totals, learned once and then evaluated.

States that differ only in their totals form a *group*. In a group, a *case* is the roll graph of the states that
satisfy a path condition (a conjunction of conditions that a sum of totals is in a range, see `symbolic_execution`). A
*branch* holds the successors of one exit of that roll graph under a further path condition. The packed successors of an
exit are sums of totals, too: a constant plus the contribution of the totals, which is the same sum for most exits.
"""

from enum import IntEnum
from typing import Any, NamedTuple, Self

import numpy as np

from komi.arrays import F64, I8, I32, I64, Flags, allocate
from komi.jit.intrinsics import hash_key
from komi.tuning import CACHED_CHOICES, LEARNING_VISITS

RUN_RULES, NOT_LEARNED = -1, -2
"""Returned instead of a root: run the rules in this state; a root or a leaf has to be learned first."""
NOT_EXECUTABLE = -2
"""Stored instead of the first root of a group if symbolic execution has failed."""


class SymbolKind(IntEnum):
    """The kinds of arrays in `SymbolicTransitions`, in the order of its counts."""

    FORM = 0
    SUM = 1
    CASE = 2
    EXIT = 3
    BRANCH = 4
    CONDITION = 5
    OUTCOME = 6
    GROUP = 7


CAPACITIES = (32, 32, 1 << 8, 1 << 14, 1 << 16, 1 << 18, 1 << 17, 1 << 11)
"""The maximal number of each kind: beyond it, the rules are run in each state."""


class SymbolicTransitions(NamedTuple):
    """The symbolic transition cache as arrays: all roots and leaves learned so far."""

    counts: I64  # [8], the number of each kind
    grouping: I64  # [1] the mask of the bits of a packed state outside totals; -1 if learning is off
    table: I64  # [a power of two] hash table of the groups: 1 + these bits of their states; 0 in empty slots
    visits: I32  # [table] the number of its states that were visited before learning
    first_case: I32  # [table] -1 none; NOT_EXECUTABLE
    total_shift: I64  # [totals] as in the layout
    total_mask: I64  # [totals]
    total_low: I64  # [totals]
    form: I64  # [forms, totals] coefficients
    form_value: I64  # [forms] in the state visited last
    sum: I64  # [sums, totals] coefficients
    sum_value: I64  # [sums] in the state visited last
    case_next: I32  # [roots] the next one of the group; -1 none
    case_graph: I32  # [roots]
    case_exit: I64  # [roots] the first of its exits
    case_conditions: I64  # [roots, 2] the first, and one past the last
    case_form: I32  # [roots] the form that indexes its choices: the one with most conditions
    choice_known: Flags  # [roots, CACHED_CHOICES] whether the choice is cached
    choice_low: I64  # [roots, CACHED_CHOICES, forms] it is valid in all states in which each form is at least this
    choice_high: I64  # [roots, CACHED_CHOICES, forms] and less than this
    exit_branch: I32  # [exits] the first leaf; -1 none
    exit_chosen: I32  # [CACHED_CHOICES, exits] the leaf
    branch_next: I32  # [leaves] the next one of the exit; -1 none
    branch_conditions: I64  # [leaves, 3] the first; the first that keeps successors in the layout; one past the last
    branch_outcomes: I64  # [leaves, 2] the first, and one past the last
    branch_gain: F64  # [leaves]
    branch_magnitude: F64  # [leaves]
    condition_form: I32  # [conditions]
    condition_low: I64  # [conditions]
    condition_high: I64  # [conditions]
    outcome_sum: I32  # [outcomes] the sum of totals in the packed successor
    outcome_word: I64  # [outcomes] the constant added to it
    outcome_probability: F64  # [outcomes]
    outcome_passes: I8  # [outcomes]

    @classmethod
    def empty(cls, totals: int) -> Self:
        """Create an empty cache for states with this number of totals."""
        capacity = {kind.name.lower(): CAPACITIES[kind] for kind in SymbolKind}
        table = 2 * CAPACITIES[SymbolKind.GROUP]

        def shape(name: str) -> int | tuple[int, ...]:
            kind = name.partition("_")[0]
            further = {
                "form": (totals,), "sum": (totals,), "case_conditions": (2,), "choice_known": (CACHED_CHOICES,),
                "choice_low": (CACHED_CHOICES, capacity["form"]), "choice_high": (CACHED_CHOICES, capacity["form"]),
                "branch_conditions": (3,), "branch_outcomes": (2,),
            }.get(name, ())  # fmt: skip
            if name == "exit_chosen":
                return CACHED_CHOICES, capacity["exit"]
            size = totals if kind == "total" else capacity["case" if kind == "choice" else kind]
            return size, *further

        empty = allocate(
            cls,
            shape,
            counts=np.zeros(len(CAPACITIES), np.int64),
            grouping=np.full(1, -1, np.int64),
            table=np.zeros(table, np.int64),
            visits=np.zeros(table, np.int32),
            first_case=np.full(table, -1, np.int32),
        )
        for array in (empty.form, empty.form_value, empty.sum, empty.sum_value, empty.case_form, empty.choice_known):
            array.fill(0)
        return empty


def find_branches(transitions: SymbolicTransitions, graph_exits: Any, word: int) -> Any:
    """Choose the leaves of a state's exits.

    Choices are cached: often an earlier state satisfied the same conditions.

    Args:
        transitions: the symbolic transitions; `form_value`, `sum_value` and a row of `exit_chosen` are filled in.
        graph_exits: of the `RollGraphs`.
        word: the packed state.

    Returns:
        (its root, RUN_RULES or NOT_LEARNED; the index of the choice that contains its leaves)
    """
    slot = slot_of_group(transitions, word)
    if slot < 0:
        return RUN_RULES, 0
    case = transitions.first_case[slot]
    if case < 0:
        if case == NOT_EXECUTABLE:
            return RUN_RULES, 0
        transitions.visits[slot] += 1
        return NOT_LEARNED if transitions.visits[slot] >= LEARNING_VISITS else RUN_RULES, 0
    _evaluate_sums(transitions, word)
    while case >= 0:
        choice = transitions.form_value[transitions.case_form[case]] & (CACHED_CHOICES - 1)
        if transitions.choice_known[case, choice] and _is_between(transitions, case, choice):
            return case, choice
        if _holds(transitions, transitions.case_conditions[case, 0], transitions.case_conditions[case, 1]):
            return _choose_leaves(transitions, graph_exits, case, choice), choice
        case = transitions.case_next[case]
    return NOT_LEARNED, 0


def slot_of_group(transitions: SymbolicTransitions, word: int) -> Any:
    """Return the hash slot of a state's group, inserted if new; -1 if the table is full or learning is off."""
    table = transitions.table
    if transitions.grouping[0] < 0:
        return np.int64(-1)
    key = 1 + (word & transitions.grouping[0])
    last = len(table) - 1
    slot: Any = np.int64(hash_key(np.uint64(0), np.int64(key))) & last
    while table[slot] != key:
        if table[slot] == 0:
            if transitions.counts[SymbolKind.GROUP] == len(table) >> 1:
                return np.int64(-1)
            table[slot] = key
            transitions.counts[SymbolKind.GROUP] += 1
            return slot
        slot = (slot + 1) & last
    return slot


def _evaluate_sums(transitions: SymbolicTransitions, word: int) -> None:
    """Evaluate all forms and sums in a state."""
    form_value, sum_value = transitions.form_value, transitions.sum_value
    for j in range(len(transitions.total_shift)):
        number = ((word >> transitions.total_shift[j]) & transitions.total_mask[j]) + transitions.total_low[j]
        for i in range(transitions.counts[SymbolKind.FORM]):
            form_value[i] = transitions.form[i, j] * number + (form_value[i] if j else 0)
        for i in range(transitions.counts[SymbolKind.SUM]):
            sum_value[i] = transitions.sum[i, j] * number + (sum_value[i] if j else 0)


def _is_between(transitions: SymbolicTransitions, case: int, choice: int) -> bool:
    """Return whether a cached choice is valid for the state."""
    for form in range(transitions.counts[SymbolKind.FORM]):
        value = transitions.form_value[form]
        if value < transitions.choice_low[case, choice, form] or value >= transitions.choice_high[case, choice, form]:
            return False
    return True


def _holds(transitions: SymbolicTransitions, first: int, end: int) -> bool:
    """Return whether a range of conditions holds."""
    for condition in range(first, end):
        value = transitions.form_value[transitions.condition_form[condition]]
        if value < transitions.condition_low[condition] or value >= transitions.condition_high[condition]:
            return False
    return True


def _choose_leaves(transitions: SymbolicTransitions, graph_exits: Any, case: int, choice: int) -> Any:
    """Choose the leaves of a root, and store the bounds within which the choice is valid."""
    transitions.choice_known[case, choice] = False
    for form in range(len(transitions.form_value)):  # including forms that are added later
        transitions.choice_low[case, choice, form], transitions.choice_high[case, choice, form] = -(1 << 62), 1 << 62
    _narrow(transitions, case, choice, transitions.case_conditions[case, 0], transitions.case_conditions[case, 1])
    graph, first = transitions.case_graph[case], transitions.case_exit[case]
    count = graph_exits[graph] - (graph_exits[graph - 1] if graph else 0)
    for exit_ in range(first, first + count):
        branch = transitions.exit_branch[exit_]
        while branch >= 0 and not _holds(
            transitions, transitions.branch_conditions[branch, 0], transitions.branch_conditions[branch, 1]
        ):
            branch = transitions.branch_next[branch]
        if branch < 0:
            return NOT_LEARNED
        if not _holds(transitions, transitions.branch_conditions[branch, 1], transitions.branch_conditions[branch, 2]):
            return RUN_RULES
        _narrow(
            transitions,
            case,
            choice,
            transitions.branch_conditions[branch, 0],
            transitions.branch_conditions[branch, 2],
        )
        transitions.exit_chosen[choice, exit_] = branch
    transitions.choice_known[case, choice] = True
    return case


def _narrow(transitions: SymbolicTransitions, case: int, choice: int, first: int, end: int) -> None:
    """Narrow the bounds of a choice to states in which these conditions hold."""
    for condition in range(first, end):
        form = transitions.condition_form[condition]
        low, high = transitions.condition_low[condition], transitions.condition_high[condition]
        transitions.choice_low[case, choice, form] = max(transitions.choice_low[case, choice, form], low)
        transitions.choice_high[case, choice, form] = min(transitions.choice_high[case, choice, form], high)
