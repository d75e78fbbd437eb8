"""The page replays a game by its translated rules as the server plays it: every position, choice, event and result."""

import json
import random
from pathlib import Path
from shutil import which
from subprocess import run as run_program
from typing import Any

import pytest
import rule_hashes

from komi.rules import catalog
from komi.translation import javascript
from komi.web import game_views
from komi.web.game_catalog import rules_module
from komi.web.game_settings import GameSettings
from komi.web.live_game import LiveGame
from komi.web.participants import Participants
from rule_variants import VARIANTS

from playing import Server
from rulefiles import EXAMPLES

pytestmark = pytest.mark.skipif(not which("node"), reason="there is no Node")

PAGE = Path(game_views.__file__).parent / "page"
WITHOUT_WINNERS = ("centipede", "coalition", "stag_hunt", "ultimatum")  # the server offers games that are won
SEED, NUMBER = bytes(range(32)), "0123456789abcdef" * 2
Json = dict[str, Any]
GAMES: list[tuple[str, Json]] = [
    *((name, {}) for name in catalog.names()),
    *VARIANTS,
]
DRIVER = """
import { viewOf } from "file://PAGE/game-view.js";
import { Replay } from "file://PAGE/replay.js";
import { Game } from "file://PAGE/translated-game.js";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const [file, views] = JSON.parse(text);
const { rules, you, company } = views.at(-1);
const replay = new Replay(new Game(await import(file), rules), you, company === "device");
const computed = [];
for (const view of views) {
  replay.follow(view.log.map(({ label }) => label));
  replay.turn();
  const data = { ...replay.terms, moments: replay.moments };
  const isKnown = view.result || !data.hides;
  computed.push(isKnown && viewOf(data, { ...view, resigned: view.result?.resigned ?? null }));
}
console.log(JSON.stringify({ ...replay.terms, moments: replay.moments, computed }));
"""
POSITION = ["state", "observer", "written", "squares", "beside", "throw", "faces", "filled", "table"]
SHOWN = [*POSITION, "number", "mover", "waiting", "pending", "actions", "events", "decided"]


def begun(name: str, changed: Json, *, device: bool = False, test: bool = False) -> LiveGame:
    game = catalog.find(name)
    rules = game.rules(changed)
    names = tuple(f"Player {seat + 1}" for seat in range(game.players(rules)))
    people = Participants(("1" * 32,) * len(names), names) if device else None
    return LiveGame(
        GameSettings(
            id="ab" * 16,
            person="1" * 32,
            game=game,
            rules=rules,
            opponent="" if device else "random",
            seat=0,
            is_by_lot=False,
            is_test=test,
            seed=SEED,
            number=NUMBER,
            participants=people,
        )
    )


def view(live: LiveGame) -> Json:
    seen = game_views.game_view(live, live.viewer_seat("1" * 32), "")
    told: Json = json.loads(seen.model_dump_json())
    return told


def played(live: LiveGame, most: int) -> tuple[list[Json], Json]:
    """The views of a game before each step, and the last one."""
    luck, views = random.Random(1), []
    while not live.table.is_over:
        views.append(view(live))
        if live.table.number >= most:
            live.table.resign(0)
        elif live.table.waiting == "event":
            live.draw()
        else:
            live.enter(luck.choice(list(live.table.actions)), "you")
    return views, view(live)


