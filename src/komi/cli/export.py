"""`komi export`: a policy as one program, the model or the rules of a game for others, or a page to play."""

from pathlib import Path
from typing import Annotated, Any

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, chosen
from komi.cli.commands import command
from komi.cli.output import bars, console, print_json, warn
from komi.errors import InputError
from komi.exporting.export import POLICY_FORMATS, ExportResult
from komi.exporting.export import export as export_policy
from komi.exporting.export_model import FORMATS as MODEL_FORMATS
from komi.exporting.export_model import RULES, TREE, export_model
from komi.policies.named import NAMES
from komi.presentation.fields import select
from komi.typing import GameLike

SOLVED = "The page has optimal play, or computes it when it is opened: hints and reviews are exact."
SEARCHED = "The page does not have optimal play, which is unknown or too large: hints are estimates of a search."


@command("export")
def export(
    game: GameArgument,
    policy: Annotated[
        str | None, typer.Argument(metavar="[POLICY]", help=f"For programs: one of {', '.join(NAMES)}.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--to",
            metavar="FILE",
            help="The file to write: a policy as .py, .c, .js or, for networks, .onnx; or without POLICY the model of "
            "the game as .umb, .prism, .drn or .efg, or its rules as .js or .mjs.",
        ),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            "--page", metavar="FILE.html", help="The page to write instead: it plays the game without a server."
        ),
    ] = None,
    fix: Annotated[
        list[str] | None,
        typer.Option("--fix", metavar="SEAT=POLICY", help="In a model, let seat 1 or 2 play this policy; repeatable."),
    ] = None,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a policy as one program, a model for Storm, PRISM or Gambit, the rules, or the game as one html file."""
    found, rules = chosen(game, settings)
    fixed = _fixed(fix or [])
    if (file is None) == (page is None):
        raise InputError("name one file to write: a program, a model or rules with --to, or a page with --page.")
    if page and (policy or fixed):
        raise InputError("--page writes optimal play and all opponents of the game: name no policy.")
    if file:
        _check(file, policy, bool(fixed))
    with bars() as progress:
        if page:
            written = _export_page(found, page, progress=progress, notice=warn, **rules)
        elif file and policy is None:
            written = export_model(found, file, fix=fixed, progress=progress, notice=warn, **rules)
        elif file and policy:
            written = export_policy(found, policy, file, progress=progress, notice=warn, **rules)
    if as_json:
        print_json(
            {
                "game": found,
                "rules": found.rules(rules),
                **({"policy": policy} if policy is not None else {"fix": fixed} if page is None else {}),
                **select(written, "file", "states", bytes="size"),
                **(select(written, searched="is_searched") if page else {}),
            }
        )
    else:
        unit = "nodes" if written.file.suffix == TREE else "states"
        contents = f", for {written.states:,} {unit}" if written.states else ""
        console().print(f"Written: {written.file}, {written.size:,} bytes{contents}")
        if page:
            console().print(SEARCHED if written.is_searched else SOLVED)


def _export_page(game: GameLike, page: Path, **options: Any) -> ExportResult:
    """Write a page; what it needs of the web app is optional."""
    try:
        from komi.web.page_file import export_page
    except ImportError as error:
        raise InputError(f"--page needs {error.name}: pip install 'komi[serve]'.") from None
    return export_page(game, page, **options)


def _fixed(settings: list[str]) -> dict[int, str]:
    """Return the policies of `--fix` by seat."""
    fixed: dict[int, str] = {}
    for setting in settings:
        seat, _, policy = (part.strip() for part in setting.partition("="))
        if not (seat.isdecimal() and seat.isascii() and policy):
            raise InputError(f"--fix takes SEAT=POLICY, such as 1=optimal, not {setting!r}.")
        if int(seat) in fixed:
            raise InputError(f"--fix names seat {int(seat)} twice.")
        fixed[int(seat)] = policy
    return fixed


def _check(file: Path, policy: str | None, is_fixed: bool) -> None:
    """Check that the arguments fit the format of the file."""
    if file.suffix in MODEL_FORMATS:
        if policy is not None:
            raise InputError(f"a {file.suffix} file is a model: fix the policy of a seat with --fix 1={policy}.")
    elif file.suffix not in (*POLICY_FORMATS, *RULES) or (policy and file.suffix not in POLICY_FORMATS):
        raise InputError(
            f"the file must end in {', '.join(POLICY_FORMATS)}, for a policy, in {', '.join(MODEL_FORMATS)}, for a "
            f"model, or without a policy in {' or '.join(RULES)}, for the rules: {file.name!r} does not."
        )
    elif policy is None and file.suffix not in RULES:
        raise InputError(f"name the policy to write to {file.name}, such as optimal, after the game.")
    elif is_fixed:
        raise InputError(f"--fix is for models, which end in {', '.join(MODEL_FORMATS)}: {file.name!r} does not.")
