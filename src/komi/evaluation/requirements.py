"""Requirements of evaluations: the kinds of games that each supports, and errors that give the reason."""

from komi.errors import SolveError
from komi.rules.kind import Kind, average_refusal, check_no_average


def is_two_player_zero_sum(kind: Kind) -> bool:
    """Return whether a game is a two-player zero-sum game of perfect information without rewards during play."""
    return kind.seats == 2 and kind.is_opposed and not (kind.rewards or kind.hidden)


def strategy_refusal(kind: Kind, has_plies: bool) -> str | None:
    """Return a sentence on why no strategies of one action in each state are searched; None if they are.

    Args:
        kind: the kind of game.
        has_plies: True if its values are win, draw or loss, as without chance.
    """
    if kind.reason_to_mix and kind.seats == 1:
        return (
            f"in {kind.name} {kind.reason_to_mix}: strategies of one action in each state are searched for games of "
            "one player who sees everything."
        )
    if kind.reason_to_mix:
        return (
            f"in {kind.name} {kind.reason_to_mix}, so optimal play can mix actions, and such a policy takes one action "
            "in each state: 'komi teach' searches strategies for such games with few actions."
        )
    return teaching_refusal(kind, has_plies)


def teaching_refusal(kind: Kind, has_plies: bool) -> str | None:
    """Return a sentence on why no strategies to remember are searched in a game of this kind; None if they are."""
    if not kind.is_opposed:
        return (
            "strategies to remember are searched for games in which the interests of the players are opposed: in "
            f"{kind.name} they need not be ('payoff_range')."
        )
    if has_plies:
        return (
            f"strategies to remember are searched for games of chance: {kind.name} is deterministic, and 'komi value' "
            "shows its optimal play in any state."
        )
    return average_refusal(kind)


def check_two_player(kind: Kind) -> None:
    """Check that a game is a two-player zero-sum game of perfect information.

    Raises:
        SolveError: if it is not.
    """
    check_no_average(kind)
    if not is_two_player_zero_sum(kind):
        raise SolveError(f"this works for two-player zero-sum games of perfect information: {_reason(kind)}.")


def check_perfect_information(kind: Kind, what: str = "this works") -> None:
    """Check that a game is single-player, or a two-player zero-sum game of perfect information.

    Args:
        kind: the kind of game.
        what: what works only for such games, as a clause.

    Raises:
        SolveError: if it is not.
    """
    check_no_average(kind)
    if not is_two_player_zero_sum(kind) and kind.seats != 1:
        raise SolveError(
            f"{what} for single-player games, and for two-player zero-sum games of perfect information: "
            f"{_reason(kind)}."
        )


def check_comparable(kind: Kind) -> None:
    """Check that the losses of a policy are known in each state, or in each information set.

    Raises:
        SolveError: if they are not.
    """
    if not kind.is_concealed:
        check_perfect_information(kind)


def check_won_or_lost(kind: Kind, what: str) -> None:
    """Check that values are probabilities of winning.

    Args:
        kind: the kind of game.
        what: what works only for such games, as a clause.

    Raises:
        SolveError: if the game is played for points or money.
    """
    if not kind.payoffs.is_chance:
        raise SolveError(f"{what} by the probability of winning: {kind.name} has a 'payoff_range'.")


def _reason(kind: Kind) -> str:
    if kind.seats != 2:
        return f"{kind.name} is for {kind.seats} player{'s' * (kind.seats != 1)}"
    if not kind.is_opposed:
        return f"in {kind.name} the interests of the players need not be opposed"
    return f"{kind.name} has rewards during play" if kind.rewards else f"in {kind.name} {kind.reason_to_mix}"
