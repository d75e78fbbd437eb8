"""Which games policies can be matched in: those of two players who see all, of whom one wins what the other loses."""

from typing import Any

from komi.errors import SolveError
from komi.kind import Kind
from komi.methods.answer import Answer


def is_duel(kind: Kind) -> bool:
    """Whether policies can be matched in games of this kind."""
    return kind.seats == 2 and not (kind.rewards or kind.hidden)


def check_duel(answer: Answer[Any]) -> None:
    """See that policies can be matched in this game.

    Raises:
        SolveError: if not.
    """
    kind = answer.kind
    if is_duel(kind):
        return
    if kind.seats != 2:
        why = f"{kind.name} is for {kind.seats} player{'s' * (kind.seats != 1)}"
    else:
        why = f"{kind.name} has rewards on the way" if kind.rewards else f"{kind.name} hides something"
    raise SolveError(
        f"policies are matched in games of two players who see all, of whom one wins what the other loses: {why}; "
        "komi simulate plays them."
    )
