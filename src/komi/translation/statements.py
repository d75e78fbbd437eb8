"""Functions of rule files in JavaScript: statements, and where their variables are declared."""

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from komi.translation import kinds
from komi.translation.calls import Calls
from komi.translation.code import ATOM, SUM, Code
from komi.translation.expressions import shown
from komi.translation.kinds import INT, NONE, UNKNOWN, ValueKind, join
from komi.translation.program import Function, Program

Block = Sequence[ast.stmt]


class Statements(Calls):
    """Translates a function."""

    def __init__(self, program: Program, function: Function, is_final: bool) -> None:
        super().__init__(program, function, is_final)
        nodes = [node for node in ast.walk(function.definition) if isinstance(node, ast.Name)]
        self._stores = Counter(node.id for node in nodes if isinstance(node.ctx, ast.Store))
        self._loads = Counter(node.id for node in nodes if isinstance(node.ctx, ast.Load))
        self._homes: dict[str, ast.AST | Block] = {}  # where each variable is declared: in a block, or by a loop
        self._undeclared: set[str] = set()
        for name, kind in function.parameters.items():
            self.learn(name, kind)

    def body(self) -> list[str]:
        """Translate the body of the function, a line each."""
        body = self.function.definition.body
        for name in self.function.local - self.function.parameters.keys():
            self._homes[name] = self._home(name, body, body, in_loop=False)
            self._undeclared.add(name)
        if not self.function.is_generator and _falls_through(body):
            self._returns(NONE)
            return [*self._block(body), "return null;"]
        return list(self._block(body))

    def _returns(self, kind: ValueKind) -> None:
        self.function.result = join(self.function.result, kind)

    # Declarations

    def _home(self, name: str, block: Block, outermost: Block, in_loop: bool) -> "ast.AST | Block":
        """Return the innermost block, or loop, that contains all that is done with a variable."""
        places = [statement for statement in block if _mentions(name, statement)]
        first = places[0]
        if len(places) == 1 and not isinstance(first, _SIMPLE):
            is_loop = isinstance(first, ast.For | ast.While)
            inner = [each for each in _blocks(first) if any(_mentions(name, statement) for statement in each)]
            header = [getattr(first, field) for field in ("test", "iter") if hasattr(first, field)]
            if not any(_mentions(name, each) for each in header):
                if isinstance(first, ast.For) and _mentions(name, first.target):
                    return first
                if len(inner) == 1:
                    return self._home(name, inner[0], outermost, in_loop or is_loop)
        return outermost if in_loop and name not in _assigned(first) else block

    def _block(self, block: Block) -> Iterator[str]:
        for statement in block:
            for name in sorted(name for name in self._undeclared if self._homes[name] is block):
                if _mentions(name, statement) and name not in _assigned(statement):
                    self._undeclared.discard(name)
                    yield f"let {self.name_of(name)};"
            if isinstance(statement, ast.Break | ast.Continue | ast.Pass):
                yield from () if isinstance(statement, ast.Pass) else [f"{ast.unparse(statement)};"]
                continue
            visit = getattr(self, f"_do_{type(statement).__name__.lower()}", None)
            if visit is None:
                self.refuse(statement, f"the statement {shown(statement)!r}")
            yield from visit(statement)

    def _declare(self, names: Sequence[str]) -> str:
        """Return the keyword before an assignment to these variables, if it declares all of them."""
        if not names or not self._undeclared.issuperset(names):
            return ""
        self._undeclared.difference_update(names)
        return "const " if all(self._stores[name] == 1 for name in names) else "let "

    # Simple statements

    def _do_expr(self, node: ast.Expr) -> Iterator[str]:
        value = node.value
        if isinstance(value, ast.Constant):  # a docstring
            return
        if isinstance(value, ast.Yield):
            code = self.expression(value.value) if value.value else Code("null", NONE)
            self._returns(code.kind)
            yield f"yield {code.text};"
        elif isinstance(value, ast.YieldFrom):
            code = self.iterable(value.value)
            self._returns(code.kind.element or UNKNOWN)
            yield f"yield* {code.text};"
        else:
            yield f"{self.expression(value).text};"

    def _do_return(self, node: ast.Return) -> Iterator[str]:
        if self.function.is_generator:
            yield "return;"
            return
        code = self.expression(node.value) if node.value else Code("null", NONE)
        self._returns(code.kind)
        yield f"return {code.text};"

    def _do_raise(self, node: ast.Raise) -> Iterator[str]:
        error = node.exc
        if not isinstance(error, ast.Call) or len(error.args) != 1 or node.cause:
            self.refuse(node, f"the statement {shown(node)!r}")
        yield f"throw new Error({self.text_of(error.args[0]).text});"

    def _do_assert(self, node: ast.Assert) -> Iterator[str]:
        yield f'if (!({self.condition(node.test).text})) throw new Error("an assertion failed");'

    # Assignments

    def _do_assign(self, node: ast.Assign) -> Iterator[str]:
        if len(node.targets) > 1 and not isinstance(node.value, ast.Constant | ast.Name):
            self.refuse(node, f"the statement {shown(node)!r}")
        for target in node.targets:
            yield from self._assign(target, node.value)

    def _do_annassign(self, node: ast.AnnAssign) -> Iterator[str]:
        if node.value:
            yield from self._assign(node.target, node.value)

    def _do_augassign(self, node: ast.AugAssign) -> Iterator[str]:
        read = ast.copy_location(_loaded(node.target), node)
        left, right = self.rounded(read), self.rounded(node.value)
        if left.kind.is_only("list") and isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name):
            added = self.iterable(node.value)
            self.learn(node.target.id, kinds.of_type("list", added.kind.element))
            yield f"{left.text}.push(...{added.at(ATOM)});"
            return
        code = self.exact(self.operation(ast.BinOp(read, node.op, node.value), type(node.op), left, right))
        yield from self._store(node.target, code)

    def _assign(self, target: ast.expr, value: ast.expr) -> Iterator[str]:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            names = {each.id for each in target.elts if isinstance(each, ast.Name)}
            parts = [*target.elts, *value.elts]
            is_plain = len(names) == len(target.elts) and not any(isinstance(each, ast.Starred) for each in parts)
            if is_plain and not any(_mentions(name, value) for name in names):
                for one, other in zip(target.elts, value.elts, strict=True):
                    yield from self._assign(one, other)
                return
        yield from self._store(target, self.expression(value))

    def _store(self, target: ast.expr, code: Code) -> Iterator[str]:
        if isinstance(target, ast.Name):
            self.learn(target.id, code.kind)
            keyword, kind = self._declare([target.id]), self.function.variables[target.id]
            text = code.text
            if keyword == "let " and "wide" in kind.names and code.kind == INT:
                text = f"/** @type {{number | bigint}} */ ({text})"
            yield f"{keyword}{self.name_of(target.id)} = {text};"
        elif isinstance(target, ast.Tuple):
            yield from self._unpack(target, code)
        elif isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
            values, index = self.expression(target.value), self.narrow(self.rounded(target.slice))
            if not (values.kind.is_only("list") and isinstance(target.value, ast.Name)):
                self.unclear(target, "the change of", values)
            element = join(values.kind.element or UNKNOWN, code.kind)
            if isinstance(target.value, ast.Name):
                self.learn(target.value.id, kinds.of_type("list", element))
            yield f"{self.call('$set', NONE, values.text, index.text, code.text).text};"
        else:
            self.refuse(target, f"the target {shown(target)!r}")

    def _unpack(self, target: ast.Tuple, code: Code) -> Iterator[str]:
        names = [each.id for each in target.elts if isinstance(each, ast.Name)]
        used = [name for name in names if self._loads[name] or name in self.function.parameters]
        record = next((self.program.records[name] for name in code.kind.names if name in self.program.records), None)
        if record and len(names) == len(target.elts) and self._undeclared.issuperset(used):
            pairs = [
                name if self.name_of(name) == name == field else f"{field}: {self.name_of(name)}"
                for name, field in zip(names, record.fields, strict=False)
                if name in used
            ]
            for name, kind in zip(names, record.fields.values(), strict=False):
                self.learn(name, kind)
            yield f"{self._declare(used)}{{ {', '.join(pairs)} }} = {code.text};"
            return
        pattern = self._targets(target, self.iterated(target, code).kind)
        names = [node.id for node in ast.walk(target) if isinstance(node, ast.Name) and self._is_used(node.id)]
        fresh = self._declare(names)
        for name in () if fresh else sorted(self._undeclared.intersection(names)):
            self._undeclared.discard(name)
            yield f"let {self.name_of(name)};"
        yield f"{fresh}{pattern} = {code.text};"

    def _is_used(self, name: str) -> bool:
        return bool(self._loads[name]) or name in self.function.parameters

    def _targets(self, target: ast.expr, kind: ValueKind) -> str:
        """Return the pattern of a target, and note the kinds of its variables; what is never read is left out."""
        if isinstance(target, ast.Name):
            self.learn(target.id, kind)
            return self.name_of(target.id) if self._is_used(target.id) else ""
        if not isinstance(target, ast.Tuple) or any(isinstance(each, ast.Starred) for each in target.elts):
            self.refuse(target, f"the target {shown(target)!r}")
        items = kind.items or (kind.element or UNKNOWN,) * len(target.elts)
        return f"[{', '.join(self._targets(each, item) for each, item in zip(target.elts, items, strict=False))}]"

    # Compound statements

    def _do_if(self, node: ast.If) -> Iterator[str]:
        yield f"if ({self.condition(node.test).text}) {{"
        yield from self._indented(node.body)
        while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) and not self._is_declared_in(node.orelse):
            node = node.orelse[0]
            yield f"}} else if ({self.condition(node.test).text}) {{"
            yield from self._indented(node.body)
        if node.orelse:
            yield "} else {"
            yield from self._indented(node.orelse)
        yield "}"

    def _is_declared_in(self, block: Block) -> bool:
        return any(self._homes[name] is block for name in self._undeclared)

    def _do_while(self, node: ast.While) -> Iterator[str]:
        if node.orelse:
            self.refuse(node, "a loop with 'else'")
        yield f"while ({self.condition(node.test).text}) {{"
        yield from self._indented(node.body)
        yield "}"

    def _do_for(self, node: ast.For) -> Iterator[str]:
        if node.orelse:
            self.refuse(node, "a loop with 'else'")
        yield f"for ({self._counted(node) or self._iterated(node)}) {{"
        yield from self._indented(node.body)
        yield "}"

    def _counted(self, node: ast.For) -> str | None:
        """Return the head of a loop over a range that is as well a loop of JavaScript; None if it is not."""
        call, target = node.iter, node.target
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"):
            return None
        step = call.args[2] if len(call.args) == 3 else ast.Constant(1)
        by = _integer(step)
        if not (
            by and isinstance(target, ast.Name) and self._homes[target.id] is node and self._stores[target.id] == 1
        ):
            return None
        end = call.args[0] if len(call.args) == 1 else call.args[1]
        stored = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        if any(isinstance(each, ast.Call) or getattr(each, "id", None) in stored for each in ast.walk(end)):
            return None
        self._undeclared.discard(target.id)
        self.learn(target.id, INT)
        start = self.narrow(self.expression(call.args[0])) if len(call.args) > 1 else Code("0", INT)
        name, limit = self.name_of(target.id), self.narrow(self.rounded(end)).at(SUM)
        following = {1: f"{name}++", -1: f"{name}--"}.get(by, f"{name} += {by}" if by > 0 else f"{name} -= {-by}")
        return f"let {name} = {start.text}; {name} {'<' if by > 0 else '>'} {limit}; {following}"

    def _iterated(self, node: ast.For) -> str:
        values = self.iterable(node.iter)
        names = [each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)]
        own = all(self._homes.get(name) is node for name in names)
        pattern = self._targets(node.target, values.kind.element or UNKNOWN)
        keyword = "const " if all(self._stores[name] == 1 for name in names) else "let "
        if own:
            self._undeclared.difference_update(names)
            if isinstance(node.target, ast.Name) and not pattern:  # a loop that repeats
                pattern = self.name_of(node.target.id)
        elif isinstance(node.target, ast.Name):
            pattern, keyword = self.name_of(node.target.id), ""
        else:
            self.refuse(node, f"the use of a variable of the loop {shown(node.target)!r} outside it")
        return f"{keyword}{pattern} of {values.text}"

    def _indented(self, block: Block) -> Iterator[str]:
        for line in self._block(block):
            yield f"  {line}"


