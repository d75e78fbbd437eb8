"""What can be learnt from a game: preparing, hints, reviews, surfaces, strengths. The games are small, and solved."""

import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.errors import SolveError
from komi.measures.courses import FIGURES, GAMES
from komi.play import opponent_players, opponents, searching
from komi.policies.searchers import ActionEstimate
from komi.progress import silent
from komi.teaching import cheat_sheets
from komi.web import excitement, jobs, worker
from komi.web.job_queue import JobQueue
from komi.web.jobs import TOO_LARGE
from komi.web.queued_job import QueuedJob
from komi.web.services import POPULAR
from komi.web.solutions import MAX_HELD

from playing import Server, Visitor

RULES = {"goal": 8, "red": 3, "green": 7}  # of no other test, so not solved before
SECONDS = 1000  # after which something has gone wrong, however busy the machine is


@pytest.fixture(scope="module")
def solving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    address = f"sqlite:///{tmp_path_factory.mktemp('learning') / 'games.db'}"
    with Server.running(address) as running:
        yield running


@pytest.fixture
def ann(solving: Server) -> Visitor:
    return solving.visitor()


def prepared(visitor: Visitor, game: str = "red-light", rules: Any = RULES, opponent: str | None = None) -> Any:
    deadline = time.monotonic() + SECONDS
    request = {"game": game, "rules": rules, "opponent": opponent}
    status, answer = visitor.patiently("POST", "/preparations", json=request)
    while status == 202 and time.monotonic() < deadline:
        time.sleep(0.2)
        status, answer = visitor.patiently("GET", f"/preparations/{answer['key']}")
    return answer


def when_ready(visitor: Visitor, path: str, method: str = "GET", **more: Any) -> Any:
    deadline = time.monotonic() + SECONDS
    status, answer = visitor.request(method, path, **more)
    while status in (429, 503) and time.monotonic() < deadline:
        time.sleep(0.2)
        status, answer = visitor.request(method, path, **more)
    assert status == 200
    return answer


def execute(job: QueuedJob) -> Any:
    return worker.execute(job.function, json.dumps(job.arguments), silent)


def run_here(monkeypatch: pytest.MonkeyPatch, run: Callable[[QueuedJob], Any] = execute) -> None:
    """Run jobs in this process from now on."""

    def schedule(_: JobQueue, job: QueuedJob) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(run(job))
        except komi.KomiError as error:
            future.set_exception(error)
        return future

    monkeypatch.setattr(JobQueue, "_schedule", schedule)


def begun(visitor: Visitor, opponent: str = "hard", **more: Any) -> Any:
    prepared(visitor)
    return visitor.begin("red-light", opponent, rules=RULES, **more)


