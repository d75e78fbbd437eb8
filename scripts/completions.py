"""Write the table of the commands' parameters, from which shells complete: src/komi/cli/completions.json.

python scripts/completions.py
"""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import typer

import komi
from komi.cli.commands import COMMANDS, app
from komi.design.spread_total import AIMS
from komi.learning.methods import METHODS
from komi.policies.named import NAMES

FILE = Path(str(komi.__file__)).parent / "cli" / "completions.json"
KINDS = {  # by metavar
    "GAME": "GAME",
    "STATE": "STATE",
    "FIELD": "FIELD",
    "METHOD": "METHOD",
    "AIM": "AIM",
    "SEAT": "SEAT",
    **dict.fromkeys(("POLICY", "[POLICY]", "[POLICY ...]"), "POLICY"),
    **dict.fromkeys(("NAME=VALUE", "NAME=LO..HI[:STEP]"), "RULE"),
}
KINDS_OF_OPTIONS = {"--opponent": "OPPONENT", "--policy": "POLICY"}


def completions() -> str:
    """Return the table as JSON: the parameters of each command, and values by kind of parameter."""
    for module in dict.fromkeys(module for module, _ in COMMANDS.values()):
        import_module(f"komi.cli.{module}")
    group: Any = typer.main.get_command(app)
    table: dict[str, dict[str, Any]] = {
        "values": {
            "POLICY": [name.partition(":")[0] + ":" * (":" in name) for name in NAMES if "FILE.py" not in name],
            "OPPONENT": ["easy", "medium", "hard"],
            "METHOD": list(METHODS),
            "AIM": list(AIMS),
            "SEAT": ["first", "second", "either"],
        },
        "commands": {name: [_entry(each) for each in group.commands[name].params] for name in COMMANDS},
    }
    lines = (f"{json.dumps(part)}: {_object(entries)}" for part, entries in table.items())
    return "{" + ",\n".join(lines) + "}\n"


def _object(entries: dict[str, Any]) -> str:
    """Return an object as JSON, one line for each entry."""
    return "{" + ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in entries.items()) + "}"


def _entry(parameter: Any) -> dict[str, Any]:
    """Return what completion must know of a parameter."""
    is_option = parameter.param_type_name == "option"
    names = ["/".join([*parameter.opts, *parameter.secondary_opts])] if parameter.secondary_opts else parameter.opts
    metavar = parameter.metavar or ""
    kind = KINDS_OF_OPTIONS.get(names[-1], KINDS.get(metavar, "FILE" if metavar.startswith(("FILE", "FOLDER")) else ""))
    entry = {
        "names": names,
        "kind": kind,
        "flag": is_option and parameter.is_flag,
        "many": parameter.multiple if is_option else parameter.nargs != 1,
    }
    return {key: value for key, value in entry.items() if value}


if __name__ == "__main__":
    FILE.write_text(completions())
