"""The table of widths lists every class with arrays of fewer than 64 bits."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import komi

ROOT = Path(str(komi.__file__)).parent
DOCUMENT = (Path(__file__).parents[1] / "docs" / "architecture.md").read_text()
TABLE = DOCUMENT.partition("## Widths")[2].partition("##")[0]
NARROW = re.compile(r"\b(I8|I16|I32|U8|U16|U32)\b|\bnp\.u?int(8|16|32)\b")
SHORT = {"I": "int", "U": "uint"}


def narrow_arrays() -> Iterator[tuple[str, str]]:
    """Return the classes of the package that annotate a narrow array, and its width."""
    for path in ROOT.rglob("*.py"):
        for definition in ast.walk(ast.parse(path.read_text())):
            for part in definition.body if isinstance(definition, ast.ClassDef) else ():
                if isinstance(part, ast.AnnAssign) and (found := NARROW.search(ast.unparse(part.annotation))):
                    name = found.group().removeprefix("np.")
                    yield definition.name, SHORT.get(name[0], name[0]) + name[1:]


def test_the_table_of_widths_lists_every_class_with_narrow_arrays() -> None:
    rows = [line.split("|") for line in TABLE.splitlines() if line.startswith("| `")]
    listed = {
        (name, width)
        for _, classes, widths, *_ in rows
        for name in re.findall("`(.*?)`", classes)
        for width in widths.replace(",", " ").split()
    }
    assert set(narrow_arrays()) - listed == set()
