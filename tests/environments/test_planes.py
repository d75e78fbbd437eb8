"""Observations for networks: domains hold what play shows, and planes are what a slow encoder writes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komi
import komi.gymnasium
import komi.pettingzoo
from komi.compiling.planes import Planes, domains_of
from komi.errors import GameError, InputError
from komi.rules import catalog, enumeration
from komi.rules.interpreter import Interpreter

from playable import EXAMPLES, FOLDER, GAMES, SMALL_RULES
from rulefiles import SOUND


def slow_planes(planes: Planes, fields: list[int]) -> list[float]:
    """Encode an observation from the names of the planes."""
    encoded = []
    by_name = dict(zip([domain.field for domain in planes.domains], fields, strict=True))
    domains = {domain.field: domain for domain in planes.domains}
    for name in planes.names:
        if " = " in name:
            field, value = name.split(" = ")
            encoded.append(float(by_name[field] == int(value)))
        elif ": " in name:
            field, member = name.split(": ")
            element = domains[field].values[domains[field].names.index(member)]
            encoded.append(float(by_name[field] >> element & 1))
        else:
            low, high = domains[name].low, domains[name].high
            encoded.append((by_name[name] - low) / (high - low))
    return encoded


@pytest.mark.parametrize("name", GAMES)
def test_planes_of_every_game_are_those_of_a_slow_encoder(name: str) -> None:
    small = SMALL_RULES.get(Path(name).stem, {}) if name in EXAMPLES else {}
    shown = {
        form: komi.gymnasium.VectorEnv(name, 20, None, "all", "random", observation=form, **small)
        for form in ("fields", "planes")
    }
    seen = {form: envs.reset(seed=1)[0] for form, envs in shown.items()}
    planes = shown["planes"]._batch.planes
    for _ in range(40):
        for form, envs in shown.items():
            assert envs.observation_space.contains(seen[form])
        fields = seen["fields"]["observation"]
        slow = np.array([slow_planes(planes, row) for row in fields.tolist()], np.float32)
        assert np.array_equal(seen["planes"]["observation"], slow)
        assert np.array_equal(planes.encoded(fields), slow)
        seen = {form: envs.step(np.full(20, -1))[0] for form, envs in shown.items()}


@pytest.mark.parametrize("name", ["pig", "piglet", "skunk", "ten-thousand", "yahtzee", "red7"])
def test_declared_domains_hold_what_play_shows(name: str) -> None:
    game = catalog.find(name)
    rules = game.rules(SMALL_RULES.get(name, {}))
    names = game.fields(rules)
    interpreter = Interpreter(game, rules)
    for state in enumeration.sample_states(interpreter, 500):
        for seat in range(game.players(rules)):
            seen = game.observed(rules, game.turned(rules, state, seat))
            for field, domain in zip(names, domains_of(game, rules), strict=True):
                assert domain.has(getattr(seen, field))


@pytest.mark.parametrize("goal", [3, 8])
@pytest.mark.parametrize("name", ["pig", "piglet"])
def test_declared_bounds_are_tight(name: str, goal: int) -> None:
    game = catalog.find(name)
    rules = game.rules({"goal": goal})
    moves, is_complete = enumeration.explore(Interpreter(game, rules), 10_000)
    assert is_complete
    for domain in domains_of(game, rules):
        values = [getattr(state, domain.field) for state in moves]
        assert (domain.low, domain.high) == (min(values), max(values))


def test_cards_are_named_and_small_numbers_get_a_plane_each() -> None:
    red7 = Planes(catalog.find("red7"), catalog.find("red7").rules({}))
    assert {"hand: R7", "deck: V1", "canvas = 6"} <= set(red7.names)
    kuhn = komi.gymnasium.Env(f"{FOLDER}/kuhn_poker.py", observation="planes")
    assert kuhn.planes[:4] == ("card = 1", "card = 2", "card = 3", "rival = 0")
    assert kuhn.observation_space["observation"].dtype == np.float32
    assert komi.gymnasium.Env("pig").planes == ()


def test_every_agent_of_pettingzoo_sees_planes() -> None:
    env = komi.pettingzoo.env(f"{FOLDER}/kuhn_poker.py", observation="planes")
    env.reset(seed=1)
    for agent in env.agent_iter():
        for each in env.possible_agents:
            assert env.observation_space(each).contains(env.observe(each))
        *_, terminated, truncated, info = env.last()
        env.step(None if terminated or truncated else env.action_space(agent).sample(info["action_mask"]))


def test_a_value_outside_its_domain_is_an_error(tmp_path: Path) -> None:
    source = Path(str(catalog.find("pig").file)).read_text()
    file = tmp_path / "narrow.py"
    file.write_text(source.replace("turn=beyond", "turn=range(4)"))
    envs = komi.gymnasium.VectorEnv(str(file), 20)
    with pytest.raises(
        GameError, match=r"field 'turn' of an observation is \d+, which is not in its domain: 0, 1, 2, 3"
    ):
        for _ in range(100):
            envs.reset(seed=1)
            envs.step(np.zeros(20))
    file.write_text(source.replace("turn=beyond", "turn='any'"))
    with pytest.raises(GameError, match="'domains' gives 'turn' 'any', which is not a range"):
        komi.gymnasium.Env(str(file))
    for wide in ("range(2**70)", "(0, 2**64)", "range(-2**62, 2**62)"):
        file.write_text(source.replace("turn=beyond", f"turn={wide}"))
        with pytest.raises(GameError, match=r"'domains' gives 'turn' .*, which is not a range"):
            komi.gymnasium.Env(str(file), observation="planes")
    file.write_text(source.replace("turn=beyond", "turn=range(1 // 0)"))
    with pytest.raises(
        GameError, match=r"narrow.py, line \d+: ZeroDivisionError: .* \('domains' is a part of the proto"
    ):
        komi.gymnasium.Env(str(file))
    with pytest.raises(InputError, match="an observation is 'fields' or 'planes', not 'pixels'"):
        komi.gymnasium.Env("pig", observation="pixels")


@pytest.mark.parametrize(("name", "actions"), [("hooligan", 7 + 210), ("yahtzee", 13 + 210)])
def test_there_are_as_many_action_numbers_as_decisions(name: str, actions: int) -> None:
    envs = komi.gymnasium.VectorEnv(name, 10, illegal="random")
    game, rules = envs._batch.game, envs._batch.rules
    assert envs.single_action_space.n == len(envs.actions) == actions
    observation, _ = envs.reset(seed=1)
    for _ in range(50):
        for row in range(10):
            state = envs._batch.state(row)
            if not game.part("over")(rules, state):
                legal = envs.actions[observation["action_mask"][row] == 1]
                assert sorted(legal) == sorted(game.part("legal")(rules, state))
        observation, *_ = envs.step(np.full(10, -1))


def test_an_action_takes_the_rule_with_its_number() -> None:
    env = komi.gymnasium.Env("hooligan")
    env.reset(seed=1)
    keep_none = int(np.flatnonzero(env.actions == 7)[0])
    assert env.step(keep_none)[0]["observation"][2] == 1  # the dice were rolled again
    with pytest.raises(InputError, match="action 217 is not legal now; legal are 0 "):
        env.step(217)


def test_an_action_that_has_no_number_is_an_error(tmp_path: Path) -> None:
    source = Path(str(catalog.find("hooligan").file)).read_text()
    file = tmp_path / "few.py"
    file.write_text(source.replace("(*range(BOXES), *(KEEP", "(*range(3), *(KEEP"))
    with pytest.raises(GameError, match="'legal' yields 3, which is not an action"):
        komi.gymnasium.Env(str(file))


@pytest.mark.parametrize("stated", ["(0, 1, 10**9)", "range(10**12)", "(0, 'a')", "([0],)", "'ab'", "()", "(-1, 0)"])
def test_action_numbers_are_actions_of_the_rules(stated: str, tmp_path: Path) -> None:
    file = tmp_path / "numbered.py"
    file.write_text(SOUND + f"\n\ndef action_numbers(rules):\n    return {stated}\n")
    with pytest.raises(GameError, match=r"'action_numbers' returns .*, not whole numbers from 0 to 32,761"):
        komi.gymnasium.Env(str(file))


@pytest.mark.parametrize("number", [0, 1])
def test_functions_of_arrays_need_a_number_for_each_action(number: int, tmp_path: Path) -> None:
    file = tmp_path / "few.py"
    file.write_text(SOUND + f"\n\ndef action_numbers(rules):\n    return ({number},)\n")
    with pytest.raises(GameError, match=rf"'legal' yields {1 - number} in .*, which is not in 'action_numbers'"):
        komi.regret(str(file), lambda observation, mask: 0)


def test_functions_take_planes_and_compact_numbers(tmp_path: Path) -> None:
    def hold_at_20(observation: Any, action_mask: Any) -> int:
        score, _, turn = observation
        return 1 if turn >= 20 or score + turn >= 50 else 0

    def in_planes(planes: Any, action_masks: Any) -> Any:
        highs = [domain.high for domain in domains_of(pig, rules)]
        return np.array([hold_at_20(row, action_masks) for row in np.rint(planes * highs).astype(int)])

    pig = catalog.find("pig")
    rules = pig.rules({"goal": 50})
    exact = komi.regret("pig", hold_at_20, goal=50).losses
    assert komi.regret("pig", in_planes, vectorized=True, observation="planes", goal=50).losses == pytest.approx(exact)
    file = tmp_path / "sparse.py"
    source = Path(str(catalog.find("hog").file)).read_text()
    file.write_text(source + "\n\ndef action_numbers(rules):\n    return range(rules.max_dice)\n")
    first = komi.regret(str(file), lambda observation, mask: 2, goal=20)
    assert first.losses == pytest.approx(komi.regret("hog", lambda observation, mask: 2, goal=20).losses)
