"""Expressions of rule files in JavaScript.

Python's operators depend on the types of their operands, so each expression is translated together with its kind. Where
JavaScript's operator does the same, it is used; elsewhere a function of `runtime.js`, whose name begins with `$`. Whole
numbers are exact: one beyond 2**53 raises an error. Sums and products are checked by `$int`, unless what they go into
checks them.
"""

import ast
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from komi.rules import source
from komi.translation import kinds
from komi.translation.code import (
    AND,
    ATOM,
    CHOICE,
    EQUALITY,
    MAX_EXACT,
    OR,
    ORDER,
    PRODUCT,
    SUM,
    UNARY,
    Code,
    literal,
    magnitude,
)
from komi.translation.kinds import BOOL, FLOAT, INT, NONE, STR, UNKNOWN, Kind, join, of_type, tuple_of
from komi.translation.names import free_name
from komi.translation.program import Function, Program, Record, TranslationError

_SYMBOLS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.MatMult: "@",
}
_BITS = {"&": "$and", "|": "$or", "^": "$xor", "<<": "$shl", ">>": "$shr"}
_ORDERS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_LIBRARY = {math.factorial: "$factorial", math.comb: "$comb"}
MAX_LENGTH = 2**32  # of an array
_ITERABLES = (*kinds.SEQUENCES, "set", "str", "iterator")


