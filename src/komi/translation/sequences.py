"""Tuples, lists, sets, dicts, texts and comprehensions of rule files in JavaScript.

Tuples and lists are arrays, a set is a Set, and a dict is a Map; keys are whole numbers or texts.
"""

import ast
from collections.abc import Sequence

from komi.translation import kinds
from komi.translation.code import ATOM, CHOICE, Code, literal
from komi.translation.expressions import Expressions, shown
from komi.translation.kinds import STR, UNKNOWN, ValueKind, join, of_type, tuple_of
from komi.translation.names import free_name

_ITERABLES = (*kinds.SEQUENCES, "set", "str", "iterator")


class Sequences(Expressions):
    """Translates what holds several values."""

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

    def _key(self, node: ast.expr, kind: ValueKind) -> ValueKind:
        """Check that values can be keys of a Map."""
        if not (kind.is_in(("int", "wide")) or kind.is_in(("str",))):
            self.unclear(node, "the keys of", Code("", kind))
        return kind

    def listed(self, nodes: Sequence[ast.expr]) -> tuple[list[str], list[ValueKind] | None, ValueKind]:
        """Translate a list of values: their texts, their kinds (None if their number is unknown), the common kind."""
        texts: list[str] = []
        found: list[ValueKind] | None = []
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
            return Code(code.text, ValueKind(frozenset(("iterator",)), tuple(fields), join(*fields)), code.level)
        if code.kind.is_only("str"):
            return Code(code.text, of_type("str", STR), code.level)
        return code if code.kind.is_in(_ITERABLES) else self.unclear(node, "iterating over", code)

    def array(self, node: ast.expr) -> Code:
        """Translate what is iterated over as an array."""
        return self._as_array(self.iterable(node))

    def _as_array(self, code: Code) -> Code:
        if code.kind.is_in(kinds.SEQUENCES):
            return code
        return Code(f"[...{code.at(ATOM)}]", ValueKind(frozenset(("list",)), code.kind.items, code.kind.element))

    def _subscript(self, node: ast.Subscript) -> Code:
        values = self.expression(node.value)
        index = node.slice
        items = self.iterated(node.value, values).kind.items if not values.kind.is_in(("dict", "str")) else None
        constant = index.value if isinstance(index, ast.Constant) and isinstance(index.value, int) else None
        for name in values.kind.names & self.program.records.keys():
            if constant is not None and items and 0 <= constant < len(items):
                return Code(f"{values.at(ATOM)}.{[*self.program.records[name].fields][constant]}", items[constant])
            values = Code(f"[...{values.at(ATOM)}]", ValueKind(frozenset(("tuple",)), items, join(*(items or ()))))
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
        return self.call("$at", element, values.text, self.narrow(self.rounded(index)).text)

    def _slice(self, node: ast.expr, index: ast.Slice, values: Code) -> Code:
        bounds = [self.narrow(self.expression(bound)).text if bound else None for bound in (index.lower, index.upper)]
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
        kind = ValueKind(values.kind.names, items, join(*items) if items is not None else values.kind.element)
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
        if code.kind.is_in(("int", "wide", "str")) and len(code.kind.names) == 1:
            return code if bare or code.kind == STR else Code(f"String({code.text})", STR)
        if code.kind.is_only("float"):
            return self.call("$float", STR, code.text)
        if code.kind.is_in((*kinds.WHOLE, "none", "str")):
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
        variables: dict[str, ValueKind] = {}
        self._inner.append(variables)
        return values, self._pattern(loop.target, values.kind.element or UNKNOWN, variables)

    def _pattern(self, target: ast.expr, kind: ValueKind, variables: dict[str, ValueKind]) -> str:
        if isinstance(target, ast.Name):
            variables[target.id] = kind
            return free_name(target.id)
        if isinstance(target, ast.Tuple):
            items = kind.items or (kind.element or UNKNOWN,) * len(target.elts)
            parts = [self._pattern(each, item, variables) for each, item in zip(target.elts, items, strict=False)]
            return f"[{', '.join(parts)}]"
        return self.refuse(target, f"the target {shown(target)!r}")
