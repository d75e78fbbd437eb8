"""The summary after a game: the result, the curve of winning chances, the mistakes, and the proof of fair chance."""

from collections.abc import Callable, Sequence
from functools import partial

from rich.table import Table as Columns

from komi.cli.drawing import draw
from komi.cli.output import console, plain_table
from komi.play.fairness import Commitment
from komi.play.review import Review, ReviewedDecision
from komi.play.searching import EstimatedDecision
from komi.play.table import Table
from komi.rules.kind import kind_of

WIDTH, HEIGHT = 64, 6  # of the chart, in characters
BLOCKS = " ▁▂▃▄▅▆▇█"
MAX_MISTAKES = 5


def show_result(table: Table, seat: int, names: Sequence[str]) -> None:
    """Print the result of the game."""
    payoffs = table.payoffs
    assert payoffs is not None
    out = console()
    out.print()
    if table.is_stopped:
        out.print("The game ends here: a position has occurred three times, or the game has lasted too long.")
    results = table.results or payoffs
    is_opposed = table.scale.is_opposed
    winners = [name for name, result in zip(names, results, strict=True) if result == 1.0] if is_opposed else []
    if table.players == 1 and kind_of(table.game, table.rules).rewards:
        out.print(f"The game is over: you get {table.rewards[0] + payoffs[0]:g}.", style="bold")
    elif winners and results[seat] == 1.0:
        out.print("You win.", style="bold")
    elif winners:
        out.print(f"{winners[0]} wins.", style="bold")
    elif table.players == 1:
        out.print(f"The game is over: you get {payoffs[0]:g}.", style="bold")
    elif is_opposed and len(set(payoffs)) == 1:
        out.print("It is a draw.", style="bold")
    else:
        others = [f"{names[other]} gets {payoffs[other]:.4g}" for other in range(table.players) if other != seat]
        out.print(", ".join([f"You get {payoffs[seat]:.4g}", *others]) + ".", style="bold")
    if not table.scale.is_chance:
        out.print(f"Your payoff: {payoffs[seat]:+g} ({table.scale.unit.removeprefix('expected ')}).")
    if table.game.has("view"):
        out.print(f"\nNothing is hidden any more; {names[table.observer]} would be to move:")
        out.print(draw(table, table.state, names))


def show_review(review: Review, table: Table, *, is_chance: bool = True) -> None:
    """Print the curve of winning chances, the split into luck and skill, and the worst mistakes.

    Args:
        review: the review of the game.
        table: the game.
        is_chance: True if values are winning probabilities, False if they are points.
    """
    out = console()
    tell, change = (partial(format_worth, is_chance=is_chance, sign=sign) for sign in ("", "+z"))
    if is_chance:
        revealed = " with nothing hidden" if table.game.has("view") else ""
        out.print(f"\nYour chance of winning{revealed}, from the start to the end:")
        for line in chart([review.start, *review.curve]):
            out.print(line)
    result = review.curve[-1] if review.curve else review.start
    given = review.mistakes if table.game.aim(table.rules) == "least" else -review.mistakes
    others = f", the opponent's {change(review.gifts)}" if table.players > 1 else ""
    out.print(
        f"{tell(review.start)} at the start, {change(review.luck)} by luck, {change(review.skill)} by skill: "
        f"{tell(result)}. Your mistakes made {change(given)}{others}."
    )
    own = sorted(
        (decision for decision in review.decisions if decision.seat == review.seat and decision.loss),
        key=lambda decision: -decision.loss,
    )
    made = sum(decision.seat == review.seat for decision in review.decisions)
    if review.accuracy is not None:
        out.print(
            f"Accuracy {100 * review.accuracy:.1f} of 100: so much you kept of all that you could have given away."
        )
    if not own:
        out.print(f"None of your {made} decisions gave anything away.")
        return
    out.print(f"{len(own)} of your {made} decisions gave something away. The worst:")
    out.print(_mistakes(own[:MAX_MISTAKES], table, tell))


def show_estimated_review(worst: EstimatedDecision | None, table: Table) -> None:
    """Print the decision that a search thinks was the costliest, with the error of that estimate."""
    out = console()
    if worst is None:
        out.print("\nA search finds none of your decisions worse than another by more than its error.")
        return
    is_chance = kind_of(table.game, table.rules).is_chance
    loss = format_worth(worst.loss, is_chance, worst.stderr)
    written = table.game.write(table.rules, worst.state)
    out.print(
        f"\nA search thinks that your costliest move was number {worst.number + 1}, {worst.chosen} in {written}: "
        f"it expects {loss} more from {worst.best}."
    )


def show_fairness(commitment: Commitment, number: str) -> None:
    """Print the seed, and how to verify that all chance events follow from it."""
    out = console()
    seed = commitment.seed.hex()
    out.print("\nThe seed of all chance, whose SHA-256 was shown before the game, and the number that went with it:")
    out.print(f"{seed}\n{number}")
    out.print(
        'The k-th entry of the game, from 0, had as luck the first 53 bits of HMAC-SHA256(seed, "number:k"). Check:'
    )
    out.print(f"python3 -c \"import hashlib; print(hashlib.sha256(bytes.fromhex('{seed}')).hexdigest())\"")


def chart(chances: Sequence[float]) -> list[str]:
    """Draw probabilities as the lines of a chart, at most WIDTH by HEIGHT characters plus the axis."""
    width = min(len(chances), WIDTH)
    last = len(chances) - 1
    shown = [chances[round(column * last / max(width - 1, 1))] for column in range(width)]
    eighths = [round(8 * HEIGHT * chance) for chance in shown]
    lines = []
    for row in reversed(range(HEIGHT)):
        axis = {HEIGHT - 1: "100 %", HEIGHT // 2: " 50 %", 0: "  0 %"}.get(row, "     ")
        lines.append(f"{axis} │" + "".join(BLOCKS[min(max(height - 8 * row, 0), 8)] for height in eighths))
    return lines


def format_worth(value: float, is_chance: bool, stderr: float | None = None, sign: str = "") -> str:
    """Format a value, its change (with sign "+z"), or an estimate with its standard error."""
    scale, digits, unit = (100.0, 1, " %") if is_chance else (1.0, 2, "")
    error = "" if stderr is None else f" ± {scale * stderr:.{digits}f}"
    return f"{scale * value:{sign}.{digits}f}{error}{unit}"


def _mistakes(decisions: Sequence[ReviewedDecision], table: Table, tell: Callable[[float], str]) -> Columns:
    columns = plain_table("move", "where", "you did", "best", "lost")
    for decision in decisions:
        written = table.game.write(table.rules, decision.state)
        chosen, best = (f"{label} {tell(decision.values[label])}" for label in (decision.chosen, decision.best))
        columns.add_row(str(decision.number + 1), written, chosen, best, tell(decision.loss))
    return columns
