"""Calls of rule files in JavaScript: of their own functions and records, of Python's, and of methods."""

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

from komi.branchless import either
from komi.rules import source
from komi.translation import kinds
from komi.translation.code import AND, ATOM, CHOICE, OR, UNARY, Code
from komi.translation.expressions import shown
from komi.translation.kinds import BOOL, FLOAT, INT, NONE, STR, UNKNOWN, WIDE, ValueKind, join, of_type, tuple_of
from komi.translation.sequences import Sequences

MAX_LENGTH = 2**32  # of an array
_LIBRARY = {math.factorial: "$factorial", math.comb: "$comb"}


class Calls(Sequences):
    """Translates calls."""

    def _call(self, node: ast.Call) -> Code:
        value = source.resolve(node.func, self.function.function, self._local)
        if value is either and len(node.args) == 3:
            return self._ifexp(ast.copy_location(ast.IfExp(*node.args), node))
        record = self._record(node.func)
        if record:
            arguments = self._arguments(
                node, record.fields, f"ConstructorParameters<typeof {record.name}>", record.is_state
            )
            record.learn(self._passed(node, list(record.fields)))
            return Code(f"new {record.name}({', '.join(arguments)})", of_type(record.name))
        if isinstance(value, FunctionType):
            return self._own(node, value)
        if value in _LIBRARY:
            return self.call(_LIBRARY[value], INT, *(self.narrow(self.expression(each)).text for each in node.args))
        if isinstance(node.func, ast.Attribute) and value is source.UNRESOLVED:
            return self._method(node, node.func)
        builtin: Callable[[ast.Call], Code] | None = getattr(self, f"_call_{getattr(value, '__name__', '')}", None)
        if builtin is None or value not in _BUILT_IN or (node.keywords and value not in (zip, sorted)):
            self.refuse(node, f"the call {shown(node)!r}")
        return builtin(node)

    def _arguments(
        self, node: ast.Call, parameters: Mapping[str, ValueKind], type_of_all: str, checked: bool = False
    ) -> list[str]:
        """Translate the arguments of a call, keyword arguments in the places of their parameters."""
        read, names = self.rounded if checked else self.expression, list(parameters)
        if {each.arg for each in node.keywords} - set(names):
            self.refuse(node, f"the call {shown(node)!r}")
        if any(isinstance(each, ast.Starred) for each in node.args):
            if node.keywords:
                self.refuse(node, f"the call {shown(node)!r}")
            return [f".../** @type {{{type_of_all}}} */ ([{', '.join(self.listed(node.args)[0])}])"]
        texts = [self.fitted(read(each), kind) for each, kind in zip(node.args, parameters.values(), strict=False)]
        given = {str(each.arg): self.fitted(read(each.value), parameters[str(each.arg)]) for each in node.keywords}
        last = max((names.index(name) for name in given), default=-1)
        return texts + [given.get(name, "undefined") for name in names[len(texts) : last + 1]]

    def _passed(self, node: ast.Call, parameters: Sequence[str]) -> dict[str, ValueKind]:
        """Return the kinds of the arguments of a call, by parameter."""
        _, found, element = self.listed(node.args)
        passed = dict(zip(parameters, [element] * len(parameters) if found is None else found, strict=False))
        return passed | {str(each.arg): self.expression(each.value).kind for each in node.keywords}

    def _own(self, node: ast.Call, value: FunctionType) -> Code:
        called = self.program.add(value)
        parameters = list(called.parameters)
        arguments = self._arguments(node, called.parameters, f"Parameters<typeof {called.name}>")
        if called.definition.args.vararg or called.definition.args.kwonlyargs or called.definition.args.kwarg:
            self.refuse(node, f"the call {shown(node)!r}")
        for name, kind in self._passed(node, parameters).items():
            called.parameters[name] = join(called.parameters[name], kind)
        name = self._checked(node, called.name)
        kind = of_type("iterator", called.result) if called.is_generator else called.result
        return Code(f"{name}({', '.join(arguments)})", kind)

    def _method(self, node: ast.Call, method: ast.Attribute) -> Code:
        owner = self.expression(method.value)
        if owner.kind.is_unknown:
            return self.unclear(node, "the call", owner)
        text, name = owner.at(ATOM), method.attr
        for record in owner.kind.names & self.program.records.keys():
            if name == "_replace" and not node.args:
                self.program.records[record].learn(self._passed(node, ()))
                read = self.rounded if self.program.records[record].is_state else self.expression
                pairs = [f"{each.arg}: {read(each.value).text}" for each in node.keywords]
                return Code(f"{text}._replace({{ {', '.join(pairs)} }})", of_type(record))
        if node.keywords:
            self.refuse(node, f"the call {shown(node)!r}")
        if name == "join" and owner.kind.is_only("str") and len(node.args) == 1:
            return Code(f"{self.array(node.args[0]).at(ATOM)}.join({text})", STR)
        arguments = [self.expression(each).text for each in node.args]
        element = owner.kind.element or UNKNOWN
        if owner.kind.is_in(kinds.WHOLE) and name in ("bit_count", "bit_length"):
            return self.call({"bit_count": "$bitCount", "bit_length": "$bitLength"}[name], INT, owner.text)
        if owner.kind.is_in(kinds.SEQUENCES) and name in ("index", "count"):
            return self.call(f"${name}", INT, owner.text, *arguments)
        if owner.kind.is_only("str") and name in _TEXT_METHODS and len(arguments) in _TEXT_METHODS[name][1]:
            return Code(f"{text}.{_TEXT_METHODS[name][0]}({', '.join(arguments)})", _TEXT_METHODS[name][2])
        if owner.kind.is_only("dict") and name == "get" and len(arguments) == 2:
            return self.call("$get", join(element, self.expression(node.args[1]).kind), owner.text, *arguments)
        if owner.kind.is_only("list") and name == "append" and isinstance(method.value, ast.Name):
            self.learn(method.value.id, of_type("list", self.expression(node.args[0]).kind))
            return Code(f"{text}.push({', '.join(arguments)})", NONE)
        return self.refuse(node, f"the call {shown(node)!r}")

    def _call_range(self, node: ast.Call) -> Code:
        texts = [self.narrow(self.expression(each)).text for each in node.args]
        return self.call("$range", of_type("tuple", INT), *(["0", *texts] if len(texts) == 1 else texts))

    def _call_len(self, node: ast.Call) -> Code:
        code = self.expression(node.args[0])
        for name in code.kind.names & self.program.records.keys():
            return Code(str(len(self.program.records[name].fields)), INT)
        if code.kind.is_in((*kinds.SEQUENCES, "str")):
            return Code(f"{code.at(ATOM)}.length", INT, most=MAX_LENGTH)
        if code.kind.is_in(("set", "dict")):
            return Code(f"{code.at(ATOM)}.size", INT)
        return self.unclear(node, "the length in", code)

    def _call_int(self, node: ast.Call) -> Code:
        code = self.expression(node.args[0])
        if code.kind.is_in(("int", "wide")):
            return code
        if code.kind.is_in(kinds.WHOLE):
            return self.call("$wide", WIDE, code.text) if code.kind.is_wide else Code(f"Number({code.text})", INT)
        if code.kind.is_in(kinds.NUMBERS):
            return self.call("$trunc", INT, code.text)
        return self.call("$parse", INT, code.text) if code.kind.is_only("str") else self.unclear(node, "the call", code)

    def _call_float(self, node: ast.Call) -> Code:
        code = self.expression(node.args[0])
        if code.kind.is_in(("int", "float")):
            return Code(code.text, FLOAT, code.level)
        return (
            Code(f"Number({code.text})", FLOAT)
            if code.kind.is_in(kinds.NUMBERS)
            else self.unclear(node, "the call", code)
        )

    def _call_bool(self, node: ast.Call) -> Code:
        return Code(f"Boolean({self.condition(node.args[0]).text})", BOOL)

    def _call_str(self, node: ast.Call) -> Code:
        return self.text_of(node.args[0])

    def _call_abs(self, node: ast.Call) -> Code:
        code = self.rounded(node.args[0])
        if not code.kind.is_in(kinds.NUMBERS):
            return self.unclear(node, "the call", code)
        if code.kind.is_wide:
            return self.call("$abs", code.kind, self.exact(code).text)
        kind = INT if code.kind.is_in(kinds.WHOLE) else code.kind
        return Code(f"Math.abs({code.text})", kind, is_rounded=code.is_rounded)

    def _call_divmod(self, node: ast.Call) -> Code:
        one, other = node.args
        quotient, rest = (
            self.exact(self.operation(node, operator, self.expression(one), self.expression(other)))
            for operator in (ast.FloorDiv, ast.Mod)
        )
        return Code(f"[{quotient.text}, {rest.text}]", tuple_of((quotient.kind, rest.kind)))

    def _call_min(self, node: ast.Call) -> Code:
        name = "min" if source.resolve(node.func, self.function.function, self._local) is min else "max"
        texts, _, element = self.listed(node.args)
        if len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
            code = self.iterable(node.args[0])
            return self.call(f"${name}", code.kind.element or UNKNOWN, code.text)
        if element.is_in(("int", "float")):
            return Code(f"Math.{name}({', '.join(texts)})", element)
        return self.call(f"${name}", element, f"[{', '.join(texts)}]")

    _call_max = _call_min

    def _call_sum(self, node: ast.Call) -> Code:
        code = self.iterable(node.args[0])
        start = self.expression(node.args[1]) if len(node.args) > 1 else Code("0", INT)
        element = join(code.kind.element or UNKNOWN, start.kind if len(node.args) > 1 else UNKNOWN)
        texts = (code.text, *([start.text] if len(node.args) > 1 else []))
        if element.is_in(kinds.WHOLE):
            return self.call("$wideSum", WIDE, *texts) if element.is_wide else self.call("$sum", INT, *texts)
        return self.call("$fsum", FLOAT, *texts) if element.is_only("float") else self.unclear(node, "the sum", code)

    def _call_any(self, node: ast.Call) -> Code:
        is_any = source.resolve(node.func, self.function.function, self._local) is any
        name = "some" if is_any else "every"
        values = node.args[0]
        if isinstance(values, ast.GeneratorExp | ast.ListComp) and len(values.generators) == 1:
            loop = values.generators[0]
            array, parameter = self._bound(loop)
            test = self.condition(values.elt)
            if loop.ifs:
                first = self._all(loop.ifs)
                both = f"{first.at(AND)} && {test.at(AND)}"
                test = Code(both, BOOL, AND) if is_any else Code(f"!{first.at(UNARY)} || {test.at(OR)}", BOOL, OR)
            self._inner.pop()
            return Code(f"{array.at(ATOM)}.{name}(({parameter}) => {test.at(CHOICE)})", BOOL)
        array = self.array(values)
        if not (array.kind.element or UNKNOWN).is_in(kinds.SCALARS):
            return self.unclear(node, "the truth of entries in", array)
        return Code(f"{array.at(ATOM)}.{name}(Boolean)", BOOL)

    _call_all = _call_any

    def _call_tuple(self, node: ast.Call) -> Code:
        name = "tuple" if source.resolve(node.func, self.function.function, self._local) is tuple else "list"
        if not node.args:
            return Code("[]", of_type(name, UNKNOWN))
        code = self.iterable(node.args[0])
        text = code.text if "(" in code.text and isinstance(node.args[0], ast.GeneratorExp) else f"[...{code.at(ATOM)}]"
        return Code(
            text, ValueKind(frozenset((name,)), code.kind.items if name == "tuple" else None, code.kind.element)
        )

    _call_list = _call_tuple

    def _call_set(self, node: ast.Call) -> Code:
        code = self.iterable(node.args[0]) if node.args else Code("", UNKNOWN)
        return Code(f"new Set({code.text})", of_type("set", self._key(node, code.kind.element or UNKNOWN)))

    def _call_sorted(self, node: ast.Call) -> Code:
        code = self.iterable(node.args[0])
        is_reversed = [getattr(each.value, "value", None) for each in node.keywords if each.arg == "reverse"]
        if len(is_reversed) != len(node.keywords) or any(value is not True for value in is_reversed):
            self.refuse(node, f"the call {shown(node)!r}")
        found = self.call("$sorted", of_type("list", code.kind.element), code.text)
        return self.call("$reversed", found.kind, found.text) if is_reversed else found

    def _call_reversed(self, node: ast.Call) -> Code:
        code = self.iterable(node.args[0])
        return self.call("$reversed", of_type("list", code.kind.element), code.text)

    def _call_enumerate(self, node: ast.Call) -> Code:
        code = self.iterable(node.args[0])
        rest = [self.expression(each).text for each in node.args[1:]]
        return self.call("$enumerate", of_type("list", tuple_of((INT, code.kind.element or UNKNOWN))), code.text, *rest)

    def _call_zip(self, node: ast.Call) -> Code:
        codes = [self.iterable(each) for each in node.args]
        kind = of_type("list", tuple_of(code.kind.element or UNKNOWN for code in codes))
        return self.call("$zip", kind, *(code.text for code in codes))

    def _call_map(self, node: ast.Call) -> Code:
        function, *values = node.args
        if len(values) != 1 or not isinstance(function, ast.Name):
            self.refuse(node, f"the call {shown(node)!r}")
        each = ast.Name("each", ast.Load())
        called = ast.copy_location(ast.Call(function, [each], []), node)
        loop = ast.comprehension(ast.Name("each", ast.Store()), values[0], [], 0)
        return self._mapped(node, ast.fix_missing_locations(called), [loop])


_BUILT_IN: tuple[Any, ...] = (
    *(range, len, int, float, bool, str, abs, divmod, min, max, sum, any, all),
    *(tuple, list, set, sorted, reversed, enumerate, zip, map),
)
_TEXT_METHODS: dict[str, tuple[str, tuple[int, ...], ValueKind]] = {
    "upper": ("toUpperCase", (0,), STR),
    "lower": ("toLowerCase", (0,), STR),
    "strip": ("trim", (0,), STR),
    "startswith": ("startsWith", (1,), BOOL),
    "endswith": ("endsWith", (1,), BOOL),
    "ljust": ("padEnd", (1, 2), STR),
    "rjust": ("padStart", (1, 2), STR),
    "replace": ("replaceAll", (2,), STR),
}
