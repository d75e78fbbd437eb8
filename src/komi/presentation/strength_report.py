"""The strength of a policy as text and JSON, for the commands that find policies: `teach` and `approximate`."""

from komi.evaluation.match_result import Match
from komi.evaluation.strength import PolicyStrength, format_loss
from komi.presentation.fields import select
from komi.presentation.formatting import format_value
from komi.rules.kind import Kind


def strength_json(strength: PolicyStrength) -> dict[str, object]:
    """Return the strength as an object of JSON."""
    common = select(strength, "objective", "loss", "worst_case")
    if isinstance(strength.match, Match):
        return common | select(strength.match, "average", first="first.wins", second="second.wins")
    return common | select(strength, "values", "optimal")


def strength_text(strength: PolicyStrength, kind: Kind) -> list[str]:
    """Describe the strength in sentences."""
    loss = format_loss(kind, strength.loss)
    if kind.seats == 1:
        value, best = (format_value(kind, each) for each in (*strength.values, *strength.optimal))
        return [f"Its {strength.objective}: {value}, with optimal play {best}: it loses {loss}."]
    if strength.worst_case is not None:
        first, second, worst = (format_loss(kind, each) for each in (*strength.values, strength.worst_case))
        its_result = "it wins" if kind.is_chance else f"its {strength.objective}:"
        lost = f"it loses {loss}{' of winning' * kind.is_chance}"
        optimal = f"Against optimal play {its_result} {first} moving first and {second} moving second"
        exploited = f"Against its best response, {its_result} {worst}"
        if kind.simultaneous:
            return [f"{exploited}: {lost} to an opponent who knows it.", f"{optimal}."]
        return [f"{optimal}: {lost}, compared with optimal play.", f"{exploited}."]
    values, optimal = (
        ", ".join(f"{100 * each:.3f} %" for each in side) for side in (strength.values, strength.optimal)
    )
    return [
        f"Among others who keep to the equilibrium it wins, by seats, the first to move first: {values} "
        f"(the equilibrium: {optimal}). It loses {loss} of winning, averaged over the seats."
    ]
