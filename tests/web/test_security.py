"""What every request must be, and what every answer carries."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from komi.web.rate_limits import EXPORTS, LISTS, PREVIEWS, Buckets, Limits, Rate
from komi.web.routes import page as page_routes
from komi.web.security import MAX_BODY

from playing import Server, Visitor

JSON = {"content-type": "application/json"}


@pytest.fixture
def ann(server: Server) -> Visitor:
    return server.visitor()


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the folder that the page is served from."""
    folder = tmp_path / "page"
    (folder / "faces").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>komi</title>")
    (folder / "faces" / "bag.js").write_text("export {};")
    (folder / ".hidden").write_text("hidden")
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(page_routes, "FOLDER", folder)
    page_routes.front.cache_clear()
    yield folder
    page_routes.front.cache_clear()


@pytest.mark.parametrize("path", ["/", "/api/me", "/api/nothing", "/nothing", "/api/openapi.json"])
def test_every_answer_forbids_what_is_not_from_here(ann: Visitor, path: str) -> None:
    headers = ann.client.get(path).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"


def test_worker_that_runs_rules_has_no_network(ann: Visitor) -> None:
    policy = ann.client.get("/replay-worker.js").headers["content-security-policy"]
    assert policy == "default-src 'none'; script-src 'self' blob:; worker-src 'none'"
    assert "worker-src 'self'" in ann.client.get("/").headers["content-security-policy"]


def test_answers_of_the_api_are_kept_by_no_one(ann: Visitor) -> None:
    assert ann.client.get("/api/me").headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://localhost:81"},
        {"origin": "null"},
        {"origin": "http://[broken"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
@pytest.mark.parametrize(("method", "path"), [("PUT", "/me"), ("DELETE", "/me"), ("POST", "/games")])
def test_change_from_another_site_is_refused(ann: Visitor, method: str, path: str, headers: Any) -> None:
    status, answer = ann.request(method, path, content="{}", headers=JSON | headers)
    assert (status, answer) == (403, {"error": "This server answers its own page only."})


def test_change_from_its_own_page_is_taken(ann: Visitor) -> None:
    headers = {"origin": "http://localhost", "sec-fetch-site": "same-origin"}
    assert ann.request("PUT", "/me", json={"name": "Ann"}, headers=headers)[0] == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_form_can_send_is_refused(ann: Visitor, kind: str) -> None:
    assert ann.request("PUT", "/me", content='{"name": "x"}', headers={"content-type": kind})[0] == 415


def test_names_of_others_are_refused(ann: Visitor) -> None:
    for host in ("evil.example", "localhost.evil.example", "", "[broken", "localhost@evil.example"):
        assert ann.request("GET", "/me", headers={"host": host})[0] == 400
    for host in ("localhost:8000", "127.0.0.1", "192.168.1.5:8000", "[::1]:8000", "LOCALHOST"):
        assert ann.request("GET", "/me", headers={"host": host})[0] == 200


def test_name_that_the_server_is_given_is_its_own(tmp_path: Path) -> None:
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}", names=["games.example"]) as server:
        assert server.visitor().request("GET", "/me", headers={"host": "games.example"})[0] == 200


