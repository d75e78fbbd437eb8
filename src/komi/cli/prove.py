"""`komi prove` and `komi verify`: certificates, and their check."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, app, chosen
from komi.cli.output import bars, console, print_json, warn
from komi.proof.prove import prove as prove_game
from komi.proof.verification import MAX_GIGABYTES, MAX_SECONDS, MAX_STATES, Claim
from komi.proof.verification import verify as verify_file


@app.command(short_help="Write a certificate: the proof of a game's value or of policies, for anyone to check.")
def prove(
    game: GameArgument,
    file: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The certificate to write.")],
    policies: Annotated[
        list[str] | None,
        typer.Argument(metavar="POLICY", help="None for the value; one for its worst case, two or more for a match."),
    ] = None,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a certificate: the proof of a game's value, or of what policies achieve.

    `komi verify` checks it, or verify.py without komi.
    """
    found, rules = chosen(game, settings)
    with bars() as progress:
        proof = prove_game(found, file, *policies or (), progress=progress, notice=warn, **rules)
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
                "claims": [asdict(claim) for claim in proof.claims],
            }
        )
    else:
        console().print(f"Written: {file}, {proof.size:,} bytes, which prove that")
        _print_claims(found.name, proof.claims)


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
    elif found.verified:
        rules = ", ".join(f"{name}={value}" for name, value in (found.rules or {}).items())
        console().print(f"Verified, in {found.evaluated:,} states and {found.seconds:.1f} s:")
        _print_claims(f"{found.game} ({rules})", found.claims)
    else:
        where = ", ".join(f"{name}={value}" for name, value in (found.state or {}).items())
        console().print(f"Not verified: {found.reason} ({where})")
    if not found.verified:
        raise typer.Exit(1)


def _print_claims(game: str, claims: Sequence[Claim]) -> None:
    """Print each claim as a sentence."""
    for claim in claims:
        console().print(f"- {_describe(game, claim)} {_format_interval(claim.lower, claim.upper)}{_plies(claim)}")


def _describe(game: str, claim: Claim) -> str:
    """Say which number a claim is about."""
    endless = "" if claim.endless is None else f", if an endless game counts {claim.endless} for the first player,"
    if all(policy is None for policy in claim.play):
        return f"the value of {game}{endless} is"
    names = [policy or "best play" for policy in claim.play]
    if len(names) == 1:
        return f"{names[0]} gets in {game}"
    return f"player {claim.seat + 1} gets in {game}, by {', '.join(names)} in turn{endless}"


def _plies(claim: Claim) -> str:
    return "" if claim.plies is None else f", in {claim.plies} plies"


def _format_interval(lower: float | None, upper: float | None) -> str:
    """Write an interval; a single number if it has no width."""
    if lower is None or upper is None:
        return f"at least {lower:.12g}" if upper is None else f"at most {upper:.12g}"
    return f"{lower:.12g}" if lower == upper else f"from {lower:.12g} to {upper:.12g}"
