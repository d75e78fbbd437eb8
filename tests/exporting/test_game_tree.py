"""Game trees, read back by a small parser, have komi's value and the information sets of the rules."""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from komi.errors import GameError, InputError
from komi.exporting.export_model import export_model
from komi.solvers.solve import solve

import rulefiles

GAMES = Path(__file__).parents[1] / "games"
SHORT: list[Any] = [
    ("risk-battle", {"attackers": 3, "defenders": 2}),
    ("pig-solitaire", {"goal": 6, "turns": 1, "sides": 3}),
    pytest.param(str(GAMES / "last_match.py"), {}, marks=pytest.mark.slow),
]


class Tree:
    """A game tree: its nodes are read as their values are computed."""

    def __init__(self, file: Path) -> None:
        title, _, _, *self.lines = file.read_text().splitlines()
        assert title.startswith("EFG 2 R ")
        self.players = len(re.findall(r'"player \d+"', title))
        self.sets: dict[tuple[int, int], list[list[str]]] = {}  # the actions of each node, by player and set
        self._left = iter(self.lines)

    def payoffs(self) -> list[Fraction]:
        """Compute the payoffs of backward induction, which ignores information sets; read every line."""
        found = self._node(self._left)
        assert next(self._left, None) is None
        return found

    def _node(self, lines: Iterator[str]) -> list[Fraction]:
        line = next(lines)
        if line[0] == "t":
            return [Fraction(each) for each in line.partition("{")[2].strip(" }").split(", ")]
        if line[0] == "c":
            chances = [Fraction(each) for each in re.findall(r'" (\S+)', line.partition("{")[2])]
            assert sum(chances) == 1
            below = [self._node(lines) for _ in chances]
            return [
                sum((p * each[i] for p, each in zip(chances, below, strict=True)), Fraction(0))
                for i in range(self.players)
            ]
        player, number = map(int, re.match(r'p "" (\d+) (\d+) ', line).groups())  # type: ignore[union-attr]
        actions = re.findall(r'"([^"]*)"', line.partition("{")[2])
        self.sets.setdefault((player, number), []).append(actions)
        return max((self._node(lines) for _ in actions), key=lambda payoffs: payoffs[player - 1])


@pytest.mark.parametrize(("game", "rules"), SHORT)
def test_backward_induction_finds_komis_value(game: str, rules: dict[str, Any], tmp_path: Path) -> None:
    result = export_model(game, tmp_path / "tree.efg", **rules)
    tree = Tree(tmp_path / "tree.efg")
    assert result.states == len(tree.lines)
    payoffs = tree.payoffs()
    assert float(payoffs[0]) == pytest.approx(solve(game, **rules).expected_value(), abs=1e-9)
    assert all(len(nodes) == 1 for nodes in tree.sets.values())
    if tree.players == 2:
        assert sum(payoffs) == 1


def test_a_hidden_choice_is_one_information_set(tmp_path: Path) -> None:
    export_model(str(GAMES / "matching_pennies.py"), tmp_path / "tree.efg")
    tree = Tree(tmp_path / "tree.efg")
    tree.payoffs()
    assert {player: len(nodes) for (player, _), nodes in tree.sets.items()} == {1: 1, 2: 2}


def test_players_remember_what_they_have_seen_and_done(tmp_path: Path) -> None:
    """In one game of two coin tosses, the second guess knows the first, and open actions are known to all."""
    rules = rulefiles.write(
        tmp_path,
        ("    turn: int\n", "    turn: int\n    toss: int = 0\n"),
        (
            "def over(rules, state):\n    return state.rival >= rules.goal",
            "def over(rules, state):\n    return state.turn == 3",
        ),
        ("    return 0.0", "    return 0.5"),
    )
    text = rules.read_text()
    head, _, rest = text.partition("def legal")
    tail = rest[rest.index("def over") :]
    moves = """def legal(rules, state):
    yield ROLL
    yield HOLD


def outcomes(rules, state, action):
    yield 1.0, State(0, 0, state.turn + 1, action), 1


def view(rules, state):
    return State(0, 0, state.turn, 0)


"""
    rules.write_text(head + moves + tail)
    export_model(str(rules), tmp_path / "tree.efg")
    tree = Tree(tmp_path / "tree.efg")
    tree.payoffs()
    sizes = sorted((player, len(nodes)) for (player, _), nodes in tree.sets.items())
    assert sizes == [(1, 1), (1, 2), (1, 2), (2, 2)]  # the first remembers its own action, and sees no other
    rules.write_text(head.replace("players = 2", "players = 2\nopen_actions = True") + moves + tail)
    export_model(str(rules), tmp_path / "tree.efg")
    tree = Tree(tmp_path / "tree.efg")
    tree.payoffs()
    assert all(len(nodes) == 1 for nodes in tree.sets.values())


def test_trees_that_do_not_end_or_make_no_sense_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the tree of piglet has more than 100,000 nodes, or no end"):
        export_model("piglet", tmp_path / "tree.efg")
    with pytest.raises(InputError, match="a game tree holds the choices of all players"):
        export_model("piglet", tmp_path / "tree.efg", fix={1: "optimal"})


def test_states_with_the_same_view_have_the_same_actions(tmp_path: Path) -> None:
    rules = tmp_path / "pennies.py"
    text = (GAMES / "matching_pennies.py").read_text()
    rules.write_text(text.replace("    yield 1\n", "    if state.chosen != 2:\n        yield 1\n", 1))
    with pytest.raises(GameError, match="a state with the same view has other legal actions than chosen=2,guess=0"):
        export_model(str(rules), tmp_path / "tree.efg")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_gambit_finds_komis_value(tmp_path: Path) -> None:
    gambit = pytest.importorskip("pygambit", reason="pip install pygambit")
    for name in ("matching_pennies", "chosen_in_vain"):
        game = str(GAMES / f"{name}.py")
        export_model(game, tmp_path / "tree.efg")
        tree = gambit.read_efg(str(tmp_path / "tree.efg"))
        assert tree.is_perfect_recall
        [equilibrium, *_] = gambit.nash.lcp_solve(tree).equilibria
        assert float(equilibrium.payoff(next(iter(tree.players)))) == pytest.approx(
            solve(game).expected_value(), abs=1e-9
        )
