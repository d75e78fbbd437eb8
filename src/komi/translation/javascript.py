"""The rules of a game as one module of JavaScript, which reads like the rule file.

Functions keep their names, and generators stay generators. `Rules` and `State` become classes of records, whose fields
can also be iterated over; other tuples become arrays. Nothing in the module changes a record. Only the rules are
frozen: freezing each state takes nearly as long as the rest of a step.
"""

import ast
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from inspect import cleandoc
from types import FunctionType

from komi.rules import source, vocabulary
from komi.rules.game import Game
from komi.rules.loading import digest_of_files
from komi.rules.tuple_fields import author_of
from komi.translation.code import literal
from komi.translation.kinds import UNKNOWN, ValueKind
from komi.translation.names import free_name
from komi.translation.program import Function, Program, Record, TranslationError
from komi.translation.statements import Statements
from komi.typing import Rules

MAX_PASSES = 50  # of inference, until no kind changes


def translate(game: Game, rules: Rules, about: str, policies: Sequence[FunctionType] = ()) -> str:
    """Translate the rules of a game to a module of JavaScript.

    Args:
        game: the game.
        rules: the rules, which the module offers as `RULES`.
        about: the comment at the head of the module.
        policies: functions of its file that the module offers as `policies`; see `Program`.

    Raises:
        TranslationError: if the rule file uses a construct that has no translation.
    """
    try:
        program = Program(game.module, rules, policies)
    except ValueError as error:
        raise TranslationError(f"{game.file.name}: a part of the rules has no translation: {error}.") from None
    bodies = _infer(program)
    exported = {name: own for own, name in program.parts.items()}
    digest = digest_of_files(game.file, source.files(author_of(game.module)))
    constants = [
        f"{'/** @type {any[]} */ ' if code.text == '[]' else ''}{_export(name, exported)}const {name} = {code.text};"
        for name, code in program.constants.items()
    ]
    sections = [
        "\n".join(f"// {line}".rstrip() for line in about.splitlines()),
        *(_class(game, record) for record in program.records.values()),
        "\n".join([f"export const RULES = {literal(rules)};", f'export const hash = "{digest}";']),
        "\n".join(constants),
        *(_function(function, bodies[function], exported) for function in program.ordered()),
        *[f"export {{ {own} as {part} }};" for part, own in program.parts.items() if part != own],
        f"export const policies = {{ {', '.join(f'{each.__name__}: {program.add(each).name}' for each in policies)} }};"
        if policies
        else "",
        _runtime(program),
    ]
    return "\n\n".join(filter(None, sections))


def _infer(program: Program) -> dict[Function, list[str]]:
    """Translate the body of each function, again and again until the kinds of all values are known."""
    for _ in range(MAX_PASSES):
        before = _kinds(program)
        for function in list(program.functions.values()):
            Statements(program, function, is_final=False).body()
        if _kinds(program) == before:
            return {function: Statements(program, function, True).body() for function in program.functions.values()}
    raise TranslationError(f"{program.module.__name__}: the types of its values do not settle.")


def _kinds(program: Program) -> list[object]:
    return [
        program.is_wide,
        *(
            (function.name, dict(function.parameters), dict(function.variables), function.result)
            for function in program.functions.values()
        ),
        *(dict(record.fields) for record in program.records.values()),
    ]


def _export(name: str, exported: dict[str, str]) -> str:
    return "export " if exported.get(name) == name else ""


def _class(game: Game, record: Record) -> str:
    """Return the class of a named tuple."""
    defaults = record.type._field_defaults
    names = {field: free_name(field) for field in record.fields}
    parameters = [
        f"{names[field]} = {literal(defaults[field])}" if field in defaults else names[field] for field in record.fields
    ]
    lines = [f"/** {_one_line(record.type.__doc__, record.name)} */", f"export class {record.name} {{"]
    lines += [f"  static _fields = {literal(tuple(record.fields))};", "", "  /**"]
    for field, kind in record.fields.items():
        text = "" if record.is_open else vocabulary.description(game, field, record.type.__name__)
        optional = f"[{names[field]}]" if field in defaults else names[field]
        lines.append(f"   * @param {{{_type(kind)}}} {optional} {text}".rstrip().replace("*/", "* /"))
    lines += ["   */", f"  constructor({', '.join(parameters)}) {{"]
    for field, kind in record.fields.items():
        value = names[field]
        if record.is_state:
            check = "$wide" if kind.is_wide else "$whole"
            value = f"$wholes({value}, {check})" if kind.is_in(("tuple",)) else f"{check}({value})"
        lines.append(f"    this.{field} = {value};")
    lines += [*(["    Object.freeze(this);"] if not record.is_state and not record.is_open else []), "  }", ""]
    fields = ", ".join(f"this.{field}" for field in record.fields)
    given = ", ".join(
        f"{field} = this.{field}" if names[field] == field else f"{field}: {names[field]} = this.{field}"
        for field in record.fields
    )
    lines += ["  [Symbol.iterator]() {", f"    return [{fields}][Symbol.iterator]();", "  }", ""]
    lines += [
        f"  /** Return a copy with other values of some fields. @param {{Partial<{record.name}>}} changes */",
        "  _replace(changes) {",
        f"    const {{ {given} }} = changes;",
        f"    return new {record.name}({', '.join(names.values())});",
        "  }",
        "}",
    ]
    return "\n".join(lines)


