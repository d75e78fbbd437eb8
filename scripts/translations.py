"""Bring the catalogues of the page up to date with the texts in the source.

    python scripts/translations.py          # every catalogue in src/komi/web/languages
    python scripts/translations.py fr       # a new one, for French

New texts come in without a translation, those that are gone are left out, and what was translated stays.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from komi.play import opponents
from komi.plotting import pocket_sheet
from komi.rules import catalog, source
from komi.rules.game import Game
from komi.rules.vocabulary import field_label, rule_label, title
from komi.web import language
from komi.web.game_catalog import rivals

WEB = Path(language.__file__).parent
PAGE = WEB / "page"
KOMI = WEB.parent
MARKED = re.compile(r"(?<![\w.$])t`")
COUNTED = re.compile(r'(?<![\w.$])tn\([^"`]*?"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"', re.S)
VALIDATION = WEB / "validation.py"
STATIC = re.compile(r"\[\[(.+?)\]\]")
SAID = re.compile(r"""\bsay\(\s*\w+,\s*(?:"([^"]+)"|'([^']+)')""")
REFUSING = ("web", "play")  # packages whose refusals the page shows
NEVER_SHOWN = ("app.py", "database.py", "root_path.py")  # modules whose sentences it does not show
ALSO_REFUSING = ("rules/game.py", "rules/limits.py", "solvers/solve.py", "graph/limits.py", "graph/reachability.py")
STAGES = (
    "web/jobs.py",
    "web/queued_job.py",
    "web/job_queue.py",
    "graph",
    "transient",
    "bellman",
    "solvers",
    "play/strengths.py",
)  # where work says how far it is
PUT_TOGETHER = {  # what no single text in the source says
    "jit/kernels.py": ("compiling part of {0}: this takes a few seconds, once only",),
    "rules/limits.py": ("“{0}” must be from {1} to {2}.",),
    "rules/game.py": ("chance of winning", "expected total", "total"),
    "plotting/pocket_sheet.py": pocket_sheet.PHRASES,
    "games/red7/table.py": ("play {0}", "discard {0}", "put {0} on the deck", "move {0} to the canvas", "end the turn"),
    "play/opponents.py": ("Cheat sheet", "Learned", "Follows the cheat sheet: {0}", "Plays the policy {0}."),
    "play/review.py": ("resign", "play on"),
    "web/participants.py": ("Player {0}", "Deleted player"),
    "web/waiting_tables.py": ("A player",),
    "web/puzzles.py": ("The opponent",),
    "web/page/file/server.js": ("The rules of {0} cannot be changed here.",),
    "web/page/file/solving.js": (
        "This browser cannot solve the game, for lack of memory or time: you can play it without hints, review and "
        "opponents.",
    ),
    "web/surfaces.py": ("{0}: the turn total at which to hold", "{0}: the turn total at which to hold ({1})"),
}
HEADER = "# The texts of komi's page. scripts/translations.py keeps their keys up to date."
Key = str | tuple[str, str]
Found = dict[tuple[str | None, Key], list[str]]


def texts() -> Found:
    """(context, key) of all translatable texts, and the files that contain each."""
    found: Found = {}

    def add(file: Path, each: Iterable[Key], context: str | None = language.SERVER) -> None:
        for key in each:
            found.setdefault((context, key), []).append(str(file.relative_to(KOMI)))

    for file in sorted([*PAGE.rglob("*.js"), PAGE / "index.html", *WEB.rglob("*.py")]):
        add(file, marked(file), context=None)
    refusing = [file for name in REFUSING for file in sorted((KOMI / name).rglob("*.py"))]
    for file in [*refusing, *map(KOMI.joinpath, ALSO_REFUSING)]:
        if file.name not in NEVER_SHOWN:
            add(file, refusals(file))
    add(VALIDATION, validation_messages(VALIDATION))
    for file in (file for name in STAGES for file in sorted((KOMI / name).rglob("*.py")) or [KOMI / name]):
        add(file, stages(file))
    for module, sentences in PUT_TOGETHER.items():
        add(KOMI / module, sentences)
    for name in catalog.names():
        game = catalog.find(name)
        add(game.file, game_words(game))
    return found