_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.Raise, ast.Assert, ast.Pass)


def _mentions(name: str, node: ast.AST) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def _assigned(statement: ast.stmt) -> set[str]:
    """Return the variables that an assignment sets without reading them."""
    if isinstance(statement, ast.Assign):
        targets, value = statement.targets, statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value:
        targets, value = [statement.target], statement.value
    else:
        return set()
    stored = chain.from_iterable(map(ast.walk, targets))
    names = {each.id for each in stored if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return {name for name in names if not _mentions(name, value)}


def _blocks(statement: ast.stmt) -> list[Block]:
    return [block for field in ("body", "orelse") if (block := getattr(statement, field, None))]


def _falls_through(block: Block) -> bool:
    """Return whether the end of a block can be reached."""
    last = block[-1]
    if isinstance(last, ast.If):
        return not last.orelse or _falls_through(last.body) or _falls_through(last.orelse)
    return not isinstance(last, ast.Return | ast.Raise)


def _integer(node: ast.expr) -> int | None:
    """Return the value of an integer that is written out, with its sign."""
    sign = -1 if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else 1
    value = node.operand if isinstance(node, ast.UnaryOp) else node
    return sign * value.value if isinstance(value, ast.Constant) and isinstance(value.value, int) else None


def _loaded(target: ast.expr) -> ast.expr:
    """Return the expression that reads a target."""
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Subscript):
        return ast.Subscript(target.value, target.slice, ast.Load())
    return target
