"""The published numbers of single-player Yahtzee."""

from komi.reproduce.claim import Finding, PublishedClaim, solved
from komi.rounding import format_bound


def _expected(note: str = "", **rules: int | str) -> Finding:
    solution = solved("yahtzee", **rules)
    proved = "proved" if solution.is_proved else "by hints that hold in a random sample of states"
    return Finding(f"{solution.value():.4f}", f"{proved} to {format_bound(solution.error_bound)}{note}")


def _forced() -> Finding:
    return _expected()


def _free() -> Finding:
    return _expected(joker="free")


def _plain() -> Finding:
    return _expected("; the 35 points of the upper section count", joker="none", yahtzee_bonus=0)


CLAIMS = (
    PublishedClaim("yahtzee", "V99", "Yahtzee alone: most expected points, joker forced", "254.5877", _forced),
    PublishedClaim("yahtzee-free", "V99", "... with a free choice of box for a joker", "254.5896", _free),
    PublishedClaim("yahtzee-plain", "V99", "... without Yahtzee bonuses and jokers", "245.8708", _plain),
)
