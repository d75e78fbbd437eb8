"""Games without chance solved straight from the definition of a win: slow, and obviously right."""

from typing import Any

from komi.rules.game import Game

Result = tuple[str, int | None]  # "win", "draw" or "loss" of the mover, and plies


def results(game: Game, rules: Any, root: Any) -> dict[Any, Result]:
    """Compute the result of every position reachable from the root, terminal ones included."""
    follow = reachable(game, rules, root)
    found: dict[Any, Result] = {}
    for state, moves in follow.items():
        if not moves:
            payoff = game.part("payoff")(rules, state)
            found[state] = ({0.0: "loss", 0.5: "draw", 1.0: "win"}[payoff], None if payoff == 0.5 else 0)
    plies = 0
    waiting = [state for state in follow if state not in found]
    late = 0
    while late < 3:  # so many rounds without news, and there will be none
        plies += 1
        new = {}
        for state in waiting:
            seen = [as_mover(found.get(after, ("draw", None)), passes) for after, passes in follow[state]]
            if ("win", plies - 1) in seen:
                new[state] = ("win", plies)
            elif all(value == "loss" for value, _ in seen):
                new[state] = ("loss", plies)
        found |= new
        waiting = [state for state in waiting if state not in new]
        late = 0 if new else late + 1
    return found | dict.fromkeys(waiting, ("draw", None))


def reachable(game: Game, rules: Any, root: Any) -> dict[Any, list[tuple[Any, int]]]:
    """Return each position's (position after it, seats passed)."""
    follow: dict[Any, list[tuple[Any, int]]] = {}
    waiting = [root]
    while waiting:
        state = waiting.pop()
        if state in follow:
            continue
        follow[state] = []
        if not game.part("over")(rules, state):
            for action in game.part("legal")(rules, state):
                follow[state] += [(after, passes) for _, after, passes in game.outcomes(rules, state, action)]
            waiting += [after for after, _ in follow[state]]
    return follow


def as_mover(result: Result, passes: int) -> Result:
    value, plies = result
    return ({"win": "loss", "draw": "draw", "loss": "win"}[value] if passes % 2 else value), plies
