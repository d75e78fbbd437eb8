"""Symbolic transitions: the successors of ports as expressions of a state's totals, learned once and then evaluated.

States that differ only in their totals form a *group*. The legal actions in a state of a group, and thereby its
shape, are a *root*; the successors of one port of the shape are a *leaf*. Each holds under a path condition, a
conjunction of conditions that a sum of totals is in a range (see `symbolic_execution`). The packed successors
of a port are sums of totals, too: a constant plus the contribution of the totals, which is the same sum for most ports.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from komi.jit.intrinsics import hash_key

PLAIN, MISSING = -1, -2
"""Returned instead of a root: run the rules in this state; a root or a leaf has to be learned first."""
UNTRACEABLE = -2
"""Stored instead of the first root of a group if symbolic execution has failed."""
OFTEN = 2000
"""The number of visited states of a group after which its transitions are learned."""
FORMS, SUMS, ROOTS, PORTS, LEAVES, CONDITIONS, OUTCOMES, GROUPS = range(8)
MOST = (32, 32, 1 << 8, 1 << 14, 1 << 16, 1 << 18, 1 << 17, 1 << 11)
"""The maximal number of each kind: beyond it, the rules are run in each state."""
CHOICES = 256
"""The number of cached choices of leaves for each root."""


class Formulas(NamedTuple):
    """The symbolic transition cache as arrays: all roots and leaves learned so far."""

    counts: Any  # int64[8], the number of each kind
    grouping: Any  # int64[1] the mask of the bits of a packed state outside totals; -1 if learning is off
    table: Any  # int64[a power of two] hash table of the groups: 1 + these bits of their states; 0 in empty slots
    met: Any  # int32[table] the number of its states that were visited before learning
    first_root: Any  # int32[table] -1 none; UNTRACEABLE
    total_shift: Any  # int64[totals] as in the layout
    total_mask: Any  # int64[totals]
    total_low: Any  # int64[totals]
    form: Any  # int64[forms, totals] coefficients
    form_value: Any  # int64[forms] in the state visited last
    sum: Any  # int64[sums, totals] coefficients
    sum_value: Any  # int64[sums] in the state visited last
    root_next: Any  # int32[roots] the next one of the group; -1 none
    root_shape: Any  # int32[roots]
    root_port: Any  # int64[roots] the first of its ports
    root_conditions: Any  # int64[roots, 2] the first, and one past the last
    root_form: Any  # int32[roots] the form that indexes its choices: the one with most conditions
    choice_known: Any  # bool[roots, CHOICES] whether the choice is cached
    choice_low: Any  # int64[roots, CHOICES, forms] it is valid in all states in which each form is at least this
    choice_high: Any  # int64[roots, CHOICES, forms] and less than this
    port_leaf: Any  # int32[ports] the first leaf; -1 none
    port_chosen: Any  # int32[CHOICES, ports] the leaf
    leaf_next: Any  # int32[leaves] the next one of the port; -1 none
    leaf_conditions: Any  # int64[leaves, 3] the first; the first that keeps successors in the layout; one past the last
    leaf_outcomes: Any  # int64[leaves, 2] the first, and one past the last
    leaf_gain: Any  # float64[leaves]
    leaf_magnitude: Any  # float64[leaves]
    condition_form: Any  # int32[conditions]
    condition_low: Any  # int64[conditions]
    condition_high: Any  # int64[conditions]
    outcome_sum: Any  # int32[outcomes] the sum of totals in the packed successor
    outcome_word: Any  # int64[outcomes] the constant added to it
    outcome_probability: Any  # float64[outcomes]
    outcome_passes: Any  # int8[outcomes]

    @classmethod
    def empty(cls, totals: int) -> Self:
        """Create an empty cache for states with this number of totals."""
        forms, sums, roots, ports, leaves, conditions, outcomes, groups = MOST
        table = 2 * groups
        return cls(
            np.zeros(len(MOST), np.int64),
            np.full(1, -1, np.int64),
            np.zeros(table, np.int64),
            np.zeros(table, np.int32),
            np.full(table, -1, np.int32),
            np.zeros(totals, np.int64),
            np.zeros(totals, np.int64),
            np.zeros(totals, np.int64),
            np.zeros((forms, totals), np.int64),
            np.zeros(forms, np.int64),
            np.zeros((sums, totals), np.int64),
            np.zeros(sums, np.int64),
            np.empty(roots, np.int32),
            np.empty(roots, np.int32),
            np.empty(roots, np.int64),
            np.empty((roots, 2), np.int64),
            np.zeros(roots, np.int32),
            np.zeros((roots, CHOICES), np.bool_),
            np.empty((roots, CHOICES, forms), np.int64),
            np.empty((roots, CHOICES, forms), np.int64),
            np.empty(ports, np.int32),
            np.empty((CHOICES, ports), np.int32),
            np.empty(leaves, np.int32),
            np.empty((leaves, 3), np.int64),
            np.empty((leaves, 2), np.int64),
            np.empty(leaves, np.float64),
            np.empty(leaves, np.float64),
            np.empty(conditions, np.int32),
            np.empty(conditions, np.int64),
            np.empty(conditions, np.int64),
            np.empty(outcomes, np.int32),
            np.empty(outcomes, np.int64),
            np.empty(outcomes, np.float64),
            np.empty(outcomes, np.int8),
        )


def find_leaves(formulas: Formulas, shape_ports: Any, word: int) -> Any:
    """Choose the leaves of a state's ports.

    Choices are cached: often an earlier state satisfied the same conditions.

    Args:
        formulas: `form_value`, `sum_value` and a row of `port_chosen` are filled in.
        shape_ports: of the `Shapes`.
        word: the packed state.

    Returns:
        (its root, PLAIN or MISSING; the index of the choice that contains its leaves)
    """
    slot = slot_of_group(formulas, word)
    if slot < 0:
        return PLAIN, 0
    root = formulas.first_root[slot]
    if root < 0:
        if root == UNTRACEABLE:
            return PLAIN, 0
        formulas.met[slot] += 1
        return MISSING if formulas.met[slot] >= OFTEN else PLAIN, 0
    _evaluate_sums(formulas, word)
    while root >= 0:
        choice = formulas.form_value[formulas.root_form[root]] & (CHOICES - 1)
        if formulas.choice_known[root, choice] and _is_between(formulas, root, choice):
            return root, choice
        if _holds(formulas, formulas.root_conditions[root, 0], formulas.root_conditions[root, 1]):
            return _choose_leaves(formulas, shape_ports, root, choice), choice
        root = formulas.root_next[root]
    return MISSING, 0


def slot_of_group(formulas: Formulas, word: int) -> Any:
    """Return the hash slot of a state's group, inserted if new; -1 if the table is full or learning is off."""
    table = formulas.table
    if formulas.grouping[0] < 0:
        return np.int64(-1)
    wanted = 1 + (word & formulas.grouping[0])
    last = len(table) - 1
    slot: Any = np.int64(hash_key(np.uint64(0), np.int64(wanted))) & last
    while table[slot] != wanted:
        if table[slot] == 0:
            if formulas.counts[GROUPS] == len(table) >> 1:
                return np.int64(-1)
            table[slot] = wanted
            formulas.counts[GROUPS] += 1
            return slot
        slot = (slot + 1) & last
    return slot


