"""The pages of the documentation leave nothing out."""

import re
from inspect import signature
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

import komi
import komi.bitset
import komi.branchless
from komi.cli.commands import COMMANDS
from komi.reproduce.claim import PublishedClaim
from komi.reproduce.claims import CLAIMS
from komi.rules import catalog
from komi.rules.declarations import SIGNATURES
from komi.rules.kind import never_has_choices

PROJECT = Path(__file__).parents[2]
DOCS = PROJECT / "docs"
PACKAGE = Path(str(komi.__file__)).parent


@pytest.mark.parametrize("page", sorted(path.name for path in DOCS.glob("*.md")))
def test_every_page_is_in_the_navigation(page: str) -> None:
    assert f": {page}\n" in (PROJECT / "mkdocs.yml").read_text()


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_is_described(command: str) -> None:
    assert f"\n| `komi {command}" in (DOCS / "command-line.md").read_text()


def test_every_game_with_a_choice_can_be_played_in_the_documentation() -> None:
    listed = set(re.findall(r'<a href="games/([\w-]+)\.html">', (DOCS / "games.md").read_text()))
    assert listed <= set(catalog.names())
    for name in set(catalog.names()) - listed:
        assert never_has_choices(catalog.find(name), catalog.find(name).default_rules)
    embedded = "".join(path.read_text() for path in (DOCS / "learn").glob("*.md"))
    assert set(re.findall(r'<iframe class="game" src="\.\./games/([\w-]+)\.html"', embedded)) <= listed


@pytest.mark.parametrize("name", sorted(set(komi.__all__)))
def test_every_public_name_is_in_the_reference(name: str) -> None:
    text = (DOCS / "reference.md").read_text()
    assert re.search(rf"::: komi\.{name}\n|`komi\.{name}`|members: \[.*\b{name}\b.*\]", text)


@pytest.mark.parametrize("module", [komi.bitset, komi.branchless], ids=lambda module: module.__name__)
def test_protocol_describes_the_functions_that_rules_can_import(module: ModuleType) -> None:
    section = (DOCS / "protocol.md").read_text().partition(f": `{module.__name__}`")[2].partition("## ")[0]
    functions = [each for each in vars(module).values() if isinstance(each, FunctionType)]
    assert re.findall(r"^- `(.*?)`:", section, re.MULTILINE) == [
        f"{each.__name__}({', '.join(signature(each).parameters)})" for each in functions
    ]


WITH_FILE = {"teach": "-o", "approximate": "-o", "report": "-o", "study": "--out"}  # options whose default is a file


def test_commands_of_the_readme_name_the_files_that_they_write() -> None:
    commands = re.findall(r"^komi (\S+)(.*?)(?:#|$)", (PROJECT / "README.md").read_text(), re.MULTILINE)
    assert {command for command, _ in commands} >= WITH_FILE.keys()
    for command, options in commands:
        assert f" {WITH_FILE.get(command, '')}" in options, f"komi {command}{options}"


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: str(claim.id))
def test_every_published_number_is_on_its_page(claim: PublishedClaim) -> None:
    assert f"\n| {claim.what} | {claim.published} | " in (DOCS / "published-numbers.md").read_text()


def test_every_package_has_its_place_in_the_architecture() -> None:
    named = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    text = (DOCS / "architecture.md").read_text()
    assert {name for name in named - {"__init__", "bitset", "branchless"} if f"`{name}`" not in text} == set()


def test_guide_lists_the_names_of_all_parts_of_the_protocol() -> None:
    protocol = (DOCS / "protocol.md").read_text().partition("## The language of rules")[0]
    described = re.findall(r"^- ((?:`\w+[^`]*`(?:, or | and )?)+)", protocol, re.MULTILINE)
    parts = {name for part in described for name in re.findall(r"`(\w+)", part)} | set(SIGNATURES)
    text = (DOCS / "write-your-own-game.md").read_text()
    listed = text[text.index("### Names that have a meaning") :].split("\n\n")[2]
    assert set(re.findall(r"`(\w+)`", listed)) == parts
