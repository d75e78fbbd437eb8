"""The claim about Traffic Lights that a computer found no winning strategy."""

from komi.reproduce.claim import Finding, PublishedClaim, solved


def _first_player() -> Finding:
    lights = solved("traffic-lights")
    first = lights.action_values()[0]
    note = (
        f"{first.result} for the first player in {first.plies} plies, first move {first.label}: take the centre, then "
        "complete a line if possible, else move opposite to the other player; a test plays this out against all replies"
    )
    outcome = {"win": "first player wins", "loss": "second player wins", "draw": "no winning strategy"}
    return Finding(outcome[lights.value()], note)


CLAIMS = (
    PublishedClaim(
        "traffic-lights",
        "TL",
        "Traffic Lights, 3x3: what a computer found",
        "no winning strategy",
        _first_player,
        disputed=True,
    ),
)
