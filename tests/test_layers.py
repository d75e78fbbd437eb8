"""Imports point one way only, down the list in the design."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import komi

ROOT = Path(str(komi.__file__)).parent
LAYERS = (  # from the top; what shares a line may import each other
    ("__main__",),
    ("cli", "web", "pettingzoo", "stable_baselines"),
    ("gambit", "gymnasium", "openspiel"),
    ("environments",),
    ("plotting", "reporting", "study", "tables"),
    ("presentation",),
    ("play",),
    ("design", "reproduce", "checking"),
    ("measures",),
    ("exporting", "proof"),
    ("approximating",),
    ("learning", "teaching"),
    ("evaluation", "simulation"),
    ("gpu",),
    ("policies",),
    ("search",),
    ("solvers",),
    ("bellman", "transient"),
    (
        "proof.audit",
        "proof.average_audit",
        "proof.certificate",
        "proof.cuts",
        "proof.intervals",
        "proof.nodes",
        "proof.verification",
        "proof.verify",
    ),
    ("graph",),
    ("compiling",),
    ("jit",),
    ("translation",),
    ("rules",),
    (
        "rules.class_rules",
        "rules.derived",
        "rules.discount",
        "rules.extracted_source",
        "rules.loading",
        "rules.openspiel_rules",
        "rules.target",
        "rules.vocabulary",
    ),
    ("rules.game",),
    ("rules.tuple_fields",),
    ("rules.flat_states",),
    ("rules.content", "rules.declarations", "rules.determinism", "rules.limits", "rules.payoff_scale"),
    ("rules.source",),
    ("games", "game"),
    ("parallel",),
    ("cluster",),
    ("jobs",),
    ("streams",),
    ("arrays", "bitset", "branchless", "tuning"),
    ("tabular",),
    ("cache", "files"),
    ("progress",),
    ("time_limit",),
    ("quoting", "rounding", "syntax", "typing"),
    ("errors",),
)
HEIGHT = {name: -height for height, names in enumerate(LAYERS) for name in names}
FILES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def imported(path: Path) -> Iterator[str]:
    """Return the modules of komi that a file imports, relative to komi."""
    for statement in ast.walk(ast.parse(path.read_text())):
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            assert statement.level == 0, "imports are absolute"
            names = [f"{statement.module}.{alias.name}" for alias in statement.names]
        else:
            continue
        yield from (name.removeprefix("komi.") for name in names if name.startswith("komi."))


def layer(name: str) -> str:
    """Return the longest layer name that a module's name begins with."""
    parts = name.split(".")
    return next((each for each in (".".join(parts[:2]), parts[0]) if each in HEIGHT), parts[0])


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    own = layer(".".join(path.relative_to(ROOT).with_suffix("").parts))
    for name in imported(path):
        if layer(name) in HEIGHT:
            assert HEIGHT[layer(name)] <= HEIGHT[own], f"{own} is below {name}"


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_no_module_imports_itself_by_way_of_others() -> None:
    modules = {module(path): path for path in FILES}
    imports = {
        name: {
            max((one for one in modules if f"{other}.".startswith(f"{one}.")), key=len, default=name)
            for other in imported(path)
        }
        - {name}
        for name, path in modules.items()
    }
    TopologicalSorter(imports).prepare()  # raises CycleError, and names the cycle


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_has_its_layer(path: Path) -> None:
    assert layer(".".join(path.relative_to(ROOT).with_suffix("").parts)) in HEIGHT


def test_games_import_no_engine() -> None:
    for path in (ROOT / "games").rglob("*.py"):
        assert {layer(name) for name in imported(path)} <= {"bitset", "branchless", "game", "games"}


def test_no_import_is_hidden_in_a_string() -> None:
    """A solution in a notebook shows what the modules above it write and draw; nothing else reaches upwards."""
    hidden = [
        (module(path), call.args[0].value)
        for path in FILES
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant)
        if ast.unparse(call.func).endswith("import_module") and str(call.args[0].value).startswith("komi")
    ]
    assert hidden == [("solvers.solution", "komi.reporting.notebook")]


def test_class_names_are_unique() -> None:
    homes: dict[str, set[str]] = {}
    for path in FILES:
        if path.is_relative_to(ROOT / "games"):  # each game has its own `Rules` and `State`, as the protocol demands
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, set()).add(module(path))
    assert {name: modules for name, modules in homes.items() if len(modules) > 1} == {}