def replayed(live: LiveGame, views: list[Json], folder: Path) -> Json:
    (folder / "rules.mjs").write_text(rules_module(live.settings.game), encoding="utf-8")
    (folder / "driver.mjs").write_text(DRIVER.replace("PAGE", str(PAGE)))
    (folder / "package.json").write_text('{"type": "module"}')
    sent = json.dumps([str(folder / "rules.mjs"), views])
    done = run_program(["node", folder / "driver.mjs"], input=sent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told: Json = json.loads(done.stdout)
    return told


def check(live: LiveGame, folder: Path, most: int = 80) -> None:
    views, final = played(live, most)
    found = replayed(live, [*views, final], folder)
    for seen, computed in zip([*views, final], found["computed"], strict=True):
        assert not computed or seen == seen | computed
    assert found["hides"] == live.settings.game.has("view")
    for name in ("players", "objective", "card"):
        assert found[name] == final[name]
    moments = found["moments"]
    assert len(moments) == len(final["log"]) + 1
    for seen, moment in zip(views, moments, strict=False):
        assert moment["shown"] == {name: seen[name] for name in SHOWN}
    for entry, before, after in zip(final["log"], moments, moments[1:], strict=False):
        assert (before["seat"], before["waiting"]) == (entry["seat"], entry["kind"])
        assert after["mover"] == entry["mover"] or final["result"]["resigned"] is not None
        assert after["position"] == {name: entry[name] for name in POSITION}
        for name in ("keeps", "scores", "gained", "revealed", "laid"):
            assert after["entry"][name] == entry[name]
        if entry["kind"] == "event":
            events = sorted(before["events"], key=lambda event: event["label"])
            assert [[event["label"], event["probability"]] for event in events] == entry["outcomes"]
            assert [event["after"] for event in events] == entry["afters"]
    for seen, length in zip(views, range(len(views)), strict=True):
        for entry, moment in zip(seen["log"], moments[1 : length + 1], strict=True):
            assert moment["entry"]["isKnown"] == (entry["label"] != "hidden") or final["company"] == "device"
    if final["result"]["resigned"] is None:
        assert moments[-1]["results"] == final["result"]["payoffs"]
        assert (moments[-1]["isStopped"], moments[-1]["score"]) == (
            final["result"]["stopped"],
            final["result"]["score"],
        )


@pytest.mark.parametrize(("name", "changed"), GAMES, ids=str)
def test_page_replays_a_game_as_the_server_plays_it(name: str, changed: Json, tmp_path: Path) -> None:
    check(begun(name, changed), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "changed"), GAMES, ids=str)
def test_page_replays_a_long_game_as_the_server_plays_it(name: str, changed: Json, tmp_path: Path) -> None:
    check(begun(name, changed), tmp_path, 1000)


@pytest.mark.parametrize(
    "file",
    [
        *(file for file in EXAMPLES if file.stem not in WITHOUT_WINNERS),
        Path(__file__).parents[1] / "games" / "little_battleship.py",
    ],
    ids=lambda file: file.stem,
)
def test_page_replays_rule_files_of_ones_own(file: Path, tmp_path: Path) -> None:
    check(begun(str(file), {}), tmp_path)


@pytest.mark.parametrize("name", ["skunk", "traffic-lights", "royal-game-of-ur"])
def test_page_replays_a_game_at_one_device(name: str, tmp_path: Path) -> None:
    check(begun(name, {}, device=True), tmp_path)


@pytest.mark.parametrize("name", ["hog", "pass-the-pigs"])
def test_page_computes_the_events_to_enter_in_test_mode(name: str, tmp_path: Path) -> None:
    live = begun(name, {}, test=True)
    views, final = played(live, 30)
    assert any(seen["events"] for seen in views)
    for seen, computed in zip(views, replayed(live, [*views, final], tmp_path)["computed"], strict=False):
        assert seen == seen | computed


def test_hashes_of_the_rules_in_the_page_are_current() -> None:
    assert rule_hashes.FILE.read_text(encoding="utf-8") == rule_hashes.rule_hashes(), (
        "python scripts/rule_hashes.py writes them"
    )


def test_rules_without_a_translation_are_refused_with_the_reason(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = server.visitor()
    assert "export function* legal" in ann.get("/rules/piglet")["source"]
    monkeypatch.setattr(javascript, "MAX_PASSES", 0)
    rules_module.cache_clear()
    status, answer = ann.request("GET", "/rules/pig")
    assert status == 422
    assert answer["error"].endswith("the types of its values do not settle.")
