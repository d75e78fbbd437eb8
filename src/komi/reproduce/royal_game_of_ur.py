"""The published numbers of the Royal Game of Ur; Finkel's rules take a quarter of an hour, and 7 GB of memory."""

from functools import partial

from komi.reproduce.claim import Finding, PublishedClaim, percent, solved
from komi.rounding import format_bound


def _first_player(rules: str) -> Finding:
    solution = solved("royal-game-of-ur", rules=rules)
    return Finding(
        percent(solution.value(), 10), f"{solution.states:,} states, proved to {format_bound(solution.error_bound)}"
    )


CLAIMS = (
    PublishedClaim(
        "ur-blitz",
        "R24",
        "Royal Game of Ur, Blitz: first player wins with optimal play",
        "50.4052555093 %",
        partial(_first_player, "blitz"),
    ),
    PublishedClaim(
        "ur-finkel",
        "R24",
        "... by Finkel's rules, seven pieces each",
        "51.5404732509 %",
        partial(_first_player, "finkel"),
    ),
)
