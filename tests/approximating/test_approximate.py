"""Networks: what is trained, written down and compiled is the same, and it learns to play."""

from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
from komi import parallel
from komi.approximating.grow_and_prune import _add_units, _remove_unit, grow_and_prune
from komi.approximating.network import Network, max_hidden_units, quantize_layer
from komi.approximating.network_inputs import compute_inputs, create_inputs
from komi.approximating.network_kernels import BLOCK
from komi.approximating.network_loss import NetworkLoss, choose_actions
from komi.approximating.network_source import NAME, network_source
from komi.approximating.optimizer import TrainingDecisions, minimize_loss
from komi.approximating.quantization import quantize
from komi.policies import named
from komi.policies.tabulate import tabulate
from komi.solvers.solution import Solution
from komi.solvers.solve import solve
from komi.teaching.loss_evaluation import LossEvaluator

FOWL = {"goal": 8, "wolves": 2, "chickens": 6}


@pytest.fixture(scope="module")
def fowl() -> Solution[Any]:
    return solve("fowl-play", **FOWL)


def drawn(hidden_inputs: int, skip_inputs: int, actions: int = 2) -> Network:
    network = Network.random(hidden_inputs, skip_inputs, 5, actions, np.random.default_rng(1))
    network.outer[:, 5:] = np.random.default_rng(2).standard_normal((len(network.outer), skip_inputs + 1)) / 4
    return network


def test_the_paper_s_inputs_and_what_the_goal_leaves_of_the_chickens_follow_from_the_rules(fowl: Solution[Any]) -> None:
    states = fowl.optimal_play.states
    inputs = create_inputs(fowl.game, fowl.rules, states)
    indices = np.arange(0, states.size, 97)
    seen = compute_inputs(inputs, states, indices)
    assert (inputs.hidden_inputs, inputs.skip_inputs) == (6, 5)
    assert max_hidden_units(118, inputs, 2) == 14
    assert np.all(np.abs(seen) <= 1.0 + 1e-6)
    for line, index in enumerate(indices):
        state = fowl.game.module.State(*fowl.optimal_play.states.fields(int(index)))
        wolves, chickens = FOWL["wolves"] - state.wolves, FOWL["chickens"] - state.chickens
        lacking = FOWL["goal"] - state.score - state.turn, FOWL["goal"] - state.rival
        own, rival = (max(chickens + 1 - each, 0) / (chickens + 1) for each in lacking)
        inputs_by_hand = (
            *(state.score, state.rival, wolves, state.turn, chickens / max(wolves + chickens, 1), own),
            *(state.turn * wolves / max(wolves + chickens, 1), rival),
        )
        counted = [
            2 * (value - each.least) / (each.most - each.least) - 1
            for value, each in zip(inputs_by_hand, inputs.items, strict=True)
        ]
        assert seen[line] == pytest.approx(counted, abs=1e-6)


def test_a_game_without_stocks_shows_its_fields(fowl: Solution[Any]) -> None:
    pig = solve("pig", goal=20)
    inputs = create_inputs(pig.game, pig.rules, pig.optimal_play.states)
    assert [each.value for each in inputs.items] == ["state.score", "state.rival", "state.turn"]


@pytest.mark.slow
@pytest.mark.parametrize("bits", [None, 8])
def test_a_network_does_the_same_counted_compiled_and_as_its_file(
    fowl: Solution[Any], bits: int | None, tmp_path: Path
) -> None:
    states = fowl.optimal_play.states
    inputs = create_inputs(fowl.game, fowl.rules, states)
    begun = drawn(inputs.hidden_inputs, inputs.skip_inputs)
    layers = [layer.astype(np.float32) for layer in (begun.inner, begun.outer)]
    network = Network(*(quantize_layer(layer, bits).astype(np.float64) for layer in layers))
    compiled = network.actions(inputs, states)
    counted = choose_actions(*network.layers, compute_inputs(inputs, states, np.arange(states.size)))
    assert 0 < np.count_nonzero(compiled) < len(compiled)
    assert np.mean(compiled == counted) > 0.9999  # but for rounding
    file = tmp_path / "network.py"
    file.write_text(network_source(network, inputs, fowl.game, file.name, bits), encoding="utf-8")
    exported = tabulate(named.find(f"{file}:{NAME}", fowl), fowl.compiled, fowl.rules, states)
    choosing = LossEvaluator.of(fowl, 2).choices > 1
    assert np.mean(exported[choosing] == compiled[choosing]) > 0.9999


