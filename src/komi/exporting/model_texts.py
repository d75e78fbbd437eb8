"""Small models as text: in the language of PRISM, and in Storm's explicit format (DRN)."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np

from komi.errors import InputError
from komi.exporting.identifiers import identifiers
from komi.exporting.markov_model import REWARD, MarkovModel

MAX_PRISM_CHOICES = 20_000  # each is a command: PRISM and Storm take minutes to parse more
MAX_DRN_CHOICES = 1_000_000  # a file of some 100 MB
_PRISM_WORDS = (
    "A bool clock const ctmc C double dtmc E endinit endinvariant endmodule endobservables endrewards endsystem false"
    " formula filter func F global G init invariant I int label max mdp min module X nondeterministic observable"
    " observables of Pmax Pmin P pomdp popta probabilistic prob pta rate rewards Rmax Rmin R S stochastic system true U"
    " W player endplayer smg csg ctmdp ma"
)
PRISM_WORDS = frozenset(_PRISM_WORDS.split())


def prism(model: MarkovModel, name: str, description: str) -> str:
    """Write a model in the language of PRISM: one module with the variables of a state, and one command per choice.

    The commands of a player in a game are labeled with the player's name.

    Raises:
        InputError: if the model is too large.
    """
    _check_size(model, name, MAX_PRISM_CHOICES, ".umb or .drn")
    names = dict(zip(model.variables, identifiers(model.variables, PRISM_WORDS), strict=True))
    columns = [values.tolist() for values in model.variables.values()]
    rows = list(zip(*columns, strict=True))
    actions = _action_names(model)
    commands, rewards = [], []
    for state, choice in _choices(model):
        guard = " & ".join(f"{each}={value}" for each, value in zip(names.values(), rows[state], strict=True))
        action = actions[model.player[state]][model.action[choice]] if model.seats else ""
        branches = " + ".join(
            f"{probability} : {_update(names.values(), rows[state], rows[target])}"
            for target, probability in _branches(model, choice)
        )
        commands.append(f"  [{action}] {guard} -> {branches};")
        if reward := model.numbers[model.reward[choice]]:
            rewards.append(f"  [{action}] {guard} : {reward};")
    used = [sorted(set(np.array(actions[seat])[_used_actions(model, seat)])) for seat in range(len(model.seats))]
    players = [
        f"player {seat}\n  {', '.join(f'[{action}]' for action in used[number])}\nendplayer\n"
        for number, seat in enumerate(model.seats)
    ]
    ranges = [
        f"  {names[variable]} : [{values.min()}..{values.max()}] init {values[0]};"
        for variable, values in model.variables.items()
    ]
    end = names[list(model.variables)[-1]]
    labels = [
        f'label "{label}" = {_any_of(end, sorted(set(model.variables[list(model.variables)[-1]][states].tolist())))};'
        for label, states in model.labels.items()
    ]
    lines = [
        *_comment(description),
        model.kind,
        "",
        *(players if len(model.seats) > 1 else []),
        "module game",
        *ranges,
        "",
        *commands,
        "endmodule",
        "",
        *labels,
        "",
        f'rewards "{REWARD}"',
        *rewards,
        "endrewards",
    ]
    return "\n".join(lines) + "\n"


def drn(model: MarkovModel, name: str, description: str) -> str:
    """Write a model in Storm's explicit format.

    Raises:
        InputError: if the model is too large, or a game of two players, which the format does not name.
    """
    if len(model.seats) > 1:
        raise InputError(
            f"the format .drn does not say who moves: fix the policy of a seat of {name}, or choose .umb or .prism."
        )
    _check_size(model, name, MAX_DRN_CHOICES, ".umb")
    lines = [*_comment(description), f"@type: {model.kind.upper()}", "@value_type: rational", "@parameters", ""]
    lines += ["@reward_models", REWARD, "@nr_states", str(model.states), "@nr_choices", str(len(model.branch_ends))]
    lines.append("@model")
    columns = [values.tolist() for values in model.variables.values()]
    actions = [re.sub(r"\s+", "_", label) for label in model.actions]
    last = -1
    for state, choice in _choices(model):
        if state != last:
            labels = [label for label, states in model.labels.items() if states[state]] + ["init"] * (state == 0)
            lines.append(" ".join([f"state {state} [0]", *labels]))
            values = " & ".join(
                f"{each}={column[state]}" for each, column in zip(model.variables, columns, strict=True)
            )
            lines.append(f"//[{values}]")
            last = state
        lines.append(f"\taction {actions[model.action[choice]]} [{model.numbers[model.reward[choice]]}]")
        lines += [f"\t\t{target} : {probability}" for target, probability in _branches(model, choice)]
    return "\n".join(lines) + "\n"


def _check_size(model: MarkovModel, name: str, limit: int, others: str) -> None:
    if len(model.branch_ends) > limit:
        raise InputError(
            f"the model of {name} has {len(model.branch_ends):,} choices, more than the {limit:,} that such a file "
            f"can have: export it as {others}, or choose smaller rules."
        )


def _comment(description: str) -> list[str]:
    return [f"// {line}".rstrip() for line in description.splitlines()]


def _choices(model: MarkovModel) -> Iterator[tuple[int, int]]:
    """Yield each choice with its state."""
    for state, (begin, end) in enumerate(pairwise([0, *model.choice_ends.tolist()])):
        for choice in range(begin, end):
            yield state, choice


def _branches(model: MarkovModel, choice: int) -> Iterator[tuple[int, str]]:
    """Yield each branch of a choice: its target, and its probability as text."""
    begin = model.branch_ends[choice - 1] if choice else 0
    for branch in range(begin, model.branch_ends[choice]):
        yield int(model.target[branch]), str(model.numbers[model.probability[branch]])


def _update(names: Iterable[str], row: Iterable[int], after: Iterable[int]) -> str:
    changes = [f"({name}'={new})" for name, old, new in zip(names, row, after, strict=True) if new != old]
    return " & ".join(changes) or "true"


def _any_of(name: str, values: list[int]) -> str:
    return " | ".join(f"{name}={value}" for value in values) or "false"


def _action_names(model: MarkovModel) -> list[list[str]]:
    """Return the name of each action of each player: a distinct identifier, which names the player in a game of two."""
    prefixes = [f"{seat}_" if len(model.seats) > 1 else "" for seat in model.seats]
    names = identifiers([prefix + label for prefix in prefixes for label in model.actions], PRISM_WORDS)
    return [names[first : first + len(model.actions)] for first in range(0, len(names), len(model.actions))]


def _used_actions(model: MarkovModel, seat: int) -> list[int]:
    choices = np.diff(model.choice_ends, prepend=0)
    return np.unique(model.action[np.repeat(model.player == seat, choices)]).tolist()  # type: ignore[no-any-return]
