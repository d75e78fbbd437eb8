"""The search in a page in one file: its strength, that it knows no more than its player, and what the page shows."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from shutil import which
from subprocess import run as run_program
from typing import Any

import numpy as np
import pytest

import komi
from komi.rules import catalog
from komi.rules.game import Game
from komi.rules.information_sets import information_sets
from komi.translation.javascript import translate
from komi.web import game_views, page_search
from komi.web.game_settings import GameSettings
from komi.web.live_game import LiveGame
from komi.web.page_search import opponents_without_solution, search_settings

pytestmark = pytest.mark.skipif(not which("node"), reason="there is no Node")

PAGE = Path(page_search.__file__).parent / "page"
EXAMPLES = Path(__file__).parents[2] / "examples"
SEED, NUMBER = bytes(range(32)), "0123456789abcdef" * 2
DRIVER = """
import { Game, CHANCE } from "file://PAGE/translated-game.js";
import { LiveGame } from "file://PAGE/file/live-game.js";
import { Searcher, randomNumbers } from "file://PAGE/file/searcher.js";
import { Searching } from "file://PAGE/file/searching.js";
const module = await import("./rules.mjs");
const rules = Object.fromEntries(module.Rules._fields.map((name) => [name, module.RULES[name]]));
const game = new Game(module, rules);
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { settings, states, limits, opponents, games, saved } = JSON.parse(text);
const searcherOf = (seed) => new Searcher(game, settings, randomNumbers(seed));
const stateOf = (fields) => new module.State(...fields);
"""
CHOOSE = """
const choose = (fields, i) => searcherOf(i).search(stateOf(fields), limits)[0].action;
console.log(JSON.stringify(states.map(choose)));
"""
PLAY = """
let wins = 0;
for (let number = 0; number < games; number++) {
  const random = randomNumbers(number);
  const searcher = new Searcher(game, settings, random);
  let [state, seat] = [module.start(game.rules), 0];
  while (!game.call("over", state)) {
    const legal = [...game.call("legal", state)];
    const isOwn = legal[0] !== CHANCE && seat === number % game.players;
    const action = isOwn ? searcher.search(game.call("view", state), limits)[0].action : searcher.pick(state);
    const [after, passes] = searcher.sample(state, action);
    [state, seat] = [after, (seat + passes) % game.players];
  }
  wins += searcher.settle(state, seat, 0)[number % game.players];
}
console.log(wins);
"""
ASK = """
const asked = [];
globalThis.Worker = class {
  postMessage({ setup, observation, limits }) {
    if (setup) this.searcher = new Searcher(game, setup.settings, randomNumbers(1));
    asked.push(observation);
    this.onmessage({ data: this.searcher.search(stateOf(observation), limits) });
  }
};
const choices = [];
for (const fields of states) {
  const file = { source: "", rules, searching: { ...settings, opponents } };
  choices.push(await new Searching(game, file).choose(stateOf(fields), "hard"));
}
console.log(JSON.stringify({ choices, asked }));
"""
SHOW = """
const live = new LiveGame({ module, game, rules, catalog: { opponents: [] } }, { ...saved, log: [] });
const views = [live.view()];
for (const { label, by } of saved.log) {
  live.enter(label, by);
  views.push(live.view());
}
console.log(JSON.stringify(views));
"""
RESIGN = """
const live = new LiveGame({ module, game, rules, catalog: { opponents: [] } }, { ...saved, log: [] });
let answer;
const search = () => new Promise((resolve) => (answer = resolve));
const [first, second] = [live.advance(search), live.advance(search)];
live.saved.resigned = 0;
answer([...game.call("legal", live.table.state)][0]);
await first;
console.log(JSON.stringify({ isOnce: first === second, log: live.saved.log.filter(({ by }) => by === "computer") }));
"""

Ask = Callable[..., Any]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Runs a script on the translated rules of a game."""

    def answer(played: tuple[Game, Any], script: str, **given: Any) -> Any:
        game, rules = played
        policies = game.module.policies if game.has("policies") else ()
        (tmp_path / "rules.mjs").write_text(translate(game, rules, "rules", policies), encoding="utf-8")
        (tmp_path / "driver.mjs").write_text(DRIVER.replace("PAGE", str(PAGE)) + script)
        sent = json.dumps({"settings": search_settings(game, rules), **given})
        done = run_program(
            ["node", tmp_path / "driver.mjs"], input=sent, capture_output=True, text=True, check=False, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return answer


def limits(playouts: int) -> dict[str, float]:
    return {"playouts": playouts, "seconds": 600, "exploration": 1.0}


def found(name: str, **settings: Any) -> tuple[Game, Any]:
    game = catalog.find(name)
    rules = game.rules(settings)
    return game.under(rules), rules


@pytest.mark.slow
def test_search_wins_against_a_random_player(ask: Ask) -> None:
    assert ask(found("red7", players=2), PLAY, games=12, limits=limits(80)) >= 10


@pytest.mark.parametrize(
    ("name", "rules", "playouts"),
    [
        ("pig-solitaire", {"goal": 15}, 3000),
        pytest.param("pig", {"goal": 10}, 3000, marks=pytest.mark.slow),
        pytest.param(str(EXAMPLES / "connect_four.py"), {"line": 3}, 3000, marks=pytest.mark.slow),
    ],
)
def test_search_finds_optimal_actions(ask: Ask, name: str, rules: dict[str, int], playouts: int) -> None:
    solution = komi.solve(name, **rules)
    game = solution.game
    fields = solution.optimal_play.states.all_fields()
    states = [game.module.State(*map(int, row)) for row in np.random.default_rng(1).permutation(fields)[:40]]
    chosen = ask((game, solution.rules), CHOOSE, states=states, limits=limits(playouts))
    agreeing = 0
    for state, action in zip(states, chosen, strict=True):
        label, values = game.label(solution.rules, state, action), solution.action_values(state)
        own = next(each for each in values if each.label == label)
        agreeing += own.value == values[0].value or abs(own.value - values[0].value) < 0.01 * solution.scale
    assert agreeing >= 0.95 * len(states)


def test_search_folds_and_calls_as_the_equilibrium_does(ask: Ask) -> None:
    game, rules = found(str(EXAMPLES / "kuhn_poker.py"))
    state, bet_against, call, fold = game.module.State, game.module.BETTED, game.module.BET, game.module.PASS
    chosen = ask(
        (game, rules), CHOOSE, states=[state(1, 0, bet_against), state(3, 0, bet_against)], limits=limits(2000)
    )
    assert chosen == [fold, call]


def test_choice_depends_on_what_the_player_observes_alone(ask: Ask) -> None:
    game, rules = found(str(EXAMPLES / "kuhn_poker.py"))
    sets = information_sets(game, rules)
    states = [state for each in sets.values() for state in each]
    found_by = ask((game, rules), ASK, states=states, opponents={"hard": limits(50)})
    assert found_by["asked"] == [list(observation) for observation, each in sets.items() for _ in each]
    choices = dict(zip(states, found_by["choices"], strict=True))
    assert all(len({choices[state] for state in each}) == 1 for each in sets.values())
    assert max(map(len, sets.values())) == 2


@pytest.mark.parametrize("name", [str(EXAMPLES / "kuhn_poker.py"), pytest.param("red7", marks=pytest.mark.slow)])
def test_page_shows_what_the_server_shows_of_a_game_with_hidden_cards(ask: Ask, name: str) -> None:
    game, rules = found(name)
    settings = GameSettings(
        id="ab" * 16,
        person="1" * 32,
        game=game,
        rules=rules,
        opponent="random",
        seat=1,
        is_by_lot=False,
        is_test=False,
        seed=SEED,
        number=NUMBER,
        participants=None,
    )
    live, luck, views = LiveGame(settings), Random(1), []
    while True:
        views.append(json.loads(game_views.game_view(live, 1, "").model_dump_json()))
        if live.table.is_over:
            break
        if live.table.waiting == "event":
            live.draw()
        else:
            live.enter(luck.choice(list(live.table.actions)), "you" if live.table.mover == 1 else "computer")
    log = [{"label": entry["label"], "by": entry["by"]} for entry in views[-1]["log"]]
    saved = {"id": "ab" * 16, "opponent": "random", "names": None, "seat": 1, "mode": "normal", "seed": SEED.hex()}
    shown = ask((game, rules), SHOW, saved=saved | {"number": NUMBER, "log": log, "resigned": None})
    own = ("solved", "searched", "opponent", "face", "fairness", "game", "rules")  # follow from the page's catalog
    for mine, other in zip(shown, views, strict=True):
        assert {name: mine[name] for name in other if name not in own} == {
            name: value for name, value in other.items() if name not in own
        }
    assert any(line["label"] == "hidden" for view in views for line in view["log"])


def test_resignation_ends_a_game_in_which_the_opponent_searches(ask: Ask) -> None:
    saved = {"seat": 1, "names": None, "mode": "normal", "seed": SEED.hex(), "number": NUMBER, "resigned": None}
    found_by = ask(found(str(EXAMPLES / "kuhn_poker.py")), RESIGN, saved=saved)
    assert found_by == {"isOnce": True, "log": []}


def test_opponents_play_by_the_rule_file_or_search() -> None:
    plays = [play for _, play in opponents_without_solution(*found("red7"), ("thrifty",))]
    assert {"policy": "random"} in plays
    assert {"policy": "thrifty", "isMixed": False} in plays
    assert sum("seconds" in play for play in plays) == 1
    summaries = [each.summary for each, _ in opponents_without_solution(*found("farkle"), ())]
    assert all(summary.startswith("Searches for") for summary in summaries)