@pytest.mark.parametrize("by_cost", [True, False])
@pytest.mark.parametrize("actions", [2, 4])
@pytest.mark.parametrize("cores", [1, 2])
def test_the_compiled_loss_is_the_plain_one_and_its_gradient_the_slope(
    cores: int, actions: int, by_cost: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "cores", lambda: cores)
    random = np.random.default_rng(2)
    network, count = drawn(3, 2, actions), 3 * BLOCK + 7
    seen, costs = random.standard_normal((count, 4)), random.random((count, actions))
    costs -= costs.min(axis=1, keepdims=True)
    costs /= costs.max(axis=1).sum()

    def plain(inner: Any, outer: Any) -> float:
        units = np.tanh(seen[:, :3] @ inner[:, :-1].T + inner[:, -1])
        logits = np.concatenate((units, seen[:, 2:], np.ones((count, 1))), axis=1) @ outer.T
        logits = np.concatenate((np.zeros((count, actions - logits.shape[1])), logits), axis=1)
        likely = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        if by_cost:
            return float((likely * costs).sum())
        return float(-(costs.max(axis=1) * np.log(likely[np.arange(count), costs.argmin(axis=1)])).sum())

    weights = [network.inner, network.outer]
    loss = NetworkLoss.of(seen.astype(np.float32), costs.astype(np.float32))
    given, gradient = loss.value_and_gradient(*network.layers, by_cost)
    assert given == pytest.approx(plain(*weights), abs=1e-5)
    slopes = []
    for layer, each in enumerate(weights):
        for place in np.ndindex(each.shape):
            moved = [[each.copy() for each in weights] for _ in range(2)]
            moved[0][layer][place] += 1e-5
            moved[1][layer][place] -= 1e-5
            slopes.append((plain(*moved[0]) - plain(*moved[1])) / 2e-5)
    assert gradient == pytest.approx(slopes, abs=1e-5)


@pytest.mark.parametrize("by_cost", [True, False])
def test_training_finds_a_plane_that_divides_the_decisions(by_cost: bool) -> None:
    random = np.random.default_rng(3)
    seen = random.uniform(-1.0, 1.0, (3000, 2)).astype(np.float32)
    worth = seen @ np.array([1.0, -2.0], np.float32) + 0.3
    decisions = TrainingDecisions(seen, np.maximum(np.stack((worth, -worth), axis=1), 0.0).astype(np.float32))
    begun = Network.random(2, 1, 3, 2, random)
    found = minimize_loss(begun, decisions, 60, by_cost)
    assert decisions.loss(found) < 0.01 * decisions.costs.max(axis=1).sum() < decisions.loss(begun)


@pytest.mark.parametrize("actions", [2, 4])
def test_what_is_given_away_is_the_cost_of_what_is_done_and_softly_that_of_a_softmax(actions: int) -> None:
    random = np.random.default_rng(2)
    network, count = drawn(3, 2, actions), 3 * BLOCK + 7
    seen, costs = random.standard_normal((count, 4)).astype(np.float32), random.random((count, actions))
    costs -= costs.min(axis=1, keepdims=True)
    total, soft_costs = NetworkLoss.of(seen, costs.astype(np.float32)).evaluate_actions(*network.layers, 0.5)
    logits = network.logits(seen)
    likely = np.exp(logits / 2) / np.exp(logits / 2).sum(axis=1, keepdims=True)
    assert total == pytest.approx(costs[np.arange(count), logits.argmax(axis=1)].sum(), rel=1e-5)
    assert soft_costs == pytest.approx((likely * costs).sum(axis=1) / costs.max(axis=1).sum(), rel=1e-3, abs=1e-8)
    assert np.array_equal(choose_actions(*network.layers, seen), logits.argmax(axis=1))


def wavy(random: np.random.Generator, count: int) -> TrainingDecisions:
    seen = random.uniform(-1.0, 1.0, (count, 2)).astype(np.float32)
    worth = np.sin(6 * seen[:, 0]) - 2 * seen[:, 1]
    return TrainingDecisions(seen, np.maximum(np.stack((worth, -worth), axis=1), 0.0).astype(np.float32))


def test_the_decisions_in_doubt_stand_for_all_of_them() -> None:
    random = np.random.default_rng(4)
    decisions = wavy(random, 50_000)
    network = minimize_loss(Network.random(2, 1, 6, 2, random), decisions, 40, by_cost=True)
    losses = [decisions.sample(network, 2000, random).loss(network) for _ in range(20)]
    at_random = [
        25 * TrainingDecisions(decisions.inputs[some], decisions.costs[some]).loss(network)
        for some in (random.choice(50_000, 2000) for _ in range(20))
    ]
    assert np.mean(losses) == pytest.approx(decisions.loss(network), rel=0.05)
    assert np.std(losses) < 0.5 * np.std(at_random)