def marked(file: Path) -> Iterator[Key]:
    """Extract the texts that a file of the page, or of the server, marks for translation."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".js":
        for start in MARKED.finditer(text):
            yield _template(text, start.end())[0]
        yield from COUNTED.findall(text)
    elif file.suffix == ".html":
        yield from STATIC.findall(text)
    else:
        yield from (one or other for one, other in SAID.findall(text))


def _template(text: str, place: int) -> tuple[str, int]:
    """Read a template literal from behind its first mark: its text with numbered expressions, and its end."""
    key, count = "", 0
    while text[place] != "`":
        if text.startswith("${", place):
            key += f"{{{count}}}"
            count, place = count + 1, _expression_end(text, place + 2)
        elif text[place] == "\\":
            width = 6 if text[place + 1] == "u" else 2
            key += ast.literal_eval(f'"{text[place : place + width]}"')
            place += width
        else:
            key, place = key + text[place], place + 1
    return key, place + 1


def _expression_end(text: str, place: int) -> int:
    """Behind the brace that closes an expression in a template."""
    depth = 1
    while depth:
        letter = text[place]
        if letter == "`":
            place = _template(text, place + 1)[1]
            continue
        if letter in "\"'":
            place = text.index(letter, place + 1)
        depth += (letter == "{") - (letter == "}")
        place += 1
    return place


def refusals(file: Path) -> Iterator[str]:
    """Extract the messages of a module and the sentences among its constants, with a placeholder for each value."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for statement in ast.walk(tree):
        match statement:
            case ast.Raise(exc=ast.Call(args=arguments)) | ast.Call(func=ast.Name(id="error_response"), args=arguments):
                yield from _sentences(arguments)
            case ast.Assign(targets=[ast.Name(id="sentence")], value=value):
                yield from _sentences([value])
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            texts = [part for part in ast.walk(statement.value) if isinstance(part, ast.Constant)]
            yield from (text for text in _sentences(texts) if text.endswith("."))


def stages(file: Path) -> Iterator[str]:
    """Extract the names of the stages of work that a module reports."""
    for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match call:
            case ast.Call(func=ast.Name(id="progress"), args=[ast.Constant(value=str(stage)), *_]):
                yield stage
            case ast.AnnAssign(target=ast.Name(id="stage"), value=ast.Constant(value=str(stage))):
                yield stage
            case ast.Assign(targets=[ast.Attribute(attr="stage")], value=value) if stage := pattern(value):
                yield stage


