"""Runs the lessons in docs/learn, and writes each as a page with its outputs and pictures.

A lesson is a notebook kept as a plain Python file in the percent format. It runs in this process, cell by cell, as a
notebook does: what a cell prints, the value of its last expression, and its figures are its output.
"""

import ast
import contextlib
import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jupytext
import matplotlib

LESSONS = Path(__file__).parents[1] / "docs" / "learn"
PICTURES = "pictures"
DOTS_PER_INCH = 110
NUMBER = re.compile(r"\d+(?:[.,/]\d+)+|\d+(?= %)")  # 0.53, 1,234, 4/7 or 53 %
ANY_NUMBER = re.compile(r"\d+(?:[.,/_]\d+)*")
LINK = re.compile(r"\]\([^)]*\)")


@dataclass(frozen=True)
class Cell:
    """A cell of a lesson that has run.

    Attributes:
        is_code: whether it is code; else it is prose.
        source: its text.
        output: the text that it displays; empty for prose.
        pictures: the path of each figure, relative to the folder of the page, and what it shows.
    """

    is_code: bool
    source: str
    output: str = ""
    pictures: tuple[tuple[str, str], ...] = ()


def names() -> list[str]:
    """Return the names of all lessons."""
    return sorted(path.stem for path in LESSONS.glob("*.py"))


def run(name: str, folder: Path) -> list[Cell]:
    """Run a lesson, and write its pictures into a folder."""
    matplotlib.use("agg")
    (folder / PICTURES).mkdir(parents=True, exist_ok=True)
    path = LESSONS / f"{name}.py"
    notebook = jupytext.reads(path.read_text(), fmt="py:percent")
    with contextlib.chdir(folder):
        return list(_run_cells(name, [(cell.cell_type == "code", cell.source) for cell in notebook.cells]))


def _run_cells(name: str, cells: list[tuple[bool, str]]) -> Iterator[Cell]:
    import matplotlib.pyplot as plt

    variables: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    plt.show, show = lambda: None, plt.show  # figures are saved instead
    try:
        for is_code, source in cells:
            if not is_code:
                yield Cell(False, source)
                continue
            output = _execute(name, source, variables)
            pictures = []
            for number in plt.get_fignums():
                count += 1
                figure, picture = plt.figure(number), f"{PICTURES}/{name}-{count}.png"
                figure.savefig(picture, dpi=DOTS_PER_INCH, metadata={"Software": None})
                axes = figure.axes[0]
                pictures.append((picture, f"{axes.get_ylabel()} over {axes.get_xlabel()}"))
            plt.close("all")
            yield Cell(True, source, output, tuple(pictures))
    finally:
        plt.show = show


def _execute(name: str, source: str, variables: dict[str, Any]) -> str:
    """Run the code of a cell, and return what it displays."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(tree, f"{name}.py", "exec"), variables)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"{name}.py", "eval"), variables)
            if value is not None:
                print(repr(value))
    return output.getvalue().rstrip()


def page(name: str, cells: list[Cell]) -> str:
    """Return a lesson as a page in Markdown."""
    parts = []
    for cell in cells:
        parts.append(f"```python\n{cell.source}\n```" if cell.is_code else cell.source)
        if cell.output:
            parts.append(f"``` {{ .text .output }}\n{cell.output}\n```")
        parts += [f"![{shown}]({picture})" for picture, shown in cell.pictures]
    parts.append(f"*This page is the notebook [`{name}.py`]({name}.py) with its output.*")
    return "\n\n".join(parts) + "\n"


def uncomputed_numbers(cells: list[Cell]) -> list[str]:
    """Return the numbers in the prose of a lesson that neither its code nor its output contains.

    Nothing shows that such a number is true. Whole numbers without a separator or a percent sign are not looked for.
    """
    known = {
        _plain(number)
        for cell in cells
        if cell.is_code
        for number in ANY_NUMBER.findall(f"{cell.source} {cell.output}")
    }
    prose = " ".join(LINK.sub("]", cell.source) for cell in cells if not cell.is_code)
    return [number for number in NUMBER.findall(prose) if _plain(number) not in known]


def _plain(number: str) -> str:
    return number.replace(",", "").replace("_", "")


def main() -> None:
    """Render the lessons named on the command line, or all."""
    for name in sys.argv[1:] or names():
        cells = run(name, LESSONS)
        (LESSONS / f"{name}.md").write_text(page(name, cells))
        print(name, *uncomputed_numbers(cells))


if __name__ == "__main__":
    main()