def test_new_units_change_nothing_yet() -> None:
    random = np.random.default_rng(5)
    decisions, network = wavy(random, 3000), Network.random(2, 1, 4, 2, random)
    for by_cross_entropy in (True, False):
        grown = _add_units(network, decisions, 3, by_cross_entropy, random)
        assert len(grown.inner) == 7
        assert grown.logits(decisions.inputs) == pytest.approx(network.logits(decisions.inputs), abs=1e-5)


def test_a_unit_that_does_not_count_is_the_one_that_goes() -> None:
    random = np.random.default_rng(6)
    decisions = wavy(random, 3000)
    network = minimize_loss(Network.random(2, 1, 4, 2, random), decisions, 100, by_cost=False)
    network.outer[0, 2] = 0.0
    assert np.array_equal(_remove_unit(network, decisions, decisions).inner, np.delete(network.inner, 2, axis=0))


@pytest.mark.slow
def test_reshaping_gets_out_of_where_training_ends() -> None:
    lost = []
    for seed in range(4):
        random = np.random.default_rng(seed)
        decisions = wavy(random, 3000)
        trained = minimize_loss(Network.random(2, 1, 4, 2, random), decisions, 400, by_cost=True)
        found = grow_and_prune(trained, decisions, inf, random, attempts=6)
        assert found.inner.shape == trained.inner.shape
        lost.append((decisions.loss(found), decisions.loss(trained)))
    assert all(after <= before for after, before in lost)
    assert sum(after for after, _ in lost) < 0.9 * sum(before for _, before in lost)


@pytest.mark.slow
def test_settled_networks_have_weights_of_few_bits_and_give_away_less_than_those_that_are_rounded() -> None:
    lost = []
    for seed in range(5):
        random = np.random.default_rng(seed)
        seen = random.uniform(-1.0, 1.0, (3000, 2)).astype(np.float32)
        worth = np.sin(3 * seen[:, 0]) - seen[:, 1]
        decisions = TrainingDecisions(seen, np.maximum(np.stack((worth, -worth), axis=1), 0.0).astype(np.float32))
        found = minimize_loss(Network.random(2, 1, 6, 2, random), decisions, 200, by_cost=False)
        few = quantize(found, 4, decisions, inf, random)
        for layer, again in zip((few.inner, few.outer), (few.quantize(4).inner, few.quantize(4).outer), strict=True):
            assert again == pytest.approx(layer, rel=1e-5, abs=1e-6)
        lost.append((decisions.loss(few), decisions.loss(found.quantize(4))))
    assert all(few <= at_once for few, at_once in lost)
    assert sum(few for few, _ in lost) < 0.8 * sum(at_once for _, at_once in lost)


@pytest.mark.slow
def test_where_nothing_matters_any_network_is_perfect(tmp_path: Path) -> None:
    game = str(Path(__file__).parents[1] / "games" / "no_choice.py")
    assert komi.approximate(game, tmp_path / "network.py", weights=30, seconds=0.2).loss == pytest.approx(0.0, abs=1e-9)


def test_the_command_says_all_that_is_promised(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "network.py"
    settings = [word for name, value in FOWL.items() for word in ("--set", f"{name}={value}")]
    command = ["approximate", "fowl-play", *settings, "--bytes", 100, "--seconds", 1, "-o", file, "--json"]
    solution = run(*command).solution
    assert {"weights", "bytes", "first", "second", "average", "loss", "worst_case", "file"} <= solution.keys()
    assert solution["loss"] == pytest.approx(0.5 - solution["average"])
    assert 0.0 <= solution["worst_case"] <= solution["average"] <= 0.5
    assert solution["bytes"] <= 100
    played = run("match", "fowl-play", *settings, solution["policy"], "optimal", "--json").solution
    assert played["average"] == pytest.approx(solution["average"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--weights", 0], "a network for pig has 7 to 900 weights, not 0."),
        (["--bytes", 5], "a network for pig has 16 to 1021 bytes, not 5."),
        (["--weights", 9, "--bytes", 9], "a network has so many weights, or so many bytes: give one of the two."),
        (["--seconds", 0], "training takes a positive number of seconds, not 0."),
        (["-o", "network.txt"], "ends in .py"),
    ],
)
def test_options_that_make_no_network_are_refused(run: Any, options: list[Any], message: str) -> None:
    assert message in run("approximate", "pig", "--set", "goal=30", *options).err
