"""The published numbers of battles in Risk."""

from komi.reproduce.claim import Finding, PublishedClaim, solved

BATTLES = ((5, 5), (10, 10), (3, 3), (2, 1))


def _attacker_wins() -> Finding:
    chances = [solved("risk-battle", attackers=attackers, defenders=defenders) for attackers, defenders in BATTLES]
    return Finding(" ".join(f"{chance.value():.3f}".lstrip("0") for chance in chances))


CLAIMS = (
    PublishedClaim(
        "risk-battle",
        "O03",
        "Risk: attacker wins with 5 armies able to attack against 5, 10 against 10, 3 against 3, 2 against 1",
        ".506 .568 .470 .754",
        _attacker_wins,
    ),
)
