"""A server below a path of another one, and what messages show of a link."""

from pathlib import Path

import pytest

from komi.errors import InputError
from komi.web.root_path import check_root_path

from playing import Server


@pytest.mark.parametrize("strips", [False, True], ids=["path is kept", "path is taken off"])
def test_all_of_it_works_below_a_path(tmp_path: Path, strips: bool) -> None:
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}", root_path="/komi/") as server:
        ann = server.visitor()
        above = "" if strips else "/komi"
        answer = ann.client.put(f"{above}/api/me", json={"name": "Ann"})
        assert answer.status_code == 200
        assert "; Path=/komi/;" in answer.headers["set-cookie"]
        assert answer.headers["cache-control"] == "no-store"
        assert 'src="main.js"' in ann.client.get(f"{above}/").text
        assert ann.client.get("/komi", follow_redirects=False).headers["location"] == "/komi/"
        assert ann.client.get("/komix/").status_code == 404


@pytest.mark.parametrize("path", ["komi", "/a b", "/../x", "//x", "/?"])
def test_an_invalid_path_is_refused(path: str) -> None:
    with pytest.raises(InputError, match="is not a path: give one such as /komi"):
        check_root_path(path)


def test_messages_read_what_a_link_leads_to_and_see_a_picture(tmp_path: Path) -> None:
    with Server.running(f"sqlite:///{tmp_path / 'games.db'}", root_path="/komi") as server:
        ann = server.visitor()
        ann.client.base_url = "http://localhost/komi"
        game = ann.play_on(ann.begin("piglet", rules={"goal": 2}))
        secret = ann.request("POST", f"/games/{game['id']}/share", json={})[1]["secret"]
        page = server.visitor().client.get(f"/shared/{secret}").text
        assert 'property="og:title" content="Piglet: ' in page
        assert 'against random"' in page
        assert f'property="og:image" content="http://localhost/komi/shared/{secret}.png"' in page
        assert f"url=../#/shared/{secret}" in page
        picture = server.visitor().client.get(f"/shared/{secret}.png")
        assert picture.headers["content-type"] == "image/png"
        assert picture.content.startswith(b"\x89PNG")
        ann.request("DELETE", f"/games/{game['id']}/share", json={})
        for address in (f"/shared/{secret}", f"/shared/{secret}.png"):
            gone = server.visitor().client.get(address)
            assert gone.status_code == 404
            assert "og:image" not in gone.text
