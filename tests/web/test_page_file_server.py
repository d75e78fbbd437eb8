"""A page in one file answers as the web app does: the table, hints, the review, and how its opponents choose."""

import base64
import json
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from subprocess import run as run_program
from typing import Any

import numpy as np
import pytest

import komi
from komi.game import CHANCE
from komi.play.opponent_players import create_player
from komi.play.opponents import find
from komi.play.review import review
from komi.policies.tabulate import action_probabilities, most_actions
from komi.web import game_views
from komi.web.game_settings import GameSettings
from komi.web.live_game import LiveGame
from komi.web.page_file import export_page
from komi.web.participants import Participants

pytestmark = pytest.mark.skipif(not which("node"), reason="there is no Node")

PAGE = Path(game_views.__file__).parent / "page"
EXAMPLES = Path(__file__).parents[2] / "examples"
OWN_GAMES = Path(__file__).parents[1] / "games"
SEED, NUMBER, ID = bytes(range(32)), "0123456789abcdef" * 2, "ab" * 16
PERSON = "1" * 32
Json = dict[str, Any]

DRIVER = """
import { readFileSync } from "node:fs";
import { FileServer } from "file://PAGE/file/server.js";
const folder = process.argv[2];
const { games, states, others } = JSON.parse(readFileSync(`${folder}/asked.json`, "utf-8"));
const file = JSON.parse(readFileSync(`${folder}/content.json`, "utf-8"));
const rules = await import(`file://${folder}/rules.mjs`);
const table = new Uint8Array(readFileSync(`${folder}/table.bin`));
const get = async (server, path, body) => {
  const options = body ? { method: "POST", body: JSON.stringify(body) } : {};
  return (await server.fetch(`api/${path}`, options)).json();
};
const played = [];
for (const { seed, luck, ...request } of games) {
  const server = new FileServer(file, rules, table);
  server.seeds.set(request.commitment, seed);
  const path = `games/${request.commitment}`;
  const views = [await get(server, "games", request)];
  const hints = [];
  while (!views.at(-1).result) {
    const { number, actions } = views.at(-1);
    hints.push((await get(server, `${path}/hint`)).actions);
    const move = actions[Math.floor(luck[number % luck.length] * actions.length)].label;
    views.push(await get(server, `${path}/moves`, { number, move }));
  }
  const log = server.find(request.commitment).saved.log;
  const reviews = [];
  for (let seat = 0; seat < views[0].players; seat++) reviews.push(await get(server, `${path}/review?seat=${seat}`));
  played.push({ views, hints, log, reviews });
}
const server = new FileServer(file, rules, table);
const { solution, rules: { game, catalog } } = server;
const weights = catalog.opponents.map(({ name }) => [
  name,
  states.map((fields) => {
    const seen = solution.observation(new rules.State(...fields));
    return solution.weights(seen, [...game.call("legal", seen)], name, file.horizons[name]);
  }),
]);
server.seeds.set("COMMITMENT", "00");
const answers = [];
for (const [path, body] of others) answers.push(await get(server, path, body));
console.log(JSON.stringify({ played, weights: Object.fromEntries(weights), answers }));
"""


def unpacked(file: Path) -> tuple[Json, bytes]:
    """Return the content of a page, and its table."""
    data = file.read_text().partition('id="data">')[2].partition("<")[0]
    found = zlib.decompress(base64.b64decode(data))
    (length,) = struct.unpack(">I", found[:4])
    return json.loads(found[4 : 4 + length]), found[4 + length :]


def answers(
    folder: Path,
    game: str,
    rules: Json,
    games: list[Json],
    states: list[list[int]],
    others: Sequence[tuple[str, Json]] = (),
) -> Json:
    """Play these games with the page in Node.

    Return what it shows, the weights of its opponents' actions in these states, and its answers to other requests.
    """
    export_page(game, folder / "page.html", **rules)
    content, table = unpacked(folder / "page.html")
    (folder / "content.json").write_text(json.dumps(content))
    (folder / "rules.mjs").write_text(content["source"])
    (folder / "table.bin").write_bytes(table)
    (folder / "asked.json").write_text(json.dumps({"games": games, "states": states, "others": others}))
    (folder / "driver.mjs").write_text(DRIVER.replace("PAGE", str(PAGE)).replace("COMMITMENT", ID))
    done = run_program(["node", folder / "driver.mjs", folder], check=True, capture_output=True, text=True)
    found: Json = json.loads(done.stdout)
    return found


