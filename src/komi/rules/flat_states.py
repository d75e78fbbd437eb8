"""The mapping between the states of a rule file, which have tuples, and the flat states that the engine sees.

For `State(columns, turn)` with three columns the flat state is `State(columns[0], columns[1], columns[2], turn)`: its
fields have the names by which a rule file reads the entries.
"""

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from operator import itemgetter
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from komi.errors import GameError
from komi.rules.declarations import SIGNATURES, parameters_of
from komi.typing import Rules, State

FLATTENING = "__flattening__"  # attribute of a flattened module: its `Flattening`
STATES = ("state", "after", "view")  # the parameters of the protocol that are states
RETURNED = {"start": "state", "view": "state", "turned": "state", "read": "state", "deal": "state"}
RETURNED |= {"sample": "outcome", "outcomes": "outcomes", "symmetries": "states", "legal": "values"}
"""The results of the functions of the protocol that return states or yield values."""


def identifier(field: str) -> str:
    """Return the name of a field as an identifier of programming languages: `columns_0` for `columns[0]`."""
    return field.replace("[", "_").replace("]", "")


class Flattening:
    """The mapping between the states of a rule file and flat states.

    Args:
        author: the module of the rule file.
        suffix: what the name of the flattened module adds to that of the rule file.
        lengths: the length of each tuple field.
        rules: rules under which the tuples have these lengths.

    Attributes:
        author: the module of the rule file.
        suffix, rules: as above.
        entries: the names of the entries of each tuple field.
        module: the flattened module; its functions are for compiled code.
        parts: its functions as Python calls them, which check every state.
    """

    def __init__(self, author: ModuleType, suffix: str, lengths: Mapping[str, int], rules: Rules) -> None:
        self.author, self.suffix, self.rules, self._lengths = author, suffix, rules, lengths
        self._slices: dict[str, slice] = {}
        self._names: list[str] = []
        for field in author.State._fields:
            first = len(self._names)
            self._names += [f"{field}[{i}]" for i in range(lengths[field])] if field in lengths else [field]
            self._slices[field] = slice(first, len(self._names))
        self.entries = {name: tuple(self._names[self._slices[name]]) for name in lengths}
        self._state = self._state_class(author.__name__ + suffix)
        self._nest = eval(f"lambda state: {self._nested('state')}", {"AuthorState": author.State})
        self.module = self._flattened_module()
        functions = {name: part for name in SIGNATURES if isinstance(part := getattr(author, name, None), FunctionType)}
        self.parts = {name: self._interpreted(name, function) for name, function in functions.items()}

    def _flattened_module(self) -> ModuleType:
        author, module = self.author, ModuleType(self.author.__name__ + self.suffix, self.author.__doc__)
        names = [name for name in SIGNATURES if isinstance(getattr(author, name, None), FunctionType)]
        vars(module).update({key: value for key, value in vars(author).items() if not key.startswith("__")})
        vars(module).update(State=self._state, AuthorState=author.State, __file__=author.__file__)
        for name in names:
            vars(module)[f"author_{name}"] = getattr(author, name)
        texts = [self._text(name) for name in names]
        exec(compile("\n".join(texts), "<tuple fields>", "exec"), vars(module))
        if hasattr(author, "steps"):
            module.steps = tuple(  # type: ignore[attr-defined]
                step
                for field, steps in zip(author.State._fields, author.steps, strict=True)
                for step in (steps if isinstance(steps, tuple) else (steps,) * self._width(field))
            )
        setattr(module, FLATTENING, self)
        return module

    def nest(self, state: State) -> State:
        """Return the state of the rule file; a state that is not flat is returned unchanged."""
        return self._nest(state) if isinstance(state, self._state) else state

    def flat(self, state: State) -> State:
        """Return the flat state; anything but a state of the rule file is returned unchanged.

        Raises:
            GameError: if a tuple has another length than in the initial state; the message lacks the file.
        """
        if not isinstance(state, self.author.State):
            return state
        values: list[Any] = []
        for field, value in zip(state._fields, state, strict=True):
            length = self._lengths.get(field)
            if length is not None and not (isinstance(value, tuple) and len(value) == length):
                raise GameError(
                    f"field {field!r} of a state is {value!r}, not a tuple of {length} numbers as in the first state "
                    "('start')"
                )
            values += value if length is not None else [value]
        return self._state(*values)

    def _width(self, field: str) -> int:
        return self._slices[field].stop - self._slices[field].start  # type: ignore[no-any-return]

    def _state_class(self, module: str) -> type:
        """Create the class of flat states: a NamedTuple in which tuple fields can be read and replaced, too."""
        names, slices, author = tuple(self._names), self._slices, self.author.State
        position = {name: slice(i, i + 1) for i, name in enumerate(names)}
        flat: Any = namedtuple("State", map(identifier, names), rename=True)  # type: ignore[misc]

        def replace(self: State, /, **changes: Any) -> State:
            values = list(self)
            for name, value in changes.items():
                if name in position:
                    values[position[name].start] = value
                elif name in slices and len(value) == slices[name].stop - slices[name].start:
                    values[slices[name]] = value
                else:
                    raise ValueError(f"a state cannot be changed to {name}={value!r}")
            return type(self)(*values)

        def text(self: State) -> str:
            parts = (f"{name}={getattr(self, name)!r}" for name in slices)
            return f"State({', '.join(parts)})"

        defaults = {
            name: value
            for field, default in author._field_defaults.items()
            for name, value in zip(
                names[slices[field]], default if field in self._lengths else (default,), strict=False
            )
        }
        members: dict[str, Any] = {name: property(itemgetter(i)) for i, name in enumerate(names)}
        members |= {name: property(itemgetter(slices[name])) for name in self._lengths}
        members |= {"_fields": names, "_replace": replace, "__repr__": text, "_field_defaults": defaults}
        members |= {"__slots__": (), "__module__": module, "__doc__": author.__doc__}
        return type("State", (flat,), members)

    def _text(self, name: str) -> str:
        """Generate the function of the flattened module with this name, for compiled code."""
        function = getattr(self.author, name)
        parameters = [
            *parameters_of(function, name),
            *(["seat"] * (name == "payoff" and function.__code__.co_argcount == 3)),
        ]
        arguments = ", ".join(self._nested(each) if each in STATES else each for each in parameters)
        call = f"author_{name}({arguments})"
        head = f"def {name}({', '.join(parameters)}):"
        match RETURNED.get(name):
            case "values":
                return f"{head}\n    for value in {call}:\n        yield value"
            case "states":
                loop = f"{head}\n    for image in {call}:\n    "
                return f"{loop}    {self._length_check('image')}\n        yield {self._flat('image')}"
            case "outcomes":
                loop = f"{head}\n    for probability, after, passes in {call}:\n    "
                yielded = f"probability, {self._flat('after')}, passes"
                return f"{loop}    {self._length_check('after')}\n        yield {yielded}"
            case "outcome":
                returned = f"probability, {self._flat('after')}, passes"
                called = f"{head}\n    probability, after, passes = {call}\n"
                return f"{called}    {self._length_check('after')}\n    return {returned}"
            case "state":
                called = f"{head}\n    value = {call}\n"
                return f"{called}    {self._length_check('value')}\n    return {self._flat('value')}"
        return f"{head}\n    return {call}"

    def policy(self, function: FunctionType) -> FunctionType:
        """Return a policy of a rule file as a function of flat states, for compiled code."""
        parameters = function.__code__.co_varnames[: function.__code__.co_argcount]
        arguments = ", ".join(self._nested(each) if i == 1 else each for i, each in enumerate(parameters))
        namespace: dict[str, Any] = {"AuthorState": self.author.State, "author_policy": function}
        exec(f"def policy({', '.join(parameters)}):\n    return author_policy({arguments})", namespace)
        policy: FunctionType = namespace["policy"]
        policy.__module__, policy.__qualname__ = function.__module__, function.__qualname__
        return policy

    def _nested(self, flat: str) -> str:
        """Generate the expression of the state of the rule file."""
        values = []
        for field, part in self._slices.items():
            entries = [f"{flat}[{i}]" for i in range(part.start, part.stop)]
            values.append(f"({', '.join(entries)},)" if field in self._lengths else entries[0])
        return f"AuthorState({', '.join(values)})"

    def _flat(self, state: str) -> str:
        """Generate the expression of the flat state."""
        values = []
        for i, field in enumerate(self.author.State._fields):
            length = self._lengths.get(field)
            values += [f"{state}[{i}]"] if length is None else [f"{state}[{i}][{k}]" for k in range(length)]
        return f"State({', '.join(values)})"

    def _length_check(self, state: str) -> str:
        """Generate a statement that raises an error if a tuple has another length; compiled code knows all lengths."""
        fields = self.author.State._fields
        wrong = [f"len({state}[{fields.index(field)}]) != {length}" for field, length in self._lengths.items()]
        return f"if {' or '.join(wrong)}: raise ValueError('a tuple of a state has another length')"

    def _interpreted(self, name: str, function: FunctionType) -> Callable[..., Any]:
        """Return the function of this name that Python calls with flat states."""
        states = [parameter in STATES for parameter in SIGNATURES[name]]
        returned = RETURNED.get(name)

        @wraps(function)
        def part(*arguments: Any) -> Any:
            nested = [self.nest(each) if is_state else each for is_state, each in zip(states, arguments, strict=False)]
            value = function(*nested, *arguments[len(states) :])
            match returned:
                case "state":
                    return self._flat_of(value, function)
                case "outcome":
                    return self._flat_outcome(value, function)
                case "states" if hasattr(value, "__iter__"):
                    return _Converted(value, self._flat_of, function)
                case "outcomes" if hasattr(value, "__iter__"):
                    return _Converted(value, self._flat_outcome, function)
            return value

        return part

    def _flat_of(self, state: State, function: FunctionType, line: int = 0) -> State:
        try:
            return self.flat(state)
        except GameError as error:
            line = line or function.__code__.co_firstlineno
            raise GameError(f"{Path(function.__code__.co_filename).name}, line {line}: {error}") from None

    def _flat_outcome(self, outcome: Any, function: FunctionType, line: int = 0) -> Any:
        if not (isinstance(outcome, tuple) and len(outcome) == 3):
            return outcome
        probability, after, passes = outcome
        return probability, self._flat_of(after, function, line), passes


class _Converted:
    """An iterator over what a function of a rule file yields, with flat states."""

    def __init__(self, values: Any, convert: Callable[..., Any], function: FunctionType) -> None:
        self._values, self._convert, self._function = iter(values), convert, function

    @property
    def gi_frame(self) -> Any:
        """The frame of the function, from which messages take the line."""
        return getattr(self._values, "gi_frame", None)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        value = next(self._values)
        return self._convert(value, self._function, getattr(self.gi_frame, "f_lineno", 0))