class Expressions:
    """Translates the expressions of a function.

    Args:
        program: what the function uses is added to it.
        function: the function; kinds that are found are kept in it.
        is_final: False while kinds are inferred, when unknown ones are no reason to refuse.
    """

    def __init__(self, program: Program, function: Function, is_final: bool) -> None:
        self.program = program
        self.function = function
        self.is_final = is_final
        self._local = function.local
        self._inner: list[dict[str, Kind]] = []  # the variables of the comprehensions around an expression

    def refuse(self, node: ast.AST, what: str) -> NoReturn:
        """Raise the error that a construct has no translation."""
        line = getattr(node, "lineno", self.function.definition.lineno)
        raise TranslationError(f"{self.function.file}, line {line}: {what} cannot be translated to JavaScript.")

    def name_of(self, variable: str) -> str:
        """Return the name of a variable or a parameter in JavaScript."""
        return free_name(variable, self._local - {variable})

    def expression(self, node: ast.expr) -> Code:
        """Translate an expression; a whole number is exact."""
        return self.exact(self.rounded(node))

    def rounded(self, node: ast.expr) -> Code:
        """Translate an expression for a place that refuses whole numbers that are not exact."""
        visit = getattr(self, f"_{type(node).__name__.lower()}", None)
        if visit is None:
            self.refuse(node, f"the expression {shown(node)!r}")
        code: Code = visit(node)
        return self.unclear(node, "the value of", code) if code.kind.is_unknown else code

    def exact(self, code: Code) -> Code:
        """Return an expression that refuses whole numbers that are not exact."""
        return self.call("$int", code.kind, code.text) if code.is_rounded else code

    def call(self, name: str, kind: Kind, *arguments: str) -> Code:
        """Return a call of a function of the runtime."""
        self.program.runtime.add(name)
        return Code(f"{name}({', '.join(arguments)})", kind)

    def condition(self, node: ast.expr) -> Code:
        """Translate an expression whose truth counts."""
        if isinstance(node, ast.BoolOp):
            return self._joined(node, [self.condition(value) for value in node.values], BOOL)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return Code(f"!{self.condition(node.operand).at(UNARY)}", BOOL, UNARY)
        code = self.rounded(node)
        if code.kind.is_in(kinds.SCALARS):
            return code
        if code.kind.is_in(kinds.SEQUENCES):
            return Code(f"{code.at(ATOM)}.length > 0", BOOL, ORDER)
        if code.kind.is_in(("set", "dict")):
            return Code(f"{code.at(ATOM)}.size > 0", BOOL, ORDER)
        return self.unclear(node, "the truth of", code)

    def unclear(self, node: ast.expr, what: str, *codes: Code) -> Code:
        """Refuse an operation because of the kinds of its operands, unless these are not known yet."""
        if not self.is_final:
            return Code("undefined")
        found = " and ".join("/".join(sorted(code.kind.names)) or "unknown" for code in codes)
        return self.refuse(node, f"{what} {shown(node)!r} ({found})")

    # Names and constants

    def _constant(self, node: ast.Constant) -> Code:
        return self._value(node, node.value)

    def _value(self, node: ast.expr, value: Any) -> Code:
        try:
            text = literal(value)
        except ValueError as error:
            self.refuse(node, f"{shown(node)!r} ({error})")
        return Code(text, kinds.kind_of(value), UNARY if text.startswith("-") else ATOM, most=magnitude(value))

    def _name(self, node: ast.Name) -> Code:
        for variables in reversed(self._inner):
            if node.id in variables:
                return Code(free_name(node.id), variables[node.id])
        if node.id in self._local:
            return Code(self.name_of(node.id), self.function.variables.get(node.id, UNKNOWN))
        value = source.resolve(node, self.function.function, self._local)
        if value is source.UNRESOLVED or callable(value) or isinstance(value, ModuleType):
            self.refuse(node, f"the name {node.id!r} in this place")
        try:
            name = self.program.constant(node.id, value)
        except ValueError as error:
            self.refuse(node, f"the constant {node.id!r} ({error})")
        return replace(self.program.constants[name], text=self._checked(node, name))

    def _checked(self, node: ast.expr, name: str) -> str:
        """Return the name of something global, which no variable may hide."""
        if name in self._local:
            self.refuse(node, f"{shown(node)!r}, whose name {name!r} is that of a variable here,")
        return name

    def _attribute(self, node: ast.Attribute) -> Code:
        if node.attr == "_fields":
            record = self._record(node.value)
            name = record.name if record else next(iter(self.expression(node.value).kind.names))
            if name in self.program.records:
                return Code(f"{name}._fields", of_type("tuple", STR))
        value = self.expression(node.value)
        for name in value.kind.names:
            record = self.program.records.get(name)
            if record and node.attr in record.fields and value.kind.is_only(name):
                return Code(f"{value.at(ATOM)}.{node.attr}", record.fields[node.attr])
        return self.unclear(node, "the attribute", value)

    def _record(self, node: ast.expr) -> Record | None:
        """Return the record that an expression names; None if it names none."""
        value = source.resolve(node, self.function.function, self._local)
        return self.program.record(value) if isinstance(value, type) and hasattr(value, "_fields") else None

    # Operators

    def _binop(self, node: ast.BinOp) -> Code:
        return self.operation(node, type(node.op), self.rounded(node.left), self.rounded(node.right))

    def operation(self, node: ast.expr, operator: type[ast.operator], left: Code, right: Code) -> Code:
        """Translate a binary operator."""
        symbol = _SYMBOLS[operator]
        both = join(left.kind, right.kind)
        if left.kind.is_unknown or right.kind.is_unknown:
            return Code("undefined")
        if both.is_in(kinds.WHOLE) and symbol in _BITS:
            if symbol in "&|^" and both == BOOL:
                return Code(f"Boolean({left.at(SUM)} {symbol} {right.at(SUM)})", BOOL)
            return self.call(_BITS[symbol], INT, left.text, right.text)
        left, right = self.exact(left), self.exact(right)
        if both.is_in(kinds.NUMBERS):
            return self._of_numbers(node, symbol, left, right)
        if symbol == "+" and both.is_only("str"):
            return Code(f"{left.at(SUM)} + {right.at(PRODUCT)}", STR, SUM)
        if symbol == "+" and both.is_in(kinds.SEQUENCES):
            items = left.kind.items and right.kind.items and left.kind.items + right.kind.items
            kind = Kind(both.names, items or None, join(left.kind.element or UNKNOWN, right.kind.element or UNKNOWN))
            return Code(f"[...{left.at(ATOM)}, ...{right.at(ATOM)}]", kind)
        if symbol == "*" and left.kind.is_in((*kinds.SEQUENCES, "str")) and right.kind.is_in(kinds.WHOLE):
            return self.call("$repeat", Kind(left.kind.names, None, left.kind.element), left.text, right.text)
        if symbol == "|" and both.is_only("dict"):
            return Code(f"new Map([...{left.at(ATOM)}, ...{right.at(ATOM)}])", both)
        return self.unclear(node, f"the operator {symbol} in", left, right)

    def _of_numbers(self, node: ast.expr, symbol: str, left: Code, right: Code) -> Code:
        """Translate an operator of exact numbers."""
        is_float = left.kind == FLOAT or right.kind == FLOAT
        is_whole = join(left.kind, right.kind).is_in(kinds.WHOLE)
        kind = FLOAT if is_float else INT if is_whole else join(INT, FLOAT)
        if symbol in "+-":
            most = left.most + right.most
            return Code(
                f"{left.at(SUM)} {symbol} {right.at(PRODUCT)}", kind, SUM, not is_float and most > MAX_EXACT, most
            )
        if symbol == "*":
            most = left.most * right.most
            return Code(
                f"{left.at(PRODUCT)} * {right.at(UNARY)}", kind, PRODUCT, not is_float and most > MAX_EXACT, most
            )
        if symbol == "/":
            return self._quotient(node, left, right)
        if symbol in ("//", "%"):
            return self.call("$floordiv" if symbol == "//" else "$mod", kind, left.text, right.text)
        if symbol == "**" and right.kind.is_in(kinds.WHOLE) and (is_whole or is_float):
            return self.call("$pow" if is_whole else "$powered", kind, left.text, right.text)
        return self.refuse(
            node, f"the operator {symbol} in {shown(node)!r}, whose last digits differ between languages,"
        )

    def _quotient(self, node: ast.expr, left: Code, right: Code) -> Code:
        if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant) and node.right.value:
            return Code(f"{left.at(PRODUCT)} / {right.at(UNARY)}", FLOAT, PRODUCT)
        return self.call("$div", FLOAT, left.text, right.text)

    def _unaryop(self, node: ast.UnaryOp) -> Code:
        if isinstance(node.op, ast.Not):
            return self.condition(node)
        code = self.expression(node.operand)
        if not code.kind.is_in(kinds.NUMBERS):
            return self.unclear(node, "the operator in", code)
        kind = INT if code.kind.is_in(kinds.WHOLE) else code.kind
        if isinstance(node.op, ast.Invert):
            return self.call("$not", kind, code.text) if kind == INT else self.unclear(node, "the operator in", code)
        sign = "-" if isinstance(node.op, ast.USub) else "+"
        return Code(f"{sign}{code.at(ATOM)}", kind, UNARY)

    def _boolop(self, node: ast.BoolOp) -> Code:
        codes = [self.expression(value) for value in node.values]
        if not all(code.kind.is_in(kinds.SCALARS) for code in codes[:-1]):
            return self.unclear(node, "the choice in", *codes)
        return self._joined(node, codes, join(*(code.kind for code in codes)))

    def _joined(self, node: ast.BoolOp, codes: Sequence[Code], kind: Kind) -> Code:
        level, symbol = (AND, "&&") if isinstance(node.op, ast.And) else (OR, "||")
        return Code(f" {symbol} ".join(code.at(level) for code in codes), kind, level)

    def _ifexp(self, node: ast.IfExp) -> Code:
        test, first, second = self.condition(node.test), self.expression(node.body), self.expression(node.orelse)
        text = f"{test.at(OR)} ? {first.at(CHOICE + 1)} : {second.at(CHOICE)}"
        return Code(text, join(first.kind, second.kind), CHOICE)

    def _compare(self, node: ast.Compare) -> Code:
        operands = [node.left, *node.comparators]
        tests = [
            self._comparison(node, operator, left, right)
            for operator, left, right in zip(node.ops, operands, operands[1:], strict=False)
        ]
        if len(tests) == 1:
            return tests[0]
        return Code(" && ".join(test.at(AND) for test in tests), BOOL, AND)

    def _comparison(self, node: ast.Compare, operator: ast.cmpop, one: ast.expr, other: ast.expr) -> Code:
        if isinstance(operator, ast.In | ast.NotIn):
            found = self._membership(node, one, other)
            return found if isinstance(operator, ast.In) else Code(f"!{found.at(UNARY)}", BOOL, UNARY)
        left, right = self.rounded(one), self.rounded(other)
        if left.is_rounded and right.is_rounded:
            right = self.exact(right)
        both = join(left.kind, right.kind)
        if isinstance(operator, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
            is_equal = isinstance(operator, ast.Eq | ast.Is)
            if isinstance(operator, ast.Is | ast.IsNot) and right.kind != NONE:
                self.refuse(node, f"'is' in {shown(node)!r}")
            if (
                NONE in (left.kind, right.kind)
                or both.is_in(("int", "float"))
                or (len(both.names) == 1 and both.is_in(("str", "bool")))
            ):
                symbol = "===" if is_equal else "!=="
                return Code(f"{left.at(ORDER)} {symbol} {right.at(ORDER)}", BOOL, EQUALITY)
            equal = self.call("$equal", BOOL, self.exact(left).text, self.exact(right).text)
            return equal if is_equal else Code(f"!{equal.text}", BOOL, UNARY)
        symbol = _ORDERS[type(operator)]
        if both.is_in(kinds.NUMBERS) or both.is_only("str"):
            return Code(f"{left.at(SUM)} {symbol} {right.at(SUM)}", BOOL, ORDER)
        if both.is_only("tuple"):
            return Code(f"{self.call('$compare', INT, left.text, right.text).text} {symbol} 0", BOOL, ORDER)
        return self.unclear(node, "the comparison", left, right)

    def _membership(self, node: ast.Compare, one: ast.expr, other: ast.expr) -> Code:
        value, values = self.expression(one), self.expression(other)
        if values.kind.is_only("str") and value.kind.is_only("str"):
            return Code(f"{values.at(ATOM)}.includes({value.text})", BOOL)
        if values.kind.is_in(("set", "dict")) and value.kind.is_in(("int", "str")):
            return Code(f"{values.at(ATOM)}.has({value.text})", BOOL)
        if values.kind.is_in(kinds.SEQUENCES):
            simple = join(value.kind, values.kind.element or UNKNOWN)
            if simple.is_in(("int", "float")) or simple.is_only("str"):
                return Code(f"{values.at(ATOM)}.includes({value.text})", BOOL)
            return self.call("$in", BOOL, value.text, values.text)
        return self.unclear(node, "the test", value, values)

    # Tuples, lists, sets and dicts

    def _tuple(self, node: ast.Tuple | ast.List) -> Code:
        texts, found, element = self.listed(node.elts)
        name = "tuple" if isinstance(node, ast.Tuple) else "list"
        kind = of_type(name, element) if found is None or name == "list" else tuple_of(found)
        return Code(f"[{', '.join(texts)}]", kind)

    _list = _tuple

    def _set(self, node: ast.Set) -> Code:
        texts, _, element = self.listed(node.elts)
        return Code(f"new Set([{', '.join(texts)}])", of_type("set", self._key(node, element)))

    def _dict(self, node: ast.Dict) -> Code:
        pairs = []
        element = UNKNOWN
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                self.refuse(node, f"the dict {shown(node)!r}")
            first, second = self.expression(key), self.expression(value)
            self._key(key, first.kind)
            element = join(element, second.kind)
            pairs.append(f"[{first.text}, {second.text}]")
        return Code(f"new Map([{', '.join(pairs)}])", of_type("dict", element))

    def _key(self, node: ast.expr, kind: Kind) -> Kind:
        """Check that values can be keys of a Map."""
        if not (kind.is_in(("int",)) or kind.is_in(("str",))):
            self.unclear(node, "the keys of", Code("", kind))
        return kind

    def listed(self, nodes: Sequence[ast.expr]) -> tuple[list[str], list[Kind] | None, Kind]:
        """Translate a list of values: their texts, their kinds (None if their number is unknown), the common kind."""
        texts: list[str] = []
        found: list[Kind] | None = []
        element = UNKNOWN
        for node in nodes:
            if isinstance(node, ast.Starred):
                code = self.iterable(node.value)
                texts.append(f"...{code.at(ATOM)}")
                found = found + list(code.kind.items) if found is not None and code.kind.items is not None else None
                element = join(element, code.kind.element or UNKNOWN)
            else:
                code = self.expression(node)
                texts.append(code.text)
                found = [*found, code.kind] if found is not None else None
                element = join(element, code.kind)
        return texts, found, element

    def iterable(self, node: ast.expr) -> Code:
        """Translate what is iterated over; its kind has an element."""
        code = self.expression(node)
        return self.iterated(node, code)

    def iterated(self, node: ast.expr, code: Code) -> Code:
        """Return a value as an iterable: its kind has an element."""
        for name in code.kind.names & self.program.records.keys():
            fields = self.program.records[name].fields.values()
            return Code(code.text, Kind(frozenset(("iterator",)), tuple(fields), join(*fields)), code.level)
        if code.kind.is_only("str"):
            return Code(code.text, of_type("str", STR), code.level)
        return code if code.kind.is_in(_ITERABLES) else self.unclear(node, "iterating over", code)

    def array(self, node: ast.expr) -> Code:
        """Translate what is iterated over as an array."""
        return self._as_array(self.iterable(node))

    def _as_array(self, code: Code) -> Code:
        if code.kind.is_in(kinds.SEQUENCES):
            return code
        return Code(f"[...{code.at(ATOM)}]", Kind(frozenset(("list",)), code.kind.items, code.kind.element))

    def _subscript(self, node: ast.Subscript) -> Code:
        values = self.expression(node.value)
        index = node.slice
        items = self.iterated(node.value, values).kind.items if not values.kind.is_in(("dict", "str")) else None
        constant = index.value if isinstance(index, ast.Constant) and isinstance(index.value, int) else None
        for name in values.kind.names & self.program.records.keys():
            if constant is not None and items and 0 <= constant < len(items):
                return Code(f"{values.at(ATOM)}.{[*self.program.records[name].fields][constant]}", items[constant])
            values = Code(f"[...{values.at(ATOM)}]", Kind(frozenset(("tuple",)), items, join(*(items or ()))))
        if isinstance(index, ast.Slice):
            return self._slice(node, index, values)
        if values.kind.is_only("dict"):
            key = self.expression(index)
            self._key(index, key.kind)
            return self.call("$lookup", values.kind.element or UNKNOWN, values.text, key.text)
        element = STR if values.kind.is_only("str") else values.kind.element or UNKNOWN
        if not values.kind.is_in((*kinds.SEQUENCES, "str")):
            return self.unclear(node, "the entry", values)
        if constant is not None and items and -len(items) <= constant < len(items):
            if constant >= 0:
                return Code(f"{values.at(ATOM)}[{constant}]", items[constant])
            element = items[constant]
        return self.call("$at", element, values.text, self.rounded(index).text)

    def _slice(self, node: ast.expr, index: ast.Slice, values: Code) -> Code:
        bounds = [self.expression(bound).text if bound else None for bound in (index.lower, index.upper)]
        if index.step is not None or not values.kind.is_in((*kinds.SEQUENCES, "str")):
            return (
                self.unclear(node, "the slice", values)
                if index.step is None
                else self.refuse(node, "a slice with a step")
            )
        texts = [bounds[0] or "0", *([bounds[1]] if bounds[1] else [])]
        items = None
        constants = [getattr(bound, "value", None) for bound in (index.lower, index.upper)]
        is_constant = all(bound is None or isinstance(bound, ast.Constant) for bound in (index.lower, index.upper))
        if values.kind.items is not None and is_constant:
            items = values.kind.items[slice(*constants)]
        kind = Kind(values.kind.names, items, join(*items) if items is not None else values.kind.element)
        return Code(f"{values.at(ATOM)}.slice({', '.join(texts)})", kind)

    # Texts

    def _joinedstr(self, node: ast.JoinedStr) -> Code:
        parts = []
        for value in node.values:
            if isinstance(value, ast.Constant):
                parts.append(literal(value.value)[1:-1].replace('\\"', '"').replace("`", "\\`").replace("${", "\\${"))
            elif isinstance(value, ast.FormattedValue):
                if value.format_spec is not None or value.conversion != -1:
                    self.refuse(value, f"the format in {shown(node)!r}")
                parts.append(f"${{{self.text_of(value.value, bare=True).text}}}")
        return Code(f"`{''.join(parts)}`", STR)

    def text_of(self, node: ast.expr, bare: bool = False) -> Code:
        """Translate `str` of an expression; `bare` where a template does the rest."""
        code = self.expression(node)
        if code.kind.is_in(("int", "str")) and len(code.kind.names) == 1:
            return code if bare or code.kind == STR else Code(f"String({code.text})", STR)
        if code.kind.is_only("float"):
            return self.call("$float", STR, code.text)
        if code.kind.is_in(("int", "bool", "none", "str")):
            return self.call("$str", STR, code.text)
        return self.unclear(node, "the text of", code)

    # Comprehensions

    def _listcomp(self, node: ast.ListComp | ast.GeneratorExp) -> Code:
        return self._mapped(node, node.elt, node.generators)

    _generatorexp = _listcomp

    def _setcomp(self, node: ast.SetComp) -> Code:
        code = self._mapped(node, node.elt, node.generators)
        self._key(node, code.kind.element or UNKNOWN)
        return Code(f"new Set({code.text})", of_type("set", code.kind.element))

    def _dictcomp(self, node: ast.DictComp) -> Code:
        pair = ast.copy_location(ast.Tuple([node.key, node.value], ast.Load()), node)
        code = self._mapped(node, pair, node.generators)
        key, value = (code.kind.element and code.kind.element.items) or (UNKNOWN, UNKNOWN)
        self._key(node.key, key)
        return Code(f"new Map({code.text})", of_type("dict", value))

    def _mapped(self, node: ast.expr, element: ast.expr, loops: Sequence[ast.comprehension]) -> Code:
        """Translate a comprehension as calls of `filter`, `map` and `flatMap`."""
        loop, *inner = loops
        values, parameter = self._bound(loop)
        text = values.at(ATOM)
        if loop.ifs:
            text += f".filter(({parameter}) => {self._all(loop.ifs).at(CHOICE)})"
        if inner:
            code = self._mapped(node, element, inner)
            text, kind = f"{text}.flatMap(({parameter}) => {code.at(CHOICE)})", code.kind.element or UNKNOWN
        else:
            code = self.expression(element)
            kind = code.kind
            if code.text != parameter:
                text += f".map(({parameter}) => {code.at(CHOICE)})"
        self._inner.pop()
        return Code(text, of_type("list", kind))

    def _all(self, conditions: Sequence[ast.expr]) -> Code:
        return self.condition(ast.BoolOp(ast.And(), list(conditions)) if len(conditions) > 1 else conditions[0])

    def _bound(self, loop: ast.comprehension) -> tuple[Code, str]:
        """Translate what a comprehension iterates over, and its variables, which are known until `_inner` is popped."""
        values = self.array(loop.iter)
        variables: dict[str, Kind] = {}
        self._inner.append(variables)
        return values, self._pattern(loop.target, values.kind.element or UNKNOWN, variables)

    def _pattern(self, target: ast.expr, kind: Kind, variables: dict[str, Kind]) -> str:
        if isinstance(target, ast.Name):
            variables[target.id] = kind
            return free_name(target.id)
        if isinstance(target, ast.Tuple):
            items = kind.items or (kind.element or UNKNOWN,) * len(target.elts)
            parts = [self._pattern(each, item, variables) for each, item in zip(target.elts, items, strict=False)]
            return f"[{', '.join(parts)}]"
        return self.refuse(target, f"the target {shown(target)!r}")

    # Calls

    def _call(self, node: ast.Call) -> Code:
        value = source.resolve(node.func, self.function.function, self._local)
        record = self._record(node.func)
        if record:
            arguments = self._arguments(node, list(record.fields), record.is_state)
            record.learn(self._passed(node, list(record.fields)))
            return Code(f"new {record.name}({', '.join(arguments)})", of_type(record.name))
        if isinstance(value, FunctionType):
            return self._own(node, value)
        if value in _LIBRARY:
            return self.call(_LIBRARY[value], INT, *(self.expression(each).text for each in node.args))
        if isinstance(node.func, ast.Attribute) and value is source.UNRESOLVED:
            return self._method(node, node.func)
        builtin: Callable[[ast.Call], Code] | None = getattr(self, f"_call_{getattr(value, '__name__', '')}", None)
        if builtin is None or value not in _BUILT_IN or (node.keywords and value not in (zip, sorted)):
            self.refuse(node, f"the call {shown(node)!r}")
        return builtin(node)

    def _arguments(self, node: ast.Call, parameters: Sequence[str], checked: bool) -> list[str]:
        """Translate the arguments of a call, keyword arguments in the places of their parameters."""
        read = self.rounded if checked else self.expression
        texts = self.listed(node.args)[0] if any(isinstance(each, ast.Starred) for each in node.args) else None
        texts = [read(each).text for each in node.args] if texts is None else texts
        given = {keyword.arg: read(keyword.value).text for keyword in node.keywords}
        if None in given or given.keys() - set(parameters):
            self.refuse(node, f"the call {shown(node)!r}")
        last = max((parameters.index(str(name)) for name in given), default=-1)
        return texts + [given.get(name, "undefined") for name in parameters[len(texts) : last + 1]]

    def _passed(self, node: ast.Call, parameters: Sequence[str]) -> dict[str, Kind]:
        """Return the kinds of the arguments of a call, by parameter."""
        _, found, element = self.listed(node.args)
        passed = dict(zip(parameters, [element] * len(parameters) if found is None else found, strict=False))
        return passed | {str(each.arg): self.expression(each.value).kind for each in node.keywords}

    def _own(self, node: ast.Call, value: FunctionType) -> Code:
        called = self.program.add(value)
        parameters = list(called.parameters)
        arguments = self._arguments(node, parameters, False)
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
        if owner.kind.is_only("list") and name == "append":
            return Code(f"{text}.push({', '.join(arguments)})", NONE)
        return self.refuse(node, f"the call {shown(node)!r}")

    def _call_range(self, node: ast.Call) -> Code:
        texts = [self.expression(each).text for each in node.args]
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
        if code.kind.is_only("int"):
            return code
        if code.kind.is_in(kinds.WHOLE):
            return Code(f"Number({code.text})", INT)
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
        kind = INT if code.kind.is_in(kinds.WHOLE) else code.kind
        return Code(f"Math.abs({code.text})", kind, is_rounded=code.is_rounded)

    def _call_divmod(self, node: ast.Call) -> Code:
        one, other = node.args
        quotient, rest = (
            self.operation(node, operator, self.expression(one), self.expression(other))
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
            return self.call("$sum", INT, *texts)
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
        return Code(text, Kind(frozenset((name,)), code.kind.items if name == "tuple" else None, code.kind.element))

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
_TEXT_METHODS: dict[str, tuple[str, tuple[int, ...], Kind]] = {
    "upper": ("toUpperCase", (0,), STR),
    "lower": ("toLowerCase", (0,), STR),
    "strip": ("trim", (0,), STR),
    "startswith": ("startsWith", (1,), BOOL),
    "endswith": ("endsWith", (1,), BOOL),
    "ljust": ("padEnd", (1, 2), STR),
    "rjust": ("padStart", (1, 2), STR),
    "replace": ("replaceAll", (2,), STR),
}


def shown(node: ast.AST) -> str:
    """Return the source of a construct on one line, shortened."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else f"{text[:60]}…"
