"""`komi prove` and `komi verify`: certificates, and their check."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer

from komi.cli.app import GameArgument, JsonOption, SetOption, chosen
from komi.cli.commands import command
from komi.cli.output import bars, console, print_json, warn
from komi.presentation.fields import select
from komi.proof.prove import prove as prove_game
from komi.proof.verification import MAX_GIGABYTES, MAX_SECONDS, MAX_STATES, SeatClaim
from komi.proof.verification import verify as verify_file
from komi.quoting import escaped, quoted
from komi.rounding import round_down, round_up

DIGITS = 12  # of the ends of an interval, which are decimals


@command("prove")
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
                "game": found,
                "rules": found.rules(rules),
                **select(proof, "file", "lower", "upper", "states", "claims", bytes="size"),
            }
        )
    else:
        console().print(f"Written: {file}, {proof.size:,} bytes, which prove that")
        _print_claims(quoted(found.name), proof.claims)


@command("verify")
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
        print_json(found)
    elif found.verified:
        console().print(f"Verified, in {found.evaluated:,} states and {found.seconds:.1f} s:")
        _print_claims(f"{quoted(found.game)} ({_settings(found.rules)})", found.claims)
    else:
        console().print(f"Not verified: {escaped(found.reason)} ({_settings(found.state)})")
    if not found.verified:
        raise typer.Exit(1)


def _print_claims(game: str, claims: Sequence[SeatClaim]) -> None:
    """Print each claim as a sentence."""
    for claim in claims:
        console().print(f"- {_describe(game, claim)} {_format_interval(claim.lower, claim.upper)}{_details(claim)}")


def _describe(game: str, claim: SeatClaim) -> str:
    """Say which number a claim is about."""
    players = len(claim.play)
    player = ("the first player", "the second player")[claim.seat] if players == 2 else f"player {claim.seat + 1}"
    endless = "" if claim.endless is None else f", if an endless game counts {claim.endless} for {player},"
    if all(policy is None for policy in claim.play):
        return f"the value of {game}{f' to {player}' * (players > 1)}{endless} is"
    names = ["best play" if policy is None else quoted(policy) for policy in claim.play]
    if players == 1:
        return f"{names[0]} gets in {game}"
    return f"{player} gets in {game}, by {', '.join(names)} in turn{endless}"


def _settings(values: Mapping[str, object] | None) -> str:
    """Write the rules of a certificate, or the fields of a state."""
    return escaped(", ".join(f"{name}={value}" for name, value in (values or {}).items()))


def _details(claim: SeatClaim) -> str:
    if claim.beyond:
        unchecked = f"{claim.beyond:,} unchecked state{'s' * (claim.beyond != 1)}"
        return f", provided that after {unchecked} the rules are valid and payoffs stay in their range"
    return "" if claim.plies is None else f", in {claim.plies} plies"


def _format_interval(lower: float | None, upper: float | None) -> str:
    """Write an interval, rounded outwards; a single number if it has no width."""
    low = "" if lower is None else f"{round_down(Decimal(repr(lower)), DIGITS):.{DIGITS}g}"
    high = "" if upper is None else f"{round_up(Decimal(repr(upper)), DIGITS):.{DIGITS}g}"
    if low and high:
        return low if low == high else f"from {low} to {high}"
    return f"at least {low}" if low else f"at most {high}"