def validation_messages(file: Path) -> Iterator[str]:
    """Extract the messages for invalid requests."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for statement in ast.walk(tree):
        match statement:
            case ast.Return(value=ast.expr() as value):
                yield from _sentences([value])
            case ast.Dict(values=values):
                yield from _sentences(values)
            case ast.IfExp(body=one, orelse=other):
                yield from _sentences([one, other])


def game_words(game: Game) -> Iterator[str]:
    """Extract the words of a game: its names and their meanings, its actions and events, and how to play."""
    rules = game.default_rules
    yield title(game)
    summary = re.fullmatch(r"(?:[^:]{1,40}:\s*)?(.*?)\s*(?:\([^()]*\))?\.?", game.summary)
    assert summary is not None
    yield f"{summary[1][:1].upper()}{summary[1][1:]}."
    for name in rules._fields:
        yield from _named(name, rule_label(game, name))
    for name in game.fields(rules):
        yield from _named(name, field_label(game, name))
    for limit in game.limits(rules) if game.has("limits") else ():
        if limit and isinstance(limit[0], str):
            yield from (word.replace("_", " ") for word in limit)
    if game.players(rules) == 1:
        for changed in _by_word(game):
            yield from (game.objective(changed), game.objective(changed).removeprefix("expected "))
    for opponent in (*opponents.levels(game, rules), *rivals(game)):
        yield from (opponent.title, opponent.summary)
    for name, part in game.part("card")(rules) if game.has("card") else ():
        yield from (name, part)
    for doing, _, _ in game.part("beside")(rules, game.part("start")(rules)) if game.has("beside") else ():
        yield doing
    yield from (word for word in getattr(game.module, "actions", ()) if not word.isdecimal())
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in source.files(game.module)]
    for function in (statement for tree in trees for statement in tree.body):
        match function:
            case ast.FunctionDef(name="label" | "event" | "revealed"):
                yield from _returned(function)
            case ast.FunctionDef(name="how_to_play"):
                yield from _how_to_play(function)
            case ast.FunctionDef(name="table" | "laid"):
                yield from _on_table(function, trees)
            case ast.Assign(targets=[ast.Name(id="NAMES")], value=value):
                yield from (str(name.value) for name in ast.walk(value) if isinstance(name, ast.Constant))


def _named(name: str, means: str) -> Iterator[str]:
    yield name.replace("_", " ")
    if means != name and not means.isdecimal():
        yield means


def _by_word(game: Game) -> Iterator[Any]:
    """Yield the default rules, and the rules with each word that one of them can have."""
    rules = game.default_rules
    yield rules
    for name, limit in zip(rules._fields, game.limits(rules) if game.has("limits") else (), strict=False):
        if limit and isinstance(limit[0], str):
            yield from (rules._replace(**{name: word}) for word in limit)


def _returned(function: ast.FunctionDef) -> Iterator[str]:
    inside = _inside(function)
    for part in ast.walk(function):
        if isinstance(part, ast.Return) and part.value is not None:
            for branch in ast.walk(part.value):
                text = None if id(branch) in inside else pattern(branch)
                if text is not None and re.search("[a-z]{2}", text) and text != "abcd":
                    yield text


def _on_table(function: ast.FunctionDef, trees: Iterable[ast.Module]) -> Iterator[str]:
    """Extract the places and texts of items, also from constants that the function names; pictures are texts, too."""
    named = {name.id for name in ast.walk(function) if isinstance(name, ast.Name)}
    constants = [
        statement.value
        for tree in trees
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
        if statement.targets[0].id in named
    ]
    yielded = [each.value for each in ast.walk(function) if isinstance(each, ast.Yield)]
    kinds = {id(each.elts[0]) for each in yielded if isinstance(each, ast.Tuple)}
    docstring = {id(function.body[0].value)} if isinstance(function.body[0], ast.Expr) else set()
    inside = _inside(function) | kinds | docstring
    for node in (node for each in (*function.body, *constants) for node in ast.walk(each)):
        text = None if id(node) in inside else pattern(node)
        for part in text.split(": ") if text else ():
            if re.search("[a-z]{2}", part):
                yield part.strip()


def _how_to_play(function: ast.FunctionDef) -> Iterator[str]:
    """Extract the sentences of a rules card; text right behind a sentence is a sentence of its own."""
    inside = _inside(function)
    for part in ast.walk(function):
        if isinstance(part, ast.IfExp):
            yield from (word for each in (part.body, part.orelse) if (word := pattern(each)) and "." not in word)
        text = None if id(part) in inside else pattern(part)
        if text is None or "." not in text:
            continue
        for paragraph in text.split("\n\n"):
            text = " ".join(re.sub(r"(?<=[.!?])\{\d\}", "", paragraph).split()).removeprefix("Example: ")
            for sentence in re.split(r"(?<=[.!?]) +", text):
                if sentence:
                    yield _renumbered(sentence)


def _inside(function: ast.FunctionDef) -> set[int]:
    """Return the parts of f-strings, by id."""
    texts = [text for text in ast.walk(function) if isinstance(text, ast.JoinedStr)]
    return {id(part) for text in texts for part in ast.walk(text) if part is not text}


def _renumbered(text: str) -> str:
    order: dict[str, str] = {}
    return re.sub(r"\{(\d)\}", lambda place: order.setdefault(place[1], f"{{{len(order)}}}"), text)


def _sentences(expressions: Iterable[ast.expr]) -> Iterator[str]:
    for expression in expressions:
        text = pattern(expression)
        if text is not None and " " in text and re.search("[a-z]{2}", text):
            yield _renumbered(re.sub(r"\{[a-z_]+\}", "{0}", text))


def pattern(expression: ast.AST) -> str | None:
    """Return a text, or an f-string with its values numbered; None for other nodes."""
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        return expression.value
    if not isinstance(expression, ast.JoinedStr):
        return None
    text, count = "", 0
    for part in expression.values:
        if isinstance(part, ast.Constant):
            text += str(part.value)
        else:
            text, count = f"{text}{{{count}}}", count + 1
    return text


def updated(code: str) -> Catalog:
    """Build the catalog of a language with all current texts."""
    known = language.read(code) if code in language.available() else Catalog(locale=code)
    fresh = Catalog(
        locale=code,
        header_comment=HEADER,
        project="komi",
        creation_date=known.creation_date,
        revision_date=known.revision_date,
        fuzzy=False,
    )
    for (context, key), files in texts().items():
        message = known.get(key if isinstance(key, str) else key[0], context)
        fresh.add(
            key, message.string if message else "", [(file, None) for file in sorted(set(files))], context=context
        )
    return fresh


def main() -> None:
    """Write the catalogues named, or all there are."""
    language.FOLDER.mkdir(exist_ok=True)
    for code in sys.argv[1:] or language.available()[1:]:
        catalog = updated(code)
        with (language.FOLDER / f"{code}.po").open("wb") as file:
            write_po(file, catalog, width=110, include_lineno=False)
        missing = sum(1 for message in catalog if message.id and not message.string)
        print(f"{code}: {len(catalog)} texts, {missing} without a translation.")


if __name__ == "__main__":
    main()
