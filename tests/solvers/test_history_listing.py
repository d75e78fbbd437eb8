"""The sequence form of a game is that of a plain recursion over all its histories, with interpreted rules."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.compiling.compiled import CompiledGame, compiled_game
from komi.game import CHANCE
from komi.graph import listed_rules
from komi.progress import silent
from komi.rules import catalog
from komi.rules.game import Game
from komi.solvers.hidden.history_listing import sequence_form
from komi.solvers.hidden.sequence_form import SequenceForm

from slowly import slowly

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT.parent / "examples"
HIDDEN = catalog.find(str(ROOT / "games" / "random_hidden.py"))
INFORMATION = catalog.find(str(ROOT / "games" / "random_information.py"))

Sequence = tuple[tuple[Any, int], ...]
"""Observations and actions of a player."""
Payoffs = dict[tuple[Sequence, ...], list[float]]
Reach = dict[tuple[int, Any, tuple[Sequence, ...]], float]


class Tree:
    """All histories of a game.

    Attributes:
        payoffs: the sums of probability times share of each seat, by the sequences of all players.
        reach: the probability of chance, by the mover, its observation and the sequences of all players.
        plies: the most plies of a game.
    """

    def __init__(self, game: Game, rules: Any) -> None:
        self.game, self.rules, self.seats, self.plies = game, rules, game.players(rules), 0
        self.payoffs: Payoffs = defaultdict(lambda: [0.0] * self.seats)
        self.reach: Reach = defaultdict(float)
        self.visit(game.part("start")(rules), 0, ((),) * self.seats, 1.0, 0)

    def visit(self, state: Any, seat: int, known: tuple[Sequence, ...], chance: float, ply: int) -> None:
        """Add a history, and all that begin with it."""
        game, rules = self.game, self.rules
        self.plies = max(self.plies, ply)
        if game.part("over")(rules, state):
            for each, share in enumerate(game.shares(rules, state)):
                self.payoffs[known][(seat + each) % self.seats] += chance * share
            return
        seen = game.part("view")(rules, state)
        for action in game.part("legal")(rules, state):
            after = known
            if action != CHANCE:
                after = (*known[:seat], (*known[seat], (seen, action)), *known[seat + 1 :])
            for probability, successor, passes in game.part("outcomes")(rules, state, action):
                if probability > 0.0:
                    self.visit(successor, (seat + passes) % self.seats, after, chance * probability, ply + 1)
        if action != CHANCE:
            self.reach[seat, seen, known] += chance


def named(form: SequenceForm, game: Game) -> tuple[Payoffs, Reach]:
    """Return the entries of a sequence form by observations and actions."""
    observations = [game.module.State(*fields) for fields in form.graph.observed.all_fields().tolist()]

    def name(seat: int, sequence: int) -> Sequence:
        return tuple((observations[seen], action) for seen, action in form.players[seat].decisions(sequence))

    payoffs, reach = {}, {}
    for keys, *shares in zip(
        form.players[0].payoffs.keys.tolist(), *(player.payoffs.values.tolist() for player in form.players), strict=True
    ):
        payoffs[tuple(name(seat, each) for seat, each in enumerate(keys))] = shares
    for player in form.players:
        for keys, chance in zip(player.reach.keys.tolist(), player.reach.values.tolist(), strict=True):
            seen = observations[player.observations[keys[player.seat]]]
            keys[player.seat] = int(player.parents[keys[player.seat]])
            reach[player.seat, seen, tuple(name(seat, each) for seat, each in enumerate(keys))] = chance
    return payoffs, reach


def check_listing(game: Game, rules: Any, compiled: CompiledGame | None = None) -> None:
    form = sequence_form(compiled or compiled_game(game), rules, game.part("start")(rules), silent)
    tree = Tree(game, rules)
    payoffs, reach = named(form, game)
    assert payoffs.keys() == tree.payoffs.keys()
    assert reach.keys() == tree.reach.keys()
    for key, shares in tree.payoffs.items():
        assert payoffs[key] == pytest.approx(shares, abs=1e-12)
    for place, chance in tree.reach.items():
        assert reach[place] == pytest.approx(chance, abs=1e-12)
    assert form.plies == tree.plies
    assert form.sets == len({(seat, seen) for seat, seen, _ in tree.reach})
    ply_of = {int(state): place for place, state in enumerate(form.order)}
    arrays = form.graph.arrays
    for state in ply_of:
        actions = range(arrays.ends[state - 1] if state else 0, arrays.ends[state])
        begin = arrays.outcome_ends[actions.start - 1] if actions.start else 0
        after = arrays.target[begin : arrays.outcome_ends[actions.stop - 1]].tolist()
        assert all(ply_of[each] > ply_of[state] for each in after if each >= 0)


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("kuhn_poker", {}),
        ("kuhn_poker_three", {}),
        *slowly(("leduc_poker", {"ranks": 2}), ("liars_dice", {"sides": 3})),
    ],
)
def test_examples_are_listed_as_a_recursion_lists_them(name: str, rules: dict[str, int]) -> None:
    game = catalog.find(str(EXAMPLES / f"{name}.py"))
    check_listing(game, game.rules(rules))


@pytest.mark.parametrize("plan", range(6))
def test_random_games_are_listed_as_a_recursion_lists_them(plan: int) -> None:
    check_listing(HIDDEN, HIDDEN.rules({"plan": plan, "seats": 2 + plan % 2, "steps": 2 + plan}))


def test_compiled_rules_are_listed_as_a_recursion_lists_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listed_rules, "MAX_OUTCOMES", 0)
    compiled = CompiledGame(HIDDEN)
    for plan in range(10, 16):
        check_listing(HIDDEN, HIDDEN.rules({"plan": plan, "seats": 2 + plan % 2, "steps": 5}), compiled)


@pytest.mark.slow
def test_thousands_of_random_games_are_listed_as_a_recursion_lists_them() -> None:
    for plan in range(1000, 3000):
        check_listing(HIDDEN, HIDDEN.rules({"plan": plan, "seats": 2 + plan % 2, "steps": plan % 7 + 1}))
    listed = 0
    for plan in range(1000, 3000):
        rules = INFORMATION.rules({"plan": plan, "hidden": plan % 2, "skips": plan % 3 * 8, "laps": plan % 2 * 16})
        try:
            check_listing(INFORMATION, rules)
            listed += 1
        except (komi.SolveError, komi.GameError):
            continue
    assert listed > 100
