"""Discounted games: the rule file of a game with a discount, as that of a game that can stop after each action.

The value of a game with discount d is the expected sum of d^n (r_n + e_n), where r_n is the reward of action number n,
from 0, and of the moves of chance just before it, and e_n the payoff if the game ends there. This is the
expected total of the game that stops, with a payoff of 0, with probability 1 - d after each action that does not end it
(Shapley, Stochastic games, 1953; Puterman, Markov Decision Processes, 1994, section 5.3). Everything in komi works with
the rules of that game. Their file is generated: its states have one more field, `stopped`, and its functions call those
of the rule file, a copy of which is in a folder beside it.
"""

from collections.abc import Iterator
from inspect import isgeneratorfunction
from keyword import iskeyword
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from komi.errors import GameError
from komi.rules import derived, source
from komi.rules.declarations import DECLARED, SIGNATURES, VALUES, parameters_of
from komi.rules.flat_states import RETURNED, STATES
from komi.rules.game import Game
from komi.rules.tuple_fields import author_of

LEFT_OUT = ("sample", "card", "filled", "scores")  # for actions with one outcome, or outcomes as the rule file has them
FOLDER = "rules_without_discount"  # the package with the copy of the rule file
OPENING = """{doc!r}

from typing import NamedTuple

{imports}


class Rules(NamedTuple):
{rules}


class State(NamedTuple):
{state}
    stopped: int{default}  # stopped by the discount: 1 if it has ended play


def _played(state):
    return declared_State({fields})


def _going(state):
    return State({fields}, 0)
"""
FUNCTIONS = {
    "outcomes": '''
    """Yield (probability, next state, seats the turn passes on)."""
    for probability, after, passes in {call}:
        if action == -1 or declared_over(rules, after):
            yield probability, _going(after), passes
        else:
            yield probability * {discount}, _going(after), passes
            if {discount} < 1:
                yield probability * (1 - {discount}), _going(after)._replace(stopped=1), passes
''',
    "over": """
    return state.stopped == 1 or {call}
""",
    "payoff": """
    return 0.0 if state.stopped == 1 else {call}
""",
    "transient": """
    return state.stopped == 0 and {call}
""",
    "fields": """
    used = {call}
    return (*used, "stopped") if {discount} < 1 else used
""",
    "domains": """
    return State(*{call}, stopped=range(2))
""",
    "event": """
    is_random = action == -1
    for _, other, _ in declared_outcomes(rules, _played(state), action):
        is_random = is_random or other != _played(after)
    event = {call} if is_random else "go on"
    return f"{{event}}, and stop" if after.stopped == 1 else event
""",
    "write": """
    return f"{{{call}}} stopped" if state.stopped == 1 else {call}
""",
    "read": """
    state = _going(declared_read(rules, text.removesuffix(" stopped")))
    return state._replace(stopped=1) if text.endswith(" stopped") else state
""",
}
"""The bodies of functions that do more than call that of the rule file."""
ALONE = {
    "reward": "\ndef reward(rules, state, action, after):\n    return 0.0\n",
    "objective": '\ndef objective(rules):\n    return "expected discounted total"\n',
}
"""The functions of a game for one player that its rule file does not have."""


def write_rules(game: Game) -> Path:
    """Write the rule file of a game with a discount, as one that can stop, and return its path.

    Raises:
        GameError: if the game has a field `stopped`, or a policy without a name in its file.
        StorageError: if the file cannot be written.
    """
    name, folder = game.file.name, game.file.parent
    files = {file.relative_to(folder): file.read_bytes() for file in source.files(game.module)}
    files[Path(FOLDER, f"{_copied_as(game)}.py")] = files[Path(name)]
    files |= {Path(FOLDER, "__init__.py"): b"", Path(name): _text(game).encode()}
    return derived.write("discount", {folder.name / path: each for path, each in files.items()}) / folder.name / name


def _copied_as(game: Game) -> str:
    """Return the name under which the copy of the rule file can be imported: its own, if that is a name in Python."""
    stem = game.file.stem
    return stem if stem.isidentifier() and not iskeyword(stem) else "declared"