def test_large_request_is_refused_whether_it_says_so_or_not(ann: Visitor) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(MAX_BODY // 1000 + 1):
            yield b" " * 1000

    for content in (b" " * (MAX_BODY + 1), pieces()):
        assert ann.request("PUT", "/me", content=content, headers=JSON)[0] == 413
    assert ann.request("PUT", "/me", content="{}", headers=JSON | {"content-length": "many"})[0] == 400


NO_PERSONS = ("", "{", "[]", "null", '{"name": 1e999}', "[" * 9000, '{"name": "x", "admin": true}')


@pytest.mark.parametrize("content", NO_PERSONS)
def test_an_invalid_object_is_refused_in_one_sentence(ann: Visitor, content: str) -> None:
    status, answer = ann.request("PUT", "/me", content=content, headers=JSON)
    assert status in (400, 422)
    assert list(answer) == ["error"]
    assert answer["error"].endswith(".")
    assert "\n" not in answer["error"]


@pytest.mark.parametrize(
    "change",
    [
        {"rules": {"goal": 201}},
        {"rules": {"goal": "many"}},
        {"rules": {"goal": 10**30}},
        {"rules": {"goal": [1]}},
        {"rules": {"nonsense": 1}},
        {"rules": {"\ud800": 1}},
        {"rules": {str(number): 1 for number in range(50)}},
        {"opponent": "x" * 41},
        {"opponent": "unknown"},
        {"opponent": "/etc/passwd.py:f"},
        {"opponent": "..py:f"},
        {"opponent": "learned:policy"},
        {"opponent": "hold-at:99999999999"},
        {"game": "/etc/passwd"},
        {"game": "../red_light"},
        {"seat": "third"},
        {"mode": "cheating"},
        {"number": "0" * 31},
        {"number": None},
        {"commitment": "'; DROP TABLE games;--"},
    ],
    ids=repr,
)
def test_game_out_of_all_bounds_is_not_begun(ann: Visitor, change: Any) -> None:
    status, answer = ann.request("POST", "/games", content=json.dumps(ann.game_request() | change), headers=JSON)
    assert status == 422
    assert list(answer) == ["error"]
    assert ann.get("/games")["games"] == []


def test_too_many_requests_are_refused_for_a_while(ann: Visitor) -> None:
    responses = (ann.client.get("/api/me") for _ in range(2000))
    refused = next(answer for answer in responses if answer.status_code == 429)
    assert refused.headers["retry-after"] == "1"
    assert refused.json() == {"error": "Too many requests at once; try again in a moment."}


@pytest.mark.slow
def test_page_can_be_loaded_again_and_again(page: Path, ann: Visitor) -> None:
    ann.get("/me")
    assert {ann.client.get("/faces/bag.js").status_code for _ in range(300)} == {200}


def test_starting_games_is_limited_more_than_moving(ann: Visitor) -> None:
    assert 429 in [ann.request("POST", "/commitments", json={})[0] for _ in range(40)]
    assert ann.request("GET", "/me")[0] == 200


def test_people_without_a_cookie_share_the_limit_on_setting_the_solver_to_work(server: Server, ann: Visitor) -> None:
    ann.get("/me")
    unknown = {"json": {"game": "nothing"}}
    found = [server.visitor().request("POST", "/preparations", **unknown)[0] for _ in range(40)]
    assert found[0] == 404
    assert found[-1] == 429
    assert ann.request("POST", "/preparations", **unknown)[0] == 404


def test_tokens_come_back_with_time() -> None:
    now = [0.0]
    buckets = Buckets(lambda: now[0])
    rate = Rate(a_second=2, at_once=3)
    assert [buckets.take("any", "ann", rate) for _ in range(4)] == [True, True, True, False]
    assert buckets.take("any", "bob", rate)
    now[0] = 0.5
    assert [buckets.take("any", "ann", rate) for _ in range(2)] == [True, False]


def test_unforeseen_error_is_one_sentence_and_one_line_in_the_log(
    server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("by nothing\nat all")

    monkeypatch.setattr(server.app.state.services.game_service, "view", fail)
    response = server.visitor().client.get(f"/api/games/{'0' * 32}")
    assert response.status_code == 500
    assert response.json() == {"error": "Something went wrong on the server; it has been logged."}
    assert response.headers["content-security-policy"]
    (line,) = [record.getMessage() for record in caplog.records if record.name == "komi.web"]
    assert line.startswith(f"GET /api/games/{'0' * 32} failed: ZeroDivisionError: by nothing (test_security.py, line ")
    assert "\n" not in line


def test_requests_while_the_database_is_away_are_to_be_repeated(
    server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OperationalError("SELECT 1", {}, Exception("connection refused"))

    monkeypatch.setattr(server.app.state.services.game_service, "view", fail)
    for _ in range(5):
        response = server.visitor().client.get(f"/api/games/{'0' * 32}")
        assert (response.status_code, response.headers["retry-after"]) == (503, "2")
        assert response.json() == {"error": "The database does not respond; try again in a moment."}
    assert len([record for record in caplog.records if record.name == "komi.web"]) == 1


def test_page_comes_from_the_package_and_is_requested_about_again(page: Path, server: Server) -> None:
    client = server.visitor().client
    first = client.get("/")
    assert (first.status_code, first.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert first.headers["cache-control"] == "no-cache, private"  # it gives a cookie
    assert client.get("/", headers={"if-none-match": first.headers["etag"]}).status_code == 304
    assert client.get("/faces/bag.js").headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/faces/../../secret.txt",
        "/%2e%2e%5csecret.txt",
        "/.hidden",
        "/faces",
        "/index.html%00.js",
        "/" + "x" * 5000,
    ],
)
def test_nothing_else_is_served(page: Path, server: Server, path: str) -> None:
    response = server.visitor().client.get(path, follow_redirects=False)
    assert response.status_code in (307, 404)
    assert "secret" not in response.text
    assert response.status_code != 404 or response.json() == {"error": "There is nothing at this address."}


@pytest.mark.parametrize(("code", "sentence"), [("en", "There is nothing at this address."), ("de", "Adresse")])
def test_address_without_anything_is_a_page_in_a_browser(server: Server, code: str, sentence: str) -> None:
    headers = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8", "accept-language": code}
    for path in ("/nope", "/.hidden"):
        response = server.visitor().client.get(path, headers=headers)
        assert (response.status_code, response.headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert sentence in response.text
        assert 'href="/"' in response.text
    response = server.visitor().client.get("/api/nope", headers=headers)
    assert (response.status_code, response.json()) == (404, {"error": "There is nothing at this address."})


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("path", ["/strengths", "/catalog", f"/games/{'0' * 32}/surface", "/export.json"])
def test_another_sites_page_reads_nothing_and_sets_nothing_to_work(ann: Visitor, path: str, site: str) -> None:
    for method in ("GET", "POST"):
        assert ann.request(method, path, headers=JSON | {"sec-fetch-site": site})[0] == 403


def test_link_from_another_site_leads_to_the_page_and_the_reference(page: Path, ann: Visitor) -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert ann.client.get("/", headers=headers).status_code == 200
    assert ann.client.get("/api/docs", headers=headers).status_code == 200


def test_nothing_that_takes_long_begins_by_an_address_alone(ann: Visitor) -> None:
    """A picture on any page can ask for an address; an old browser does not say where it is shown."""
    assert ann.request("GET", "/strengths?game=pig")[0] == 404
    assert ann.request("POST", "/strengths", content="{}", headers={"content-type": "text/plain"})[0] == 415


@pytest.mark.parametrize(
    ("path", "limits"), [("/api/export.json", EXPORTS), ("/api/export.csv", EXPORTS), ("/api/statistics", LISTS)]
)
def test_who_requests_everything_again_and_again_is_slowed_down_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, limits: Limits
) -> None:
    monkeypatch.setattr("komi.web.rate_limits.Buckets", lambda: Buckets(lambda: 0.0))
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}") as server:
        eve, ann = server.visitor(), server.visitor()
        for visitor in (eve, ann):
            visitor.request("POST", "/commitments", json={})  # sets the cookie
        statuses = [eve.client.get(path).status_code for _ in range(limits.person.at_once + 1)]
        assert statuses == [200] * limits.person.at_once + [429]
        assert ann.client.get(path).status_code == 200


@pytest.mark.parametrize("path", [f"/shared/{'0' * 32}.png", "/api/puzzles/pig/2020-01-01.png"])
def test_people_without_a_cookie_share_the_pictures_of_their_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr("komi.web.rate_limits.Buckets", lambda: Buckets(lambda: 0.0))
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}") as server:
        statuses = [server.visitor().client.get(path).status_code for _ in range(PREVIEWS.person.at_once + 1)]
        assert statuses == [404] * PREVIEWS.person.at_once + [429]
