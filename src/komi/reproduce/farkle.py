"""The published number of Farkle."""

from komi.design.fair import fair
from komi.reproduce.claim import Finding, PublishedClaim
from komi.rounding import format_bound


def _fair_komi() -> Finding:
    solution = fair("farkle")
    opening = dict(solution.rows)[solution.best]
    return Finding(
        str(solution.best),
        f"the first player wins {100 * opening.first:.2f} %, proved to {format_bound(opening.error_bound)}",
    )


CLAIMS = (PublishedClaim("farkle", "BN17", "Farkle: fair komi for the second player", "200", _fair_komi),)