def _text(game: Game) -> str:
    """Generate the text of the rule file."""
    module, policies = author_of(game.module), dict(_policies(game))
    state, defaults = module.State._fields, module.State._field_defaults
    if "stopped" in state:
        raise GameError(f"{game.file.name}: a game with a 'discount' has a field 'stopped': rename yours.")
    known = dict.fromkeys(("actions", *sorted(VALUES), *SIGNATURES))
    declared = [name for name in known if game.has(name) and name not in LEFT_OUT]
    wrapped = [name for name in declared if _is_wrapped(module, name)]
    parts = [_function(game, name) for name in wrapped if name in SIGNATURES]
    parts += [_policy(name, function) for name, function in policies.items()]
    parts += [text for name, text in ALONE.items() if module.players == 1 and not game.has(name)]
    if not game.has("fields") and len(defaults) == len(state):
        parts.append(f"\ndef fields(rules):{FUNCTIONS['fields'].format(call=state, discount=_discount(game))}")
    if game.has("steps"):
        parts.append("\nsteps = (*declared_steps, 1)\n")
    if policies:
        parts.append(f"\npolicies = ({', '.join(function.__name__ for function in policies.values())},)\n")
    same = [name for name in declared if name not in wrapped]
    names = [*same, *(f"{name} as {DECLARED}{name}" for name in ("State", *wrapped, *policies))]
    fields = ", ".join(f"state.{name}" for name in state)
    opening = OPENING.format(
        doc=module.__doc__ or game.name,
        imports="\n".join(f"from {FOLDER}.{_copied_as(game)} import {name}" for name in names),
        rules=derived.field_lines(game, "Rules", module.Rules._field_defaults) or "    pass",
        state=derived.field_lines(game, "State", {name: defaults.get(name) for name in state}),
        default=" = 0" if defaults else "",
        fields=fields,
    )
    return "\n".join([opening, *parts])


def _is_wrapped(module: ModuleType, name: str) -> bool:
    """Return whether a part of the protocol is generated, and calls or uses that of the rule file."""
    is_about_states = name in RETURNED or not {*STATES}.isdisjoint(SIGNATURES.get(name, ()))
    is_function = callable(getattr(module, name)) and (is_about_states or name in FUNCTIONS)
    return is_function or name in ("discount", "steps")


def _discount(game: Game) -> str:
    """Generate the expression of the discount."""
    return f"{DECLARED}discount{'(rules)' * callable(author_of(game.module).discount)}"


def _function(game: Game, name: str) -> str:
    """Generate a function of the protocol, which calls that of the rule file."""
    function = getattr(author_of(game.module), name)
    parameters = [*parameters_of(function, name), *(["seat"] * (name == "payoff" and game.is_seated))]
    call = _call(name, parameters)
    head = f"\ndef {name}({', '.join(parameters)}):"
    if name in FUNCTIONS:
        return head + FUNCTIONS[name].format(call=call, discount=_discount(game))
    stopped = "._replace(stopped=state.stopped)" * ("state" in parameters)
    match RETURNED.get(name):
        case "state":
            return f"{head}\n    return _going({call}){stopped}\n"
        case "states":
            return f"{head}\n    for image in {call}:\n        yield _going(image){stopped}\n"
        case "values":
            return f"{head}\n    yield from {call}\n"
    return f"{head}\n    {'yield from' if isgeneratorfunction(function) else 'return'} {call}\n"


def _call(name: str, parameters: Any) -> str:
    arguments = (f"_played({each})" if each in STATES else each for each in parameters)
    return f"{DECLARED}{name}({', '.join(arguments)})"


def _policies(game: Game) -> Iterator[tuple[str, FunctionType]]:
    """Yield the policies of the rule file by their names in it."""
    module = author_of(game.module)
    for policy in getattr(module, "policies", ()):
        name = next((name for name, value in vars(module).items() if value is policy), None)
        if name is None:
            raise GameError(f"{game.file.name}: a policy of a game with a 'discount' needs a name in the file.")
        yield name, policy


def _policy(name: str, function: FunctionType) -> str:
    parameters = ("rules", "state", "action")[: function.__code__.co_argcount]
    return f"\ndef {function.__name__}({', '.join(parameters)}):\n    return {_call(name, parameters)}\n"
