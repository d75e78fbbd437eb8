"""Discounted games: the rule file of a game with a discount, rewritten as one of a game that can stop after each action.

The value of a game with discount d is the expected sum of d^n (r_n + e_n), where r_n is the reward of action number n,
from 0, and of the moves of chance between it and action n + 1, and e_n the payoff if the game ends there. This is the
expected total of the game that stops, with a payoff of 0, with probability 1 - d after each action that does not end it
(Shapley, Stochastic games, 1953; Puterman, Markov Decision Processes, 1994, section 5.3). So everything in komi works
with the rules of that game, which are generated: a copy of the rule file in a folder of the cache, with the same line
numbers. Its states have one more field, `stopped`. Its own functions get other names, and new ones call them.
"""

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from komi import cache
from komi.errors import GameError
from komi.rules import declarations, loading, source
from komi.syntax import parse

DECLARED = declarations.DECLARED
FIELD = "stopped"
COMMENT = "1 after the discount has stopped play"
NEEDED = ("State", "outcomes", "over", "payoff")  # what the rule file must define itself
REPLACED = ("discount", "outcomes", "over", "payoff", "reward", "event", "read", "write", "transient", "sample")

RULES = '''

def outcomes(rules, state, action):
    """Yield (probability, next state, seats the turn passes on)."""
    for probability, after, passes in declared_outcomes(rules, state, action):
        if action == -1 or declared_over(rules, after):
            yield probability, after, passes
        else:
            yield probability * DISCOUNT, after, passes
            if DISCOUNT < 1:
                yield probability * (1 - DISCOUNT), after._replace(stopped=1), passes


def over(rules, state):
    return state.stopped == 1 or declared_over(rules, state)


def payoff(rules, stateSEAT):
    return 0.0 if state.stopped == 1 else declared_payoff(rules, stateSEAT)
'''
WRAPPED = {
    "reward": """
def reward(rules, state, action, after):
    return declared_reward(rules, state, action, after._replace(stopped=0))
""",
    "event": """
def event(rules, state, action, after):
    going = after._replace(stopped=0)
    is_random = action == -1
    for _, other, _ in declared_outcomes(rules, state, action):
        is_random = is_random or other != going
    event = declared_event(rules, state, action, going) if is_random else "go on"
    return event + ", and stop" if after.stopped == 1 else event
""",
    "transient": """
def transient(rules, state):
    return state.stopped == 0 and declared_transient(rules, state)
""",
    "write": """
def write(rules, state):
    written = declared_write(rules, state._replace(stopped=0))
    return written + " stopped" if state.stopped == 1 else written
""",
    "read": """
def read(rules, text):
    state = declared_read(rules, text.removesuffix(" stopped"))
    return state._replace(stopped=1) if text.endswith(" stopped") else state
""",
}
"""The functions of optional parts, which the generated file has if the rule file has them."""
ALONE = {
    "reward": """
def reward(rules, state, action, after):
    return 0.0
""",
    "objective": """
def objective(rules):
    return "expected discounted total"
""",
}
"""The functions of a game for one player that the rule file does not have."""


def stopping(module: ModuleType) -> ModuleType:
    """Return the module of the game that stops, if a rule file declares a discount; otherwise the module itself.

    Raises:
        GameError: if the rule file is not valid, or does not define what has to be rewritten.
        StorageError: if the generated file cannot be written.
    """
    module = declarations.without_helpers(module)
    if not hasattr(module, "discount"):
        return module
    declarations.check(module)
    file = Path(str(module.__file__))
    text = _text(module, file)
    files = {path.relative_to(file.parent): path.read_bytes() for path in source.files(module)}
    files[Path(file.name)] = text.encode()
    digest = hashlib.blake2b(repr(sorted(files.items())).encode(), digest_size=12).hexdigest()
    folder = cache.root() / "derived" / f"discount-{digest}" / file.parent.name
    for path, contents in files.items():
        cache.put(folder / path, contents)
    return loading.load(folder / file.name)


def _text(module: ModuleType, file: Path) -> str:
    """Generate the text of the rule file of the game that stops."""
    contents = file.read_bytes()
    tree = parse(contents)
    for name in NEEDED:
        if not any(name in _defined(statement) for statement in tree.body):
            raise GameError(f"{file.name} has a 'discount', so it must define {name!r} itself, not import it.")
    if FIELD in module.State._fields:
        raise GameError(f"{file.name}: a game with a 'discount' has a field {FIELD!r}, so give yours another name.")
    lines = contents.splitlines(keepends=True)
    for line, column in sorted(_places(tree, lines), reverse=True):
        lines[line] = lines[line][:column] + DECLARED.encode() + lines[line][column:]
    _add_field(tree, lines)
    return b"".join(lines).decode() + _functions(module)


def _functions(module: ModuleType) -> str:
    """Generate the functions that follow the rule file."""
    discount = f"{DECLARED}discount{'(rules)' * callable(module.discount)}"
    seat = ", seat" * (module.payoff.__code__.co_argcount == 3)
    parts = [RULES.replace("DISCOUNT", discount).replace("SEAT", seat)]
    parts += [text for name, text in WRAPPED.items() if hasattr(module, name)]
    if module.players == 1:
        parts += [text for name, text in ALONE.items() if not hasattr(module, name)]
    if hasattr(module, "steps"):
        parts.append(f"\nsteps = (*steps[:{len(module.State._fields)}], 1)\n")
    return "\n".join(parts)


def _defined(statement: ast.stmt) -> set[str]:
    """Return the names that a statement of the file defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _places(tree: ast.Module, lines: list[bytes]) -> Iterator[tuple[int, int]]:
    """Yield the line, from 0, and the column in bytes of all names in a file that get other names."""
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.name in REPLACED:
            line = statement.lineno - 1
            yield line, lines[line].index(statement.name.encode(), statement.col_offset + len("def"))
        is_scope = isinstance(statement, ast.FunctionDef | ast.ClassDef)
        local = source.local_names(statement) if is_scope else set()
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and node.id in REPLACED and node.id not in local:
                yield node.lineno - 1, node.col_offset


def _add_field(tree: ast.Module, lines: list[bytes]) -> None:
    """Add the field to `State`, in an empty line after the others if there is one, so that lines keep their numbers."""
    state = next(each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == "State")
    last = [each for each in state.body if isinstance(each, ast.AnnAssign)][-1]
    end = last.end_lineno or last.lineno
    field = f"{' ' * last.col_offset}{FIELD}: int = 0  # {COMMENT}\n".encode()
    is_free = end < len(lines) and not lines[end].strip()
    lines[end : end + is_free] = [field]