def _evaluate_sums(formulas: Formulas, word: int) -> None:
    """Evaluate all forms and sums in a state."""
    form_value, sum_value = formulas.form_value, formulas.sum_value
    for j in range(len(formulas.total_shift)):
        number = ((word >> formulas.total_shift[j]) & formulas.total_mask[j]) + formulas.total_low[j]
        for i in range(formulas.counts[FORMS]):
            form_value[i] = formulas.form[i, j] * number + (form_value[i] if j else 0)
        for i in range(formulas.counts[SUMS]):
            sum_value[i] = formulas.sum[i, j] * number + (sum_value[i] if j else 0)


def _is_between(formulas: Formulas, root: int, choice: int) -> bool:
    """Return whether a cached choice is valid for the state."""
    for form in range(formulas.counts[FORMS]):
        value = formulas.form_value[form]
        if value < formulas.choice_low[root, choice, form] or value >= formulas.choice_high[root, choice, form]:
            return False
    return True


def _holds(formulas: Formulas, first: int, end: int) -> bool:
    """Return whether a range of conditions holds."""
    for condition in range(first, end):
        value = formulas.form_value[formulas.condition_form[condition]]
        if value < formulas.condition_low[condition] or value >= formulas.condition_high[condition]:
            return False
    return True


def _choose_leaves(formulas: Formulas, shape_ports: Any, root: int, choice: int) -> Any:
    """Choose the leaves of a root, and store the bounds within which the choice is valid."""
    formulas.choice_known[root, choice] = False
    for form in range(len(formulas.form_value)):  # including forms that are added later
        formulas.choice_low[root, choice, form], formulas.choice_high[root, choice, form] = -(1 << 62), 1 << 62
    _narrow(formulas, root, choice, formulas.root_conditions[root, 0], formulas.root_conditions[root, 1])
    shape, first = formulas.root_shape[root], formulas.root_port[root]
    count = shape_ports[shape] - (shape_ports[shape - 1] if shape else 0)
    for port in range(first, first + count):
        leaf = formulas.port_leaf[port]
        while leaf >= 0 and not _holds(formulas, formulas.leaf_conditions[leaf, 0], formulas.leaf_conditions[leaf, 1]):
            leaf = formulas.leaf_next[leaf]
        if leaf < 0:
            return MISSING
        if not _holds(formulas, formulas.leaf_conditions[leaf, 1], formulas.leaf_conditions[leaf, 2]):
            return PLAIN
        _narrow(formulas, root, choice, formulas.leaf_conditions[leaf, 0], formulas.leaf_conditions[leaf, 2])
        formulas.port_chosen[choice, port] = leaf
    formulas.choice_known[root, choice] = True
    return root


def _narrow(formulas: Formulas, root: int, choice: int, first: int, end: int) -> None:
    """Narrow the bounds of a choice to states in which these conditions hold."""
    for condition in range(first, end):
        form = formulas.condition_form[condition]
        low, high = formulas.condition_low[condition], formulas.condition_high[condition]
        formulas.choice_low[root, choice, form] = max(formulas.choice_low[root, choice, form], low)
        formulas.choice_high[root, choice, form] = min(formulas.choice_high[root, choice, form], high)