@pytest.mark.slow
def test_move_is_answered_while_a_game_is_being_solved(ann: Visitor) -> None:
    """The first test of this file: the solver, and the compiler, have work to do."""
    game = ann.begin("pig")
    status, answer = ann.request("POST", "/preparations", json={"game": "red-light", "rules": RULES})
    waits, begun = [], time.perf_counter()
    while status == 202:
        begin = time.perf_counter()
        game = ann.moved(game, game["actions"][-1]["label"]) if game["waiting"] else ann.begin("pig")
        waits.append(time.perf_counter() - begin)
        time.sleep(0.1)
        status, answer = ann.request("GET", f"/preparations/{answer['key']}")
    assert answer["ready"], answer
    assert sorted(waits)[len(waits) // 2] < (time.perf_counter() - begun) / 4  # no request waits until it is solved


def test_game_that_is_being_solved_cannot_be_begun_yet(ann: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    run_here(monkeypatch)
    request = ann.game_request(opponent="hard", rules=RULES | {"komi": 2})
    status, answer = ann.request("POST", "/games", json=request)
    assert (status, answer["error"]) == (503, "Red Light is still being solved; try again in a moment.")
    assert prepared(ann, rules=RULES | {"komi": 2})["ready"]
    assert ann.request("POST", "/games", json=request)[0] == 201


def test_opponent_that_needs_no_solution_begins_before_there_is_one(
    ann: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[tuple[QueuedJob, Future[Any]]] = []

    def schedule(_: JobQueue, job: QueuedJob) -> Future[Any]:
        waiting.append((job, Future()))
        return waiting[-1][1]

    monkeypatch.setattr(JobQueue, "_schedule", schedule)
    rules = RULES | {"komi": 3}
    request = {"game": "red-light", "rules": rules, "opponent": "cautious:2"}
    status, answer = ann.request("POST", "/preparations", json=request)
    assert (status, answer["ready"], answer["playable"]) == (202, False, True)
    game = ann.begin("red-light", "cautious:2", rules=rules)
    hint = ann.request("GET", f"/games/{game['id']}/hint")
    assert (hint[0], hint[1]["error"]) == (503, "Red Light is still being solved; try again in a moment.")
    for job, future in waiting:
        future.set_result(execute(job))
    assert prepared(ann, rules=rules)["ready"]
    assert ann.get(f"/games/{game['id']}/hint")["best"] in ("draw", "hold")


def test_rule_plays_the_same_with_and_without_a_solution() -> None:
    solution = komi.solve("red-light", **RULES)
    game, rules = solution.game, solution.rules
    for policy in ("cautious:2", "hold-at:3", "keep-pace"):
        opponent = opponents.find(policy, game, rules)
        at_once = opponent_players.player_without_solution(opponent, game, rules)
        seated = opponent_players.create_player(opponent, game, rules, solution)
        assert at_once is not None
        for text in ("turn=2,green=2", "score=3,rival=5,turn=1,green=1,red=1", "score=7"):
            state = game.read(rules, text)
            assert at_once.choose(state, 0.5) == seated.choose(state, 0.5)
    assert opponent_players.player_without_solution(opponents.find("optimal", game, rules), game, rules) is None


def test_short_sighted_opponent_needs_no_solution_to_win_at_once() -> None:
    game = komi.find("traffic-lights")
    rules = game.default_rules
    player = opponent_players.player_without_solution(opponents.find("ahead:1", game, rules), game, rules)
    assert player is not None
    assert game.label(rules, None, player.choose(game.read(rules, "rr......."), 0.5)) == "c1"
    assert opponent_players.player_without_solution(opponents.find("ahead:4", game, rules), game, rules) is None


@pytest.mark.slow
def test_the_opponent_of_a_game_that_is_too_large_searches_in_a_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = []

    def run(job: QueuedJob) -> int:
        if job.function == "compile_search":
            return 1
        if job.function != "search":
            raise SolveError(TOO_LARGE)
        searched.append(job.arguments["policy"])
        return jobs.search(**job.arguments | {"policy": "mcts:20"}, progress=silent)

    run_here(monkeypatch, run)
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}") as server:
        visitor = server.visitor()
        unsolved = {"version": 2, "rows": 1}  # by no other test, which shares the cache
        request = {"game": "traffic-lights", "rules": unsolved, "opponent": "hard"}
        status, answer = visitor.request("POST", "/preparations", json=request)
        while status == 202:
            time.sleep(0.1)
            status, answer = visitor.request("POST", "/preparations", json=request)
        assert (answer["error"], answer["playable"]) == (None, True)
        game = visitor.begin("traffic-lights", "hard", rules=unsolved)
        assert visitor.play_on(game)["result"]
    assert set(searched) == {"mcts:1s"}


def test_preparing_again_is_ready_at_once(ann: Visitor) -> None:
    prepared(ann)
    assert ann.request("POST", "/preparations", json={"game": "red-light", "rules": RULES})[0] == 200


def test_game_that_cannot_be_solved_is_ready_at_once_and_has_no_exact_hints(ann: Visitor) -> None:
    assert ann.request("POST", "/preparations", json={"game": "red7"})[1]["ready"]
    game = ann.begin("red7", "hard", seat="first")
    assert ann.request("GET", f"/games/{game['id']}/hint")[1] == {
        "error": "Optimal play of Red7 is not known here, where games of this kind or size are not solved."
    }


def guess(game: komi.Game, rules: Any, observation: Any, playouts: int) -> dict[str, ActionEstimate]:
    """Return a search result in which the first label in the alphabet is best."""
    assert playouts in (searching.HINT_PLAYOUTS, searching.REVIEW_PLAYOUTS)
    labels = game.labels(rules, observation)
    return {
        label: ActionEstimate(labels[label], 9, 0.9 - 0.1 * rank, 0.01) for rank, label in enumerate(sorted(labels))
    }


def test_estimates_of_a_search_replace_a_missing_solution(ann: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    run_here(monkeypatch)
    monkeypatch.setattr(searching, "hint", guess)
    game = next(game for _ in range(50) if len((game := ann.begin("red7", "random"))["actions"]) > 1)
    assert (game["solved"], game["searched"]) == (False, True)
    labels = sorted(action["label"] for action in game["actions"])
    hint = when_ready(ann, f"/games/{game['id']}/hint/estimates")
    assert hint["actions"][0] == {"label": labels[0], "worth": 0.9, "stderr": 0.01}
    assert [action["label"] for action in hint["actions"]] == labels
    review = f"/games/{game['id']}/review/estimates"
    assert ann.request("GET", review) == (409, {"error": "The game is not over: there is no review yet."})
    game = ann.moved(game, labels[-1])
    if game["result"] is None:
        game = ann.request("POST", f"/games/{game['id']}/resign", json={})[1]
    worst = when_ready(ann, review)["worst"]
    assert (worst["chosen"], worst["best"]) == (labels[-1], labels[0])
    assert worst["loss"] == pytest.approx(0.1 * (len(labels) - 1))
    assert worst["stderr"] == pytest.approx(0.01 * 2**0.5)
    assert ann.request("GET", f"{review}?seat=7")[0] == 422
    assert ann.request("GET", f"/games/{game['id']}/hint/estimates")[0] == 409


def test_there_are_no_estimates_of_what_cannot_be_searched(ann: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "policy_name", lambda *_: None)
    game = ann.begin("red7", "random")
    assert not game["searched"]
    status, answer = ann.request("GET", f"/games/{game['id']}/hint/estimates")
    assert (status, answer["error"].partition(",")[0]) == (404, "Optimal play of Red7 is not known here")


def test_whichever_limit_a_game_hits_people_read_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOMI_MAX_STATES", "1000")
    with pytest.raises(komi.KomiError) as refused:
        worker.execute("solve", json.dumps({"game": "pig", "rules": {"goal": 29, "sides": 5}}), silent)
    assert str(refused.value) == TOO_LARGE


@pytest.mark.slow
def test_game_of_chance_that_is_too_large_is_played_against_a_search(ann: Visitor) -> None:
    rules = {"goal": 1000, "sides": 100}
    answer = prepared(ann, "pig", rules)
    assert (answer["ready"], answer["error"]) == (False, TOO_LARGE)
    assert ann.begin("pig", "hard", rules=rules)["waiting"] == "action"


def test_hint_says_what_optimal_play_knows(ann: Visitor) -> None:
    game = next(game for _ in range(50) if (game := ann.moved(begun(ann), "draw"))["state"]["turn"] > 0)
    hint = ann.get(f"/games/{game['id']}/hint")
    worth = komi.solve("red-light", **RULES).actions(game["state"])
    assert {each["label"]: each["worth"] for each in hint["actions"]} == worth
    assert hint["best"] == next(iter(worth))


def test_review_is_for_games_that_are_over(ann: Visitor) -> None:
    game = begun(ann)
    status, answer = ann.request("GET", f"/games/{game['id']}/review")
    assert (status, answer["error"]) == (409, "The game is not over: there is no review yet.")


def test_review_adds_up_and_statistics_remember_it(ann: Visitor) -> None:
    game = ann.play_on(begun(ann))
    review = ann.get(f"/games/{game['id']}/review")
    result = game["result"]["payoffs"][game["you"]]
    assert [point["number"] for point in review["curve"]] == list(range(game["number"]))
    assert review["curve"][-1]["chance"] == result
    assert review["start"] + review["luck"] + review["skill"] == pytest.approx(result)
    own = [decision for decision in review["decisions"] if decision["seat"] == game["you"]]
    assert review["mistakes"] == pytest.approx(sum(decision["loss"] for decision in own))
    (row,) = ann.get("/statistics")["rows"]
    assert row["average_mistake"] == pytest.approx(review["mistakes"] / len(own))
    assert (row["luck"], row["skill"]) == (review["luck"], review["skill"])


def test_finished_game_is_compared_with_sampled_ones(ann: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    run_here(monkeypatch)
    game = begun(ann, "easy")
    path = f"/games/{game['id']}/excitement"
    assert ann.request("GET", path) == (409, {"error": excitement.UNFINISHED})
    game = ann.play_on(game)
    found = when_ready(ann, path)
    assert (found["games"], 0.0 < found["error"] < 0.01) == (GAMES, True)
    assert [figure["name"] for figure in found["figures"]] == list(FIGURES)
    assert all(0.0 <= figure["below"] + figure["above"] <= 1.0 + 1e-9 for figure in found["figures"])
    review = ann.get(f"/games/{game['id']}/review")
    chances = [review["start"], *(point["chance"] for point in review["curve"])]
    has_won = game["result"]["payoffs"][game["you"]] == 1.0
    lowest = min(chances) if has_won else 1.0 - max(chances)
    shown = found["figures"][FIGURES.index("lowest")]["value"]
    assert shown >= lowest - 1e-9  # the curve has chances within a move, too
    run_here(monkeypatch, lambda _: pytest.fail("sampled twice"))
    assert ann.get(path) == found


def test_resignation_is_reviewed_as_a_decision(ann: Visitor) -> None:
    game = begun(ann)
    ann.request("POST", f"/games/{game['id']}/resign", json={})
    found = when_ready(ann, f"/games/{game['id']}/review")
    last = found["decisions"][-1]
    assert (last["number"], last["chosen"], last["best"]) == (len(game["log"]), "resign", "play on")
    assert found["worst"] == last["number"]
    assert found["curve"][-1] == {"number": last["number"], "chance": 0.0}
    assert found["mistakes"] == pytest.approx(last["loss"])
    assert found["accuracy"] == 0.0


def test_game_that_was_given_up_is_not_compared(ann: Visitor) -> None:
    game = begun(ann)
    ann.request("POST", f"/games/{game['id']}/resign", json={})
    assert ann.request("GET", f"/games/{game['id']}/excitement") == (409, {"error": excitement.UNFINISHED})


@pytest.mark.slow
def test_surface_has_the_hold_values_and_the_game_on_it(ann: Visitor) -> None:
    game = begun(ann)
    surface = when_ready(ann, f"/games/{game['id']}/surface")
    scores = list(range(RULES["goal"]))
    assert surface["x"] == {"field": "score", "values": scores}
    assert surface["y"] == {"field": "rival", "values": scores}
    assert surface["now"] == {"x": 0, "y": 1, "z": 0}
    assert (len(surface["z"]), len(surface["z"][0])) == (8, 8)
    solution = komi.solve("red-light", **RULES)
    least = surface["z"][1][0]
    assert solution.best({"turn": int(least), "green": int(least)}) == "hold"


def test_strengths_are_exact_and_complete(ann: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    run_here(monkeypatch)
    request = {"game": "red-light", "rules": RULES}
    status = 202
    deadline = time.monotonic() + SECONDS
    while status in (202, 503) and time.monotonic() < deadline:
        status, answer = ann.patiently("POST", "/strengths", json=request)
        time.sleep(0.2)
    assert [(match["a"], match["b"]) for match in answer["matches"]] == [
        ("medium", "easy"),
        ("hard", "easy"),
        ("hard", "medium"),
    ]
    assert all(match["games"] == 0 for match in answer["matches"])
    assert answer["matches"][1]["average"] >= 0.5


def test_decisions_are_rated_and_the_ladder_has_its_rungs(ann: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    run_here(monkeypatch)
    prepared(ann)
    lost = []
    for _ in range(5):
        game = ann.play_on(begun(ann))
        lost.append(ann.patiently("GET", f"/games/{game['id']}/review")[1]["mistakes"])
    answer = ann.get("/statistics")
    (rating,) = answer["ratings"]
    assert (rating["game"], rating["rules"]["goal"], rating["games"]) == ("red-light", RULES["goal"], 5)
    assert (rating["objective"], len(rating["course"])) == (None, 5)
    assert rating["loss"] == pytest.approx(sum(lost) / 5)
    assert rating["error"] is None
    rungs = when_ready(ann, "/rungs", "POST", json={"game": "red-light", "rules": RULES})["rungs"]
    assert [rung["opponent"] for rung in rungs if rung["opponent"]] == ["easy", "medium", "hard"]
    assert rungs[-1] == {"policy": "optimal", "opponent": "hard", "loss": 0.0, "error": 0.0}
    assert when_ready(ann, "/rungs", "POST", json={"game": "red7"}) == {"rungs": []}


def test_any_policy_is_an_opponent_by_name(ann: Visitor) -> None:
    prepared(ann)
    prepared(ann, opponent="hold-at:2")
    game = begun(ann, "hold-at:2", seat="second")
    assert game["opponent"] == {"name": "hold-at:2", "title": "hold-at:2"}


def test_the_strategy_taught_last_sits_down(ann: Visitor) -> None:
    game, rules = komi.find("red-light"), RULES | {"komi": 4}
    cheat_sheets.store(game, game.rules(rules), "Always draw.", "def cheat_sheet(rules, state):\n    return 0\n")
    status, begun = ann.request("POST", "/games", json=ann.game_request(opponent="card", rules=rules, seat="second"))
    assert (status, begun["opponent"]) == (201, {"name": "card", "title": "Cheat sheet"})


@pytest.mark.slow
def test_who_waits_for_an_opponent_keeps_no_one_from_sitting_down(
    solving: Server, ann: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A named policy is tabulated in a worker only, however long that takes."""
    prepared(ann)
    services, may_end = solving.app.state.services, threading.Event()
    schedule = services.preparation_queue._schedule

    def slow(job: QueuedJob) -> Any:
        assert job.function != "tabulate" or may_end.wait(SECONDS)
        return schedule(job)

    monkeypatch.setattr(services.preparation_queue, "_schedule", slow)
    eve = solving.visitor()
    request = {"game": "red-light", "rules": RULES, "opponent": "ahead:99"}
    assert eve.request("POST", "/preparations", json=request)[0] == 202
    refusal = eve.request("POST", "/games", json=eve.game_request(**request))
    assert refusal[1]["error"] == "Ahead:99 is still being prepared; try again in a moment."
    monkeypatch.setattr("komi.play.opponent_players.tabulate_actions", lambda *_: pytest.fail("computed in the server"))
    services.opponents._players.clear()
    ann.begin("red-light", "random", rules=RULES)
    monkeypatch.undo()
    ann.begin("red-light", "hard", rules=RULES)
    may_end.set()
    assert prepared(eve, opponent="ahead:99")["ready"]
    monkeypatch.setattr("komi.play.opponent_players.tabulate_actions", lambda *_: pytest.fail("computed in the server"))
    assert eve.request("POST", "/games", json=eve.game_request(**request))[0] == 201


def test_games_that_most_play_are_solved_when_the_server_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("komi.web.solutions.is_stored", lambda *_: False)
    run_here(monkeypatch, lambda _: time.sleep(0.05))
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}", warm=True) as server:
        solving = server.app.state.services.solver_queue
        deadline = time.monotonic() + SECONDS
        while len(solving._jobs) < len(POPULAR) or solving._waiting or solving._running:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert [(each.arguments["game"], each.ready) for each in solving._jobs.values()] == [
            (name, True) for name in POPULAR
        ]


@pytest.mark.slow
def test_few_solutions_are_held_at_once(solving: Server, ann: Visitor) -> None:
    for komi_points in range(MAX_HELD + 2):
        rules = RULES | {"komi": komi_points}
        assert prepared(ann, rules=rules)["ready"]
        ann.begin("red-light", "hard", rules=rules)
    assert len(solving.app.state.services.solutions._held) == MAX_HELD


@pytest.mark.slow
def test_opponent_comes_back_when_the_cache_was_emptied(solving: Server, ann: Visitor, cache_folder: Path) -> None:
    game = begun(ann)
    services = solving.app.state.services
    services.solutions._held.clear()
    services.opponents._players.clear()
    shutil.rmtree(cache_folder / "solutions")
    status, answer = ann.move(game, "draw")
    assert (status, answer["error"]) == (503, "Red Light is being solved again; try again in a moment.")
    assert prepared(ann)["ready"]
    assert ann.move(game, "draw")[0] == 200


def test_solution_that_is_never_found_is_solved_again_only_once(
    solving: Server, ann: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_here(monkeypatch)
    rules = RULES | {"komi": 6}
    assert prepared(ann, rules=rules)["ready"]
    game = ann.begin("red-light", "hard", rules=rules)
    services = solving.app.state.services
    services.solutions._held.clear()
    services.opponents._players.clear()
    monkeypatch.setattr("komi.web.solutions.is_stored", lambda *_: False)
    assert ann.move(game, "draw")[0] == 503
    assert prepared(ann, rules=rules)["ready"]
    status, answer = ann.move(game, "draw")
    sentence = "Red Light was solved, but this server cannot find the solution: restart the server."
    assert (status, answer["error"]) == (422, sentence)


def test_solver_continues_after_it_has_failed(solving: Server, ann: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no more processes")

    run_here(monkeypatch)
    rules = RULES | {"komi": 7}
    with monkeypatch.context() as patch:
        patch.setattr(solving.app.state.services.solver_queue, "_schedule", fail)
        assert prepared(ann, rules=rules)["error"] == "the solver failed; it has been logged."
    monkeypatch.setattr("komi.web.queued_job.RETRY_AFTER", 0)
    assert prepared(ann, rules=rules)["ready"]
