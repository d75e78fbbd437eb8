"""For which kinds of games policies are measured in which way, and one sentence where they are not."""

from typing import Any

from komi.errors import SolveError
from komi.kind import Kind
from komi.methods.answer import Answer


def is_duel(kind: Kind) -> bool:
    """Whether two players who see all play, of whom one wins what the other loses."""
    return kind.seats == 2 and not (kind.rewards or kind.hidden)


def check_duel(answer: Answer[Any]) -> None:
    """See that it is a game of two who see all, of whom one wins what the other loses.

    Raises:
        SolveError: if not.
    """
    if not is_duel(answer.kind):
        raise SolveError(
            "this works for games of two players who see everything, one of whom wins what the other loses: "
            f"{_why(answer.kind)}."
        )


def check_followed(answer: Answer[Any]) -> None:
    """See that games of policies are followed state by state: those of one player, and of two who see all.

    Raises:
        SolveError: if not.
    """
    if not is_duel(answer.kind) and answer.kind.seats != 1:
        raise SolveError(
            "this works for games of one player, and of two who see everything, one of whom wins what the other loses: "
            f"{_why(answer.kind)}."
        )


def _why(kind: Kind) -> str:
    if kind.seats != 2:
        return f"{kind.name} is for {kind.seats} player{'s' * (kind.seats != 1)}"
    return f"{kind.name} has rewards on the way" if kind.rewards else f"{kind.name} hides something"