def requested(solution: Any, seat: str, luck: list[float], opponent: str | None = None) -> Json:
    names = None if opponent else [f"Player {seat + 1}" for seat in range(solution.kind.seats)]
    return {
        "game": solution.game.name,
        "opponent": opponent,
        "names": names,
        "seat": seat,
        "mode": "normal",
        "commitment": ID,
        "number": NUMBER,
        "seed": SEED.hex(),
        "luck": luck,
    }


def served(solution: Any, request: Json, log: list[Json]) -> LiveGame:
    """The game as the web app holds it."""
    names = request["names"]
    return LiveGame(
        GameSettings(
            id=ID,
            person=PERSON,
            game=solution.game,
            rules=solution.rules,
            opponent=request["opponent"] or "",
            seat=0 if names or request["seat"] == "first" else 1,
            is_by_lot=False,
            is_test=False,
            seed=SEED,
            number=NUMBER,
            participants=Participants((PERSON,) * len(names), tuple(names)) if names else None,
        ),
        [(each["label"], each["by"], None) for each in log],  # type: ignore[misc]
    )


def as_told(value: Any) -> Any:
    """Return a view as the page gets it, without what a page in one file does not have."""
    told = json.loads(value.model_dump_json())
    told["fairness"]["source"] = told["opponent"]["title"] = None
    return told


def asked_of(solution: Any) -> tuple[list[Json], list[list[int]]]:
    """Return a game against the easiest opponent, one against the hardest, and one at one device, and all states."""
    luck = [0.1, 0.7, 0.4, 0.9, 0.3]
    games = [
        requested(solution, "first", luck, "easy"),
        requested(solution, "second", luck[1:], "hard"),
        requested(solution, "first", luck[2:]),
    ]
    fields = solution.optimal_play.states.all_fields()
    return games, fields[solution.optimal_play.choices != CHANCE].tolist()


def check_views(solution: Any, request: Json, played: Json) -> None:
    """Compare what the page shows before each step with what the web app shows."""
    for view in played["views"]:
        live = served(solution, request, played["log"][: view["number"]])
        view["fairness"]["source"] = view["opponent"]["title"] = None
        assert view == as_told(game_views.game_view(live, live.viewer_seat(PERSON), ""))


def check_hints(solution: Any, request: Json, played: Json) -> None:
    for view, hint in zip(played["views"], played["hints"], strict=False):
        state = served(solution, request, played["log"][: view["number"]]).table.state
        exact = {each.label: each.value for each in solution.action_values(state)}
        worths = {each["label"]: each["worth"] for each in hint}
        assert worths == pytest.approx(exact, abs=3e-6 * solution.kind.payoffs.width)


def check_reviews(solution: Any, request: Json, played: Json) -> None:
    table = served(solution, request, played["log"]).table
    for seat, told in enumerate(played["reviews"]):
        made = review(solution, table, seat)
        tolerance = 3e-6 * solution.kind.payoffs.width
        curve = [each["chance"] for each in told["curve"]]
        assert [told["start"], *curve] == pytest.approx([made.start, *made.curve], abs=tolerance)
        for name in ("luck", "skill", "mistakes", "gifts"):
            assert told[name] == pytest.approx(getattr(made, name), abs=tolerance * table.number), name
        for ours, theirs in zip(told["decisions"], made.decisions, strict=True):
            assert (ours["number"], ours["seat"], ours["chosen"]) == (theirs.number, theirs.seat, theirs.chosen)
            assert ours["worth"] == pytest.approx(theirs.values, abs=tolerance)
            assert ours["loss"] == pytest.approx(theirs.loss, abs=tolerance)
            assert ours["reasons"].keys() == theirs.reasons.keys()


