"""`komi prove` and `komi verify`: certificates, and their check."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, app, chosen
from komi.cli.output import bars, console, print_json, warn
from komi.proof.prove import prove as prove_game
from komi.proof.verification import MAX_GIGABYTES, MAX_SECONDS, MAX_STATES
from komi.proof.verification import verify as verify_file


@app.command(short_help="Write a certificate: the proof of a game's value, for anyone to check.")
def prove(
    game: GameArgument,
    file: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The certificate to write.")],
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a certificate: the proof of a game's value, which `komi verify` checks, or verify.py without komi."""
    found, rules = chosen(game, settings)
    with bars() as progress:
        proof = prove_game(found, file, progress=progress, notice=warn, **rules)
    if as_json:
        print_json(
            {
                "game": found.name,
                "rules": found.rules(rules)._asdict(),
                "file": str(proof.file),
                "bytes": proof.size,
                "lower": proof.lower,
                "upper": proof.upper,
                "states": proof.states,
            }
        )
    else:
        interval = _format_interval(proof.lower, proof.upper)
        console().print(f"Written: {file}, {proof.size:,} bytes: a proof that the value of {found.name} is {interval}")


@app.command(short_help="Check a certificate in exact arithmetic.")
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A certificate.")],
    max_seconds: Annotated[float, typer.Option("--seconds", help="The time limit.")] = MAX_SECONDS,
    max_states: Annotated[int, typer.Option("--states", help="The most states to check.")] = MAX_STATES,
    max_gigabytes: Annotated[int, typer.Option("--gigabytes", help="The memory limit, on Linux.")] = MAX_GIGABYTES,
    as_json: JsonOption = False,
) -> None:
    """Check a certificate in exact arithmetic, with a program that shares no code with komi."""
    found = verify_file(file, max_seconds=max_seconds, max_states=max_states, max_gigabytes=max_gigabytes)
    if as_json:
        print_json(asdict(found))
    elif found.lower is not None and found.upper is not None:
        rules = ", ".join(f"{name}={value}" for name, value in (found.rules or {}).items())
        plies = f", in {found.plies} plies" if found.plies is not None else ""
        interval = _format_interval(found.lower, found.upper)
        console().print(f"Verified: the value of {found.game} ({rules}) is {interval}{plies}")
        console().print(f"{found.evaluated:,} states in {found.seconds:.1f} s")
    else:
        where = ", ".join(f"{name}={value}" for name, value in (found.state or {}).items())
        console().print(f"Not verified: {found.reason} ({where})")
    if not found.verified:
        raise typer.Exit(1)


def _format_interval(lower: float, upper: float) -> str:
    """Write an interval; a single number if it has no width."""
    return f"{lower:.12g}" if lower == upper else f"from {lower:.12g} to {upper:.12g}"
