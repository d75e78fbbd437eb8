"""The published numbers of Fowl Play and Red Light."""

from functools import cache
from typing import Any

import numpy as np

from komi.evaluation.match_result import Match
from komi.evaluation.two_player import match_two_player
from komi.graph.reachability import find_possible
from komi.graph.state_sets import StateSet
from komi.policies.lookahead import max_score_policy
from komi.policies.named import find
from komi.reproduce.claim import Finding, PublishedClaim, percent, solved
from komi.solvers.solution import Solution


@cache
def _optimal_game(game: str, komi: int) -> Match:
    solution = solved(game, komi=komi)
    optimal = find("optimal", solution)
    return match_two_player(solution, optimal, optimal)


def _first_wins() -> Finding:
    return Finding(percent(solved("fowl-play").value()))


def _actions() -> Finding:
    return Finding(f"{_optimal_game('fowl-play', 0).expected_actions:.2f}")


def _komi_one() -> Finding:
    game = _optimal_game("fowl-play", 1)
    return Finding(f"{percent(game.first.wins)}; {game.expected_actions:.2f}")


def _all_states() -> StateSet:
    solution = solved("fowl-play")
    return find_possible(solution.compiled, solution.rules, solution.optimal_play.states.layout)


def _states() -> Finding:
    reachable = solved("fowl-play").states
    note = f"counts turn totals up to i + k = 50 inclusive, reachable or not; play can reach {reachable:,} of them"
    return Finding(f"{_all_states().size:,}", note)


def _max_score_agrees() -> Finding:
    solution = solved("fowl-play")
    every = _all_states()
    solution.include(_entrances(solution, every))
    arrays = solution.optimal_play
    assert arrays.states.size == every.size
    table = max_score_policy(solution.compiled, solution.rules, arrays.states)
    return Finding(percent(float((table.actions == arrays.choices).mean())), "of all states as counted above")


def _entrances(solution: Solution[Any], every: StateSet) -> list[object]:
    """Return the states that play cannot reach from the start."""
    unreached = StateSet.from_bits(every.layout, every.keys & ~solution.optimal_play.states.keys)
    state_class = solution.game.module.State
    return [state_class(*unreached.fields(index)) for index in range(unreached.size)]


def _max_score_match() -> Finding:
    solution = solved("fowl-play")
    result = match_two_player(solution, find("max-score", solution), find("optimal", solution))
    numbers = (result.average, result.first.wins, result.second.wins)
    return Finding(", ".join(f"{number:.3f}".lstrip("0") for number in numbers))


def _hold_values() -> Finding:
    every = _all_states()
    fields = every.layout
    blocks = np.flatnonzero(every.keys)
    bits = np.unpackbits(every.keys[blocks].view(np.uint8), bitorder="little").reshape(-1, 64).astype(bool)
    words = (blocks[:, None] * 64 + np.arange(64))[bits]
    turn = solved("fowl-play").game.module.State._fields.index("turn")
    fresh = np.count_nonzero(((words >> fields.shifts[turn]) & fields.masks[turn]) == 0)
    return Finding(f"{fresh:,}", "one for each pair of scores and each number of wolves and chickens out")


def _worked_example() -> Finding:
    return Finding(str(solved("fowl-play").best("score=47,rival=49,turn=2,wolves=5,chickens=41")))


def _red_light_fair() -> Finding:
    return Finding(f"{abs(solved('red-light').value() - 0.5):.5f}")


def _red_light_actions() -> Finding:
    return Finding(f"{_optimal_game('red-light', 1).expected_actions:.3f}")


def _red_light_situations() -> Finding:
    rules = solved("red-light").rules
    turns = sum(rules.goal - score for score in range(rules.goal))
    count = turns * rules.goal * rules.red * (rules.green + 1)
    note = (
        "counts every i + k < 50 with 0-3 reds and 0-24 greens out, also impossible ones with more points at risk than "
        f"greens out; play can reach {solved('red-light').states:,} states, those with i + k = 50 included"
    )
    return Finding(f"{count:,}", note)


def _losing_draw() -> Finding:
    solution = solved("red-light")
    states, choices = solution.optimal_play.states, solution.optimal_play.choices
    for index in np.flatnonzero(choices == solution.game.module.DRAW):
        state = solution.game.module.State(*states.fields(int(index)))
        if state.red == 2 and state.green == solution.rules.green and state.turn > 0:
            values = solution.actions(state)
            note = (
                f"in {solution.game.write(solution.rules, state)}: draw {values['draw']:.4f}, hold {values['hold']:.4f}"
            )
            return Finding("exists", note)
    return Finding("does not exist")


CLAIMS = (
    PublishedClaim("fowl-play-first", "F14", "Fowl Play: first player wins with optimal play", "52.42 %", _first_wins),
    PublishedClaim("fowl-play-actions", "F14", "... expected player actions", "164.98", _actions),
    PublishedClaim(
        "fowl-play-komi", "F14", "... with komi 1: first player wins; expected actions", "50.54 %; 163.23", _komi_one
    ),
    PublishedClaim("fowl-play-states", "F14", "non-terminal states of Fowl Play", "10,487,700", _states),
    PublishedClaim(
        "max-score-agrees", "F14", "max-score decides as the optimal player in", "90.04 %", _max_score_agrees
    ),
    PublishedClaim(
        "max-score-match",
        "F14",
        "max-score against optimal: average, first, second",
        ".459, .484, .434",
        _max_score_match,
    ),
    PublishedClaim("hold-values", "F14", "hold values of Fowl Play", "645,000", _hold_values),
    PublishedClaim(
        "worked-example", "F14", "rival 49, own 47, turn 2, one wolf and one chicken left", "draw", _worked_example
    ),
    PublishedClaim("red-light-fair", "RL", "Red Light: distance from a fair game", "0.00001", _red_light_fair),
    PublishedClaim("red-light-actions", "RL", "... expected actions", "169.748", _red_light_actions),
    PublishedClaim(
        "red-light-situations", "RL", "non-end-game situations of Red Light", "6,375,000", _red_light_situations
    ),
    PublishedClaim(
        "losing-draw", "RL", "2 red and no green left: optimal play may draw a red on purpose", "exists", _losing_draw
    ),
)