def check_weights(solution: Any, states: list[list[int]], weights: dict[str, list[list[float]]]) -> None:
    """Compare how opponents choose in each state with their policies; states that look alike have the same weights."""
    game, rules, compiled = solution.game, solution.rules, solution.compiled
    all_states = solution.optimal_play.states
    rows = all_states.indices_of_fields(np.array(states))
    most = most_actions(compiled, rules, all_states)
    for name, found in weights.items():
        policy = create_player(find(name, game, rules), game, rules, solution).policy
        expected = action_probabilities(policy, compiled, rules, all_states, most)[rows]
        by_observation: dict[Any, list[float]] = {}
        for fields, ours, theirs in zip(states, found, expected.tolist(), strict=True):
            shares = [each / sum(ours) for each in ours]
            assert shares == pytest.approx(theirs[: len(ours)], abs=2e-6)
            state = game.module.State(*fields)
            seen = game.part("view")(rules, state) if game.has("view") else state
            assert by_observation.setdefault(seen, ours) == ours


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        (str(EXAMPLES / "kuhn_poker.py"), {}),
        ("piglet", {"players": 3, "goal": 3}),
        pytest.param(str(EXAMPLES / "leduc_poker.py"), {}, marks=pytest.mark.slow),
        pytest.param(str(EXAMPLES / "goofspiel.py"), {"cards": 3}, marks=pytest.mark.slow),
        pytest.param(str(EXAMPLES / "liars_dice.py"), {"sides": 2}, marks=pytest.mark.slow),
        pytest.param("skunk", {"goal": 8}, marks=pytest.mark.slow),
        pytest.param("pig", {"goal": 10}, marks=pytest.mark.slow),
        pytest.param(str(OWN_GAMES / "hot_potato.py"), {}, marks=pytest.mark.slow),
        pytest.param("piglet", {"players": 4, "goal": 2}, marks=pytest.mark.slow),
    ],
)
def test_page_answers_as_the_web_app(tmp_path: Path, game: str, rules: Json) -> None:
    solution = komi.solve(game, **rules)
    games, states = asked_of(solution)
    found = answers(tmp_path, game, rules, games, states)
    for request, played in zip(games, found["played"], strict=True):
        check_views(solution, request, played)
        check_hints(solution, request, played)
        check_reviews(solution, request, played)
    check_weights(solution, states, found["weights"])


@pytest.mark.parametrize(
    ("name", "rules"), [("monty_hall", {}), ("minesweeper", {"rows": 2, "columns": 2, "mines": 1})]
)
def test_page_for_one_player_who_sees_part_answers_as_the_web_app(tmp_path: Path, name: str, rules: Json) -> None:
    game = str(EXAMPLES / f"{name}.py")
    solution = komi.solve(game, **rules)
    luck = [0.1, 0.7, 0.4, 0.9, 0.3]
    games = [requested(solution, "first", luck[first:]) | {"names": None, "opponent": ""} for first in range(3)]
    for request, played in zip(games, answers(tmp_path, game, rules, games, [])["played"], strict=True):
        check_views(solution, request, played)
        check_hints(solution, request, played)
        check_reviews(solution, request, played)


def test_game_with_hidden_cards_has_neither_sandbox_nor_test_mode(tmp_path: Path) -> None:
    request = {"names": ["One", "Two"], "seat": "first", "mode": "test", "commitment": ID, "number": NUMBER}
    position = {"start": None, "labels": [], "names": []}
    others = [("games", request), ("sandbox", position), ("sandbox/hint", position), (f"games/{ID}/moves", {})]
    found = answers(tmp_path, str(EXAMPLES / "kuhn_poker.py"), {}, [], [], others)["answers"]
    assert [each["error"] for each in found] == [
        "Kuhn poker has hidden information: you cannot enter chance events by hand.",
        "Kuhn poker has hidden information: it has no sandbox.",
        "Kuhn poker has hidden information: it has no sandbox.",
        "There is no such game.",
    ]
