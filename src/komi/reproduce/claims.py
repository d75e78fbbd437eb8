"""All published claims, and their comparison with the results of komi."""

from collections.abc import Iterator
from dataclasses import dataclass

from komi.errors import InputError
from komi.reproduce import (
    farkle,
    fowl_play,
    pig,
    pig_solitaire,
    red7,
    risk,
    royal_game_of_ur,
    shelf,
    traffic_lights,
    yahtzee,
)
from komi.reproduce.claim import EXAMPLES, SOURCES, PublishedClaim

CLAIMS = (
    *fowl_play.CLAIMS,
    *pig.CLAIMS,
    *pig_solitaire.CLAIMS,
    *risk.CLAIMS,
    *yahtzee.CLAIMS,
    *farkle.CLAIMS,
    *traffic_lights.CLAIMS,
    *red7.CLAIMS,
    *royal_game_of_ur.CLAIMS,
    *shelf.CLAIMS,
)


@dataclass(frozen=True)
class Outcome:
    """A claim beside the result of komi; `fails` if they should agree and do not."""

    id: str
    source: str
    what: str
    published: str
    ours: str
    agrees: bool
    note: str
    fails: bool


def reproduce(only: str | None = None) -> Iterator[Outcome]:
    """Compute the result of komi for every claim, or for the one named.

    Claims about rule files in `examples` are left out where that folder is missing.

    Raises:
        InputError: if the claim does not exist, or if its rule file is missing.
    """
    chosen = [claim for claim in CLAIMS if only in (None, claim.id)]
    if not chosen:
        raise InputError(f"there is no claim {only!r}: there are {', '.join(claim.id for claim in CLAIMS)}.")
    found = [claim for claim in chosen if not claim.example or (EXAMPLES / claim.example).exists()]
    if not found:
        raise InputError(
            f"claim {only!r} is about examples/{chosen[0].example}, which is not installed: run komi in a copy of "
            "its source code."
        )
    return (_compared(claim) for claim in found)


def _compared(claim: PublishedClaim) -> Outcome:
    finding = claim.find()
    agrees = finding.ours == claim.published if finding.agrees is None else finding.agrees
    source = f"[{claim.source}] {SOURCES[claim.source]}"
    return Outcome(
        claim.id,
        source,
        claim.what,
        claim.published,
        finding.ours,
        agrees,
        finding.note,
        not agrees and not claim.disputed,
    )