def _one_line(docstring: str | None, name: str) -> str:
    """Return the first line of the docstring of a named tuple, or a default description."""
    first = (docstring or "").strip().partition("\n")[0]
    if not first or first.startswith(f"{name}("):
        return {"Rules": "The numbers of the rule book.", "State": "The game as the player to move sees it."}.get(
            name, name
        )
    return first.replace("*/", "* /")


def _function(function: Function, body: list[str], exported: dict[str, str]) -> str:
    """Return a function with its JSDoc."""
    definition = function.definition
    lines = ["/**"]
    docstring = ast.get_docstring(definition)
    if docstring:
        lines += [f" * {line}".rstrip() for line in cleandoc(docstring).replace("*/", "* /").splitlines()]
    defaults = dict(
        zip(reversed(list(function.parameters)), reversed(function.function.__defaults__ or ()), strict=False)
    )
    own = {name: free_name(name, function.local - {name}) for name in function.parameters}
    for name, kind in function.parameters.items():
        lines.append(f" * @param {{{_type(kind)}}} {f'[{own[name]}]' if name in defaults else own[name]}")
    result = _type(function.result)
    lines += [f" * @returns {{{f'Generator<{result}>' if function.is_generator else result}}}", " */"]
    parameters = ", ".join(
        f"{own[name]} = {literal(defaults[name])}" if name in defaults else own[name] for name in function.parameters
    )
    star = "*" if function.is_generator else ""
    head = f"{_export(function.name, exported)}function{star} {function.name}({parameters}) {{"
    return "\n".join([*lines, head, *(f"  {line}" for line in body), "}"])


def _type(kind: ValueKind) -> str:
    """Return the type of a value in the words of TypeScript."""
    names = sorted(kind.names)
    if kind.is_unknown:
        return "any"
    return " | ".join(dict.fromkeys(_TYPES.get(name) or _type_of(name, kind) for name in names))


_TYPES = {
    "int": "number",
    "wide": "number | bigint",
    "float": "number",
    "bool": "boolean",
    "str": "string",
    "none": "null",
}


def _type_of(name: str, kind: ValueKind) -> str:
    element = _type(kind.element or UNKNOWN)
    if name == "tuple" and kind.items is not None:
        items = [_type(item) for item in kind.items]
        if len(set(items)) != 1:
            return f"[{', '.join(items)}]"
    if name in ("tuple", "list"):
        return f"({element})[]" if " " in element else f"{element}[]"
    return {"set": f"Set<{element}>", "dict": f"Map<any, {element}>", "iterator": f"Iterable<{element}>"}.get(
        name, name
    )


@lru_cache(1)
def _helpers() -> dict[str, str]:
    """Return the source of each function of the runtime by its name."""
    text = files("komi.translation").joinpath("runtime.js").read_text(encoding="utf-8")
    parts = re.split(r"\n\n(?=/\*\*|function)", text.strip())
    return {re.search(r"function (\$\w+)", part)[1]: part for part in parts}  # type: ignore[index]  # each has one


def _runtime(program: Program) -> str:
    """Return the functions of the runtime that the program uses, directly or not."""
    helpers, queue = _helpers(), list(program.runtime)
    needed: set[str] = set()
    while queue:
        name = queue.pop()
        if name not in needed:
            needed.add(name)
            queue += set(re.findall(r"\$\w+", helpers[name])) & helpers.keys()
    return "\n\n".join(text for name, text in helpers.items() if name in needed) + "\n"
