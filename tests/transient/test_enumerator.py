"""The enumerator lists the nodes and outcomes of a roll that the interpreted rules yield."""

from typing import Any

import numpy as np
import pytest

from games import little_card, two_dice_kept
from komi.compiling.compiled import CompiledGame
from komi.graph.reachability_kernel import ExplorationStatus
from komi.rules.game import Game
from komi.transient.enumerator import ENDED, STORED, Roll, RulesContext, enumerate_roll

from slowly import slowly


def enumerated(rules: Any, seats: int, state: Any, inside: Any, roll: Any, witness: Any) -> int:
    return enumerate_roll(RulesContext(rules, seats, 100), state, inside, roll, witness)


def expected_roll(game: Game, rules: Any, root: Any) -> dict[Any, list[list[tuple[float, Any]]]]:
    """List the outcomes of each action of each node, by the interpreted rules."""
    over, transient = game.part("over"), game.part("transient")
    nodes: dict[Any, list[list[tuple[float, Any]]]] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node not in nodes:
            actions = game.part("legal")(rules, node)
            nodes[node] = [[(p, after) for p, after, _ in game.part("outcomes")(rules, node, a)] for a in actions]
            successors = [after for action in nodes[node] for _, after in action]
            waiting += [after for after in successors if not over(rules, after) and transient(rules, after)]
    return nodes


@pytest.mark.parametrize("module", [little_card, *slowly(two_dice_kept)], ids=lambda module: module.__name__)
def test_nodes_and_outcomes_are_those_of_the_rules(module: Any) -> None:
    game = Game(module.__name__.rpartition(".")[2].replace("_", "-"), module)
    rules, compiled = game.default_rules, CompiledGame(game)
    root = game.part("start")(rules)
    roll = Roll.empty(256, len(root))
    witness = np.zeros(len(root) + 1, np.int64)
    kernel = compiled.kernels[enumerated]
    status = kernel(rules, game.players(rules), root, np.ones(len(root), np.bool_), roll, witness)
    assert status == ExplorationStatus.DONE
    expected = expected_roll(game, rules, root)
    nodes = [game.module.State(*fields) for fields in roll.fields[: roll.counts[0]].tolist()]
    assert nodes[0] == root
    assert set(nodes) == set(expected)
    position = roll.order.position
    action = outcome = 0
    for index, node in enumerate(nodes):
        for outcomes in expected[node]:
            for probability, after in outcomes:
                target = int(roll.outcomes.target[outcome])
                assert roll.outcomes.probability[outcome] == probability
                assert tuple(roll.outcomes.fields[outcome]) == tuple(after)
                if target >= 0:
                    assert nodes[target] == after
                    assert position[target] < position[index], "children come first"
                else:
                    assert target == (ENDED if game.part("over")(rules, after) else STORED)
                outcome += 1
            assert roll.action_outcomes[action] == outcome
            action += 1
        assert roll.node_actions[index] == action
