"""Small games of OpenSpiel are solved like games of komi."""

from typing import Any

import pytest

import komi

pyspiel = pytest.importorskip("pyspiel")


@pytest.mark.slow
def test_pig_is_the_same_game() -> None:
    theirs = komi.solve(pyspiel.load_game("pig(winscore=10,horizon=200)"))
    assert theirs.value() == pytest.approx(komi.solve("pig", goal=10).value(), abs=1e-9)
    assert theirs.best() == "roll"


@pytest.mark.slow
def test_tic_tac_toe_is_a_draw_and_its_file_a_game() -> None:
    game = komi.find(pyspiel.load_game("tic_tac_toe"))
    assert game.name == "tic-tac-toe"
    assert komi.solve(game).value() == "draw"
    assert komi.solve(str(game.file)).value() == "draw"
    assert komi.check(game).ok


@pytest.mark.parametrize("piles", ["1;2", "2;2;1"])
def test_nim_has_the_value_of_a_plain_search(piles: str) -> None:
    game = pyspiel.load_game(f"nim(pile_sizes={piles})")
    assert komi.solve(game).value() == _minimax(game.new_initial_state())


def _minimax(state: Any) -> str:
    """Compute the value of a game without chance, by plain recursion."""

    def best(state: Any) -> float:
        if state.is_terminal():
            return float(state.returns()[0])
        values = [best(state.child(action)) for action in state.legal_actions()]
        return max(values) if state.current_player() == 0 else min(values)

    return {1.0: "win", 0.0: "draw", -1.0: "loss"}[best(state)]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("kuhn_poker", "see everything: not kuhn_poker"),
        ("matrix_rps", "players move in turn"),
        ("pig(players=3)", "for two with a constant sum: not pig"),
        ("2048", "2048 pays rewards on the way"),
        ("mancala", "mancala has more than 50,000 states"),
    ],
)
def test_other_games_are_refused_with_a_sentence(name: str, reason: str) -> None:
    with pytest.raises(komi.GameError, match=reason):
        komi.solve(pyspiel.load_game(name))


def test_invalid_games_are_refused() -> None:
    with pytest.raises(komi.InputError, match="a game is a name, a rule file, a module, a class, a Game"):
        komi.solve(7)


class Ambiguous:
    """A state whose text is the same for two histories."""

    def __init__(self, path: tuple[int, ...] = ()) -> None:
        self.path = path

    def __str__(self) -> str:
        return {0: "start", 1: "middle", 2: f"end {self.path[:1]}"}[len(self.path)]

    def is_terminal(self) -> bool:
        return len(self.path) == 2

    def is_chance_node(self) -> bool:
        return False

    def current_player(self) -> int:
        return 0

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [0, 1]

    def action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def child(self, action: int) -> "Ambiguous":
        return Ambiguous((*self.path, action))

    def returns(self) -> list[float]:
        return [0.0, 0.0]


def test_texts_that_do_not_determine_the_future_are_refused() -> None:
    game = pyspiel.load_game("nim")

    class Game:
        get_type, num_players = game.get_type, game.num_players
        min_utility, max_utility = game.min_utility, game.max_utility

        def new_initial_state(self) -> Ambiguous:
            return Ambiguous()

    with pytest.raises(komi.GameError, match="two states with the text 'middle' and different futures"):
        komi.find(Game())
