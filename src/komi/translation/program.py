"""A program: the functions, constants and records that the parts of a rule file use, named as in JavaScript."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from komi.errors import GameError
from komi.rules import source
from komi.rules.declarations import SIGNATURES, VALUES
from komi.rules.tuple_fields import author_of
from komi.translation.code import Code, constant
from komi.translation.kinds import FLOAT, INT, STR, UNKNOWN, WIDE, ValueKind, join, kind_of, of_type
from komi.translation.names import free_name
from komi.typing import Rules

LEFT_OUT = frozenset(("read", "opponents", "policies", "domains", "action_numbers"))
"""The parts of the protocol that are not translated: what reads texts, who plays, and what networks see."""
PARTS = tuple(dict.fromkeys(name for name in (*sorted(VALUES), "actions", *SIGNATURES) if name not in LEFT_OUT))
POLICY = ("rules", "state", "action")  # the parameters of a policy, which can leave out the last
_STATES = ("state", "after", "view")


class TranslationError(GameError):
    """A rule file uses a construct that has no translation: the sentence names the file, the line and the construct."""


@dataclass(eq=False)
class Function:
    """A function of the program, with the kinds that inference has found so far.

    Attributes:
        function: the function, as Python runs it.
        definition: its source.
        name: its name in JavaScript.
        parameters: the kinds of its parameters.
        variables: the kinds of its local variables.
        result: the kind of what it returns; of a generator, of what it yields.
    """

    function: FunctionType
    definition: ast.FunctionDef
    name: str
    parameters: dict[str, ValueKind]
    variables: dict[str, ValueKind] = field(default_factory=dict)
    result: ValueKind = UNKNOWN

    @property
    def file(self) -> str:
        """The name of the file that defines it."""
        return Path(self.function.__code__.co_filename).name

    @property
    def local(self) -> set[str]:
        """The names of its parameters and variables, without those of comprehensions."""
        loops = [node for node in ast.walk(self.definition) if isinstance(node, ast.comprehension)]
        inner = {name for loop in loops for name in ast.walk(loop.target)}
        stored = [node for node in ast.walk(self.definition) if isinstance(node, ast.Name) and node not in inner]
        return {*self.parameters, *(node.id for node in stored if not isinstance(node.ctx, ast.Load))}

    @property
    def is_generator(self) -> bool:
        """True if it yields its results."""
        return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(self.definition))

    @property
    def order(self) -> tuple[str, int]:
        """The file and the line of its definition."""
        return self.function.__code__.co_filename, self.definition.lineno


@dataclass(eq=False)
class Record:
    """A named tuple of the program.

    Attributes:
        type: the class.
        name: its name in JavaScript.
        fields: the kinds of its fields, by name.
        is_state: True for the `State` of the game, which holds whole numbers and tuples of them.
        is_open: True for helpers' named tuples, whose fields hold what they are created with.
    """

    type: type[Any]
    name: str
    fields: dict[str, ValueKind]
    is_state: bool = False
    is_open: bool = False

    def learn(self, values: Mapping[str, ValueKind]) -> None:
        """Note the kinds of values with which a record is created; of those in a state, only which are wide."""
        for name, kind in values.items():
            if name in self.fields and (self.is_open or (self.is_state and kind.is_wide)):
                self.fields[name] = join(self.fields[name], WIDE if "wide" in kind.names and self.is_state else kind)


class Program:
    """All that the translated parts of a game need.

    Args:
        module: the module of the game.
        rules: the rules under which it is played.
        policies: functions (rules, state) or (rules, state, action) that are translated, too.

    Attributes:
        is_wide: True once a number beyond 2**53 is found: sets can then be as wide.
    """

    def __init__(self, module: ModuleType, rules: Rules, policies: Sequence[FunctionType] = ()) -> None:
        self.module = author_of(module)
        self.policies = policies
        self.rules = rules
        self.start = self.module.start(rules)
        self._names: dict[str, object] = {}  # of all that is named, and what has the name
        self.is_wide = False
        self.records: dict[str, Record] = {}
        self._add_record(self.module.Rules, self.module.Rules())
        self._add_record(self.module.State, map(_plain, self.start))
        self.functions: dict[FunctionType, Function] = {}
        self.constants: dict[str, Code] = {}
        self.parts: dict[str, str] = {}
        self.runtime = {"$whole", "$wholes"}
        for name in PARTS:
            if hasattr(module, name):
                part = getattr(self.module, name)
                self.parts[name] = self.add(part).name if isinstance(part, FunctionType) else self.constant(name, part)
        for policy in policies:
            self.add(policy)

    def add(self, function: FunctionType) -> Function:
        """Return a function of the program, which is added if it is new.

        Raises:
            TranslationError: if its source cannot be read.
        """
        found = self.functions.get(function)
        if found is None:
            definition = source.definition(function)
            if not isinstance(definition, ast.FunctionDef) or definition.decorator_list or function.__closure__:
                code = function.__code__
                raise TranslationError(
                    f"{Path(code.co_filename).name}, line {code.co_firstlineno}: {code.co_name!r} is not a plain "
                    "function of a rule file, and cannot be translated to JavaScript."
                )
            name = self._name(function.__name__, function)
            found = Function(function, definition, name, self._parameters(function, definition))
            self.functions[function] = found
        return found

    def record(self, of: type[Any]) -> Record:
        """Return the record of a class of named tuples, which is added if it is new."""
        found = next((record for record in self.records.values() if record.type is of), None)
        return found or self._add_record(of)

    def _add_record(self, of: type[Any], values: Iterable[Any] | None = None) -> Record:
        name = self._name(of.__name__, of)
        defaults = {field: kind_of(value) for field, value in of._field_defaults.items()}
        known = map(kind_of, values) if values is not None else [defaults.get(field, UNKNOWN) for field in of._fields]
        fields = dict(zip(of._fields, known, strict=True))
        self.is_wide |= any(kind.is_wide for kind in fields.values())
        self.records[name] = Record(of, name, fields, of is self.module.State, values is None)
        return self.records[name]

    def constant(self, name: str, value: Any) -> str:
        """Return the name of a constant, which is added if it is new.

        Raises:
            ValueError: if it has no exact counterpart in JavaScript.
        """
        name = self._name(name, value)
        if name not in self.constants:
            self.constants[name] = constant(value)
            self.is_wide |= self.constants[name].kind.is_wide
        return name

    def ordered(self) -> Iterator[Function]:
        """Yield the functions: helpers of other files first, each file from its top."""
        own = str(self.module.__file__)
        yield from sorted(self.functions.values(), key=lambda each: (each.order[0] == own, *each.order))

    def _name(self, name: str, what: object) -> str:
        """Return a name that nothing else has, and that hides behind no variable under another name."""
        while self._names.setdefault(name := free_name(name), what) is not what:
            name += "_"
        return name

    def _parameters(self, function: FunctionType, definition: ast.FunctionDef) -> dict[str, ValueKind]:
        """Return what is known of parameters before any call is seen: from the protocol, and from defaults."""
        names = [argument.arg for argument in definition.args.args]
        found = dict.fromkeys(names, UNKNOWN)
        found |= dict(zip(reversed(names), map(kind_of, reversed(function.__defaults__ or ())), strict=False))
        for part, parameters in SIGNATURES.items():
            if function is getattr(self.module, part, None):
                stated = dict(zip(names, parameters, strict=False))
                found |= {name: join(found[name], self._of_protocol(stated.get(name, part))) for name in names}
        if function in (getattr(self.module, part, None) for part in VALUES):
            found |= {name: self._of_protocol("rules") for name in names[:1]}
        if function in self.policies:
            found |= {name: self._of_protocol(stated) for name, stated in zip(names, POLICY, strict=False)}
        return found

    def _of_protocol(self, parameter: str) -> ValueKind:
        if parameter == "rules":
            return of_type(self.module.Rules.__name__)
        if parameter in _STATES:
            return of_type(self.module.State.__name__)
        if parameter == "event":
            return STR
        return INT if parameter in ("action", "payoff") else FLOAT  # the one behind those of `payoff` is a seat


def _plain(value: Any) -> Any:
    """Return the value of a field of a state as states hold it: truth values are numbers."""
    return tuple(map(_plain, value)) if isinstance(value, tuple) else int(value)
