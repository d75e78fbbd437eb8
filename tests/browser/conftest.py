"""A real browser before a real server; what the browser complains about fails the test."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="these tests need Playwright: pip install playwright.")

from visiting import PATIENCE, CurrentServices, Visit

from komi.rules import catalog

HURRY = """
const sleep = window.setTimeout;
window.setTimeout = (action, milliseconds = 0, ...rest) => sleep(action, milliseconds / 10, ...rest);
"""  # pauses take a tenth of their time: those between moves, and those before the page asks the server again
EXPECTED = (
    "Failed to load resource",
    "net::ERR_",  # the browser's own words for a refusal or a lost network
    "Service Worker registration blocked",
    "The server cannot be reached.",
)


@pytest.fixture(scope="session")
def shared_cache(compiled_folder: Path) -> Path:
    """A cache of solved games, shared by all workers."""
    path = compiled_folder.parent / "browser-cache"
    path.mkdir(exist_ok=True)
    with contextlib.suppress(FileExistsError):
        (path / "compiled").symlink_to(compiled_folder)
    return path


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path) -> Iterator[CurrentServices]:
    folder = tmp_path_factory.mktemp("served")
    own_game = folder / "own.py"
    own_game.write_text(catalog.find("pig").file.read_text())
    server = CurrentServices(folder / "games.db", shared_cache, own_game)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def visit(browser: Any, served: CurrentServices) -> Iterator[Callable[..., Visit]]:
    """Opens windows, each with its own cookies unless they are shared; fails at the end if the console has errors."""
    visits: list[Visit] = []

    def open_window(
        how: str = "mouse", width: int = 1440, same: Visit | None = None, hurry: bool = True, **more: Any
    ) -> Visit:
        context = same.context if same else browser.new_context(**_like(how, width, more))
        context.set_default_timeout(PATIENCE)
        if hurry:
            context.add_init_script(HURRY)
        visit = Visit(context, context.new_page(), served.address, how)  # type: ignore[arg-type]
        visit.page.on("console", lambda message: _note(visit, message))
        visit.page.on("pageerror", lambda error: visit.troubles.append(str(error)))
        visits.append(visit)
        return visit

    yield open_window
    troubles = [trouble for visit in visits for trouble in visit.troubles]
    for visit in visits:
        visit.context.close()
    assert not troubles


def _like(how: str, width: int, more: dict[str, Any]) -> dict[str, Any]:
    size = {"width": width, "height": 740 if width < 800 else 900}
    alone = {"service_workers": "block"}  # routes of a test see all requests
    return {"viewport": size, "has_touch": how == "touch", "reduced_motion": "reduce"} | alone | more


def _note(visit: Visit, message: Any) -> None:
    if message.type in ("error", "warning") and not message.text.startswith(EXPECTED):
        visit.troubles.append(message.text)
