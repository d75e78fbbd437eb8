"""Expressions of rule files in JavaScript.

Python's operators depend on the types of their operands, so each expression is translated together with its kind. Where
JavaScript's operator does the same, it is used; elsewhere a function of `runtime.js`, whose name begins with `$`. Whole
numbers are exact. In rules without a number beyond 2**53 one raises an error: sums and products are checked by `$int`,
unless what they go into checks them. In other rules a shift, and what is computed from it, is *wide*: a number up to
2**53, and a bigint beyond. It is computed as a bigint, which `$wide` makes a number again where it fits.
"""

import ast
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any, NoReturn

from komi.rules import source
from komi.translation import kinds
from komi.translation.code import (
    AND,
    ATOM,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    CHOICE,
    EQUALITY,
    OR,
    ORDER,
    PRODUCT,
    SHIFT,
    SUM,
    UNARY,
    Code,
    constant,
)
from komi.translation.kinds import BOOL, FLOAT, INT, MAX_EXACT, NONE, STR, UNKNOWN, WIDE, ValueKind, join, of_type
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
_LOGIC = {"&": (AND, "&&"), "|": (OR, "||"), "^": (ORDER, "!==")}  # of truth values
_BITS = {"&": "$and", "|": "$or", "^": "$xor", "<<": "$shl", ">>": "$shr"}
_WIDE = dict.fromkeys("+-", SUM) | {"*": PRODUCT, "**": PRODUCT, "<<": SHIFT, ">>": SHIFT}
_WIDE |= {"&": BIT_AND, "|": BIT_OR, "^": BIT_XOR}
_WIDE_CALLS = {"//": "$bigFloordiv", "%": "$bigMod"}
_ORDERS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


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
        self._inner: list[dict[str, ValueKind]] = []  # the variables of the comprehensions around an expression

    def refuse(self, node: ast.AST, what: str) -> NoReturn:
        """Raise the error that a construct has no translation."""
        line = getattr(node, "lineno", self.function.definition.lineno)
        raise TranslationError(f"{self.function.file}, line {line}: {what} cannot be translated to JavaScript.")

    def name_of(self, variable: str) -> str:
        """Return the name of a variable or a parameter in JavaScript."""
        return free_name(variable, self._local - {variable})

    def learn(self, name: str, kind: ValueKind) -> None:
        """Note the kind of a value that a variable has."""
        self.function.variables[name] = join(self.function.variables.get(name, UNKNOWN), kind)

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
        return self.call("$wide" if code.is_bigint else "$int", code.kind, code.text) if code.is_rounded else code

    def narrow(self, code: Code) -> Code:
        """Return a number where JavaScript needs one: wide numbers beyond 2**53 are refused."""
        return self.call("$int", INT, f"Number({code.text})") if "wide" in code.kind.names else code

    def bigint(self, code: Code) -> Code:
        """Return a whole number as a bigint."""
        if code.is_bigint:
            return code
        if code.text.removeprefix("-").isdigit():
            return Code(f"{code.text}n", WIDE, code.level, is_bigint=True)
        return Code(f"BigInt({self.exact(code).text})", WIDE, is_bigint=True)

    def call(self, name: str, kind: ValueKind, *arguments: str) -> Code:
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

    def fitted(self, code: Code, kind: ValueKind) -> str:
        """Return an argument for a parameter of a kind, with a cast if TypeScript would refuse it."""
        if kind.is_unknown or join(kind, code.kind).names == kind.names:
            return code.text
        return f"/** @type {{any}} */ ({code.text})"

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
            code = constant(value)
        except ValueError as error:
            self.refuse(node, f"{shown(node)!r} ({error})")
        self.program.is_wide |= code.kind.is_wide
        return code

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
        is_wide = both.is_wide or (self.program.is_wide and symbol in ("<<", "**"))
        if both.is_in(kinds.WHOLE) and is_wide and symbol != "/":
            return self._of_wide(symbol, left, right)
        if both.is_in(kinds.WHOLE) and symbol in _BITS:
            if symbol in _LOGIC and both == BOOL:
                level, logic = _LOGIC[symbol]
                return Code(f"{left.at(level)} {logic} {right.at(level)}", BOOL, level)
            left, right = left.number, right.number
            return self.call(_BITS[symbol], INT, left.text, right.text)
        left, right = self.exact(left), self.exact(right)
        if both.is_in(kinds.NUMBERS):
            return self._of_numbers(node, symbol, left, right)
        if symbol == "+" and both.is_only("str"):
            return Code(f"{left.at(SUM)} + {right.at(PRODUCT)}", STR, SUM)
        if symbol == "+" and both.is_in(kinds.SEQUENCES):
            items = left.kind.items and right.kind.items and left.kind.items + right.kind.items
            kind = ValueKind(
                both.names, items or None, join(left.kind.element or UNKNOWN, right.kind.element or UNKNOWN)
            )
            return Code(f"[...{left.at(ATOM)}, ...{right.at(ATOM)}]", kind)
        if symbol == "*" and left.kind.is_in((*kinds.SEQUENCES, "str")) and right.kind.is_in(kinds.WHOLE):
            return self.call(
                "$repeat", ValueKind(left.kind.names, None, left.kind.element), left.text, right.number.text
            )
        if symbol == "|" and both.is_only("dict"):
            return Code(f"new Map([...{left.at(ATOM)}, ...{right.at(ATOM)}])", both)
        return self.unclear(node, f"the operator {symbol} in", left, right)

    def _of_wide(self, symbol: str, left: Code, right: Code) -> Code:
        """Translate an operator of whole numbers that can be beyond 2**53."""
        is_shift = symbol in ("<<", ">>") and not right.text.isdigit()
        left = self.bigint(left)
        right = self.call("$shift", WIDE, self.exact(right).number.text) if is_shift else self.bigint(right)
        if symbol in _WIDE_CALLS:
            code = self.call(_WIDE_CALLS[symbol], WIDE, left.text, right.text)
            return replace(code, is_rounded=True, is_bigint=True)
        level = _WIDE[symbol]
        sides = (left.at(ATOM), right.at(ATOM)) if symbol == "**" else (left.at(level), right.at(level + 1))
        return Code(f" {symbol} ".join(sides), WIDE, level, is_rounded=True, is_bigint=True)

    def _of_numbers(self, node: ast.expr, symbol: str, left: Code, right: Code) -> Code:
        """Translate an operator of exact numbers."""
        if FLOAT in (left.kind, right.kind):
            left, right = (
                Code(f"Number({code.text})", FLOAT) if "wide" in code.kind.names else code for code in (left, right)
            )
        elif not join(left.kind, right.kind).is_in(kinds.WHOLE) and join(left.kind, right.kind).is_wide:
            return self.unclear(node, f"the operator {symbol} in", left, right)
        left, right = self.narrow(left).number, self.narrow(right).number
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
        code = self.rounded(node.operand)
        if code.kind.is_in(kinds.WHOLE) and code.kind.is_wide:
            sign = {ast.USub: "-", ast.Invert: "~"}.get(type(node.op))
            text = f"{sign}{self.bigint(code).at(ATOM)}"
            return Code(text, WIDE, UNARY, is_rounded=True, is_bigint=True) if sign else code
        code = self.exact(code).number
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

    def _joined(self, node: ast.BoolOp, codes: Sequence[Code], kind: ValueKind) -> Code:
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
        both = join(left.kind, right.kind)
        if both.is_wide:
            left = self.exact(left)
        if both.is_wide or (left.is_rounded and right.is_rounded):
            right = self.exact(right)
        if isinstance(operator, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
            is_equal = isinstance(operator, ast.Eq | ast.Is)
            if isinstance(operator, ast.Is | ast.IsNot) and right.kind != NONE:
                self.refuse(node, f"'is' in {shown(node)!r}")
            if (
                NONE in (left.kind, right.kind)
                or both.is_in(kinds.ORDERED)
                or (len(both.names) == 1 and both.is_in(("str", "bool")))
            ):
                symbol = "===" if is_equal else "!=="
                return Code(f"{left.at(ORDER)} {symbol} {right.at(ORDER)}", BOOL, EQUALITY)
            equal = self.call("$equal", BOOL, self.exact(left).text, self.exact(right).text)
            return equal if is_equal else Code(f"!{equal.text}", BOOL, UNARY)
        symbol = _ORDERS[type(operator)]
        if both.is_in(kinds.NUMBERS) or both.is_only("str"):
            return Code(f"{left.number.at(SHIFT)} {symbol} {right.number.at(SHIFT)}", BOOL, ORDER)
        if both.is_only("tuple"):
            return Code(f"{self.call('$compare', INT, left.text, right.text).text} {symbol} 0", BOOL, ORDER)
        return self.unclear(node, "the comparison", left, right)

    def _membership(self, node: ast.Compare, one: ast.expr, other: ast.expr) -> Code:
        value, values = self.expression(one), self.expression(other)
        if values.kind.is_only("str") and value.kind.is_only("str"):
            return Code(f"{values.at(ATOM)}.includes({value.text})", BOOL)
        if values.kind.is_in(("set", "dict")) and value.kind.is_in(("int", "wide", "str")):
            return Code(f"{values.at(ATOM)}.has({value.text})", BOOL)
        if values.kind.is_in(kinds.SEQUENCES):
            simple = join(value.kind, values.kind.element or UNKNOWN)
            if simple.is_in(kinds.ORDERED) or simple.is_only("str"):
                return Code(f"{values.at(ATOM)}.includes({value.text})", BOOL)
            return self.call("$in", BOOL, value.text, values.text)
        return self.unclear(node, "the test", value, values)


def shown(node: ast.AST) -> str:
    """Return the source of a construct on one line, shortened."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else f"{text[:60]}…"
