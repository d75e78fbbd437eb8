"""How soon after a server's first start, with nothing compiled or solved, its page can be played on.

    python bench/play/start.py [TIMES]

A browser of the size of a phone opens the page, presses "Play now" at Red Light, and waits until a draw is offered:
two presses. It needs Playwright and its Chromium, as the tests do.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from statistics import median

from playwright.sync_api import Browser, sync_playwright

SERVE = [sys.executable, "-m", "komi", "serve", "--no-open", "--port", "0"]
PATIENCE = 120_000  # ms
PAINT = "performance.getEntriesByName('first-paint')[0].startTime"


def started(browser: Browser) -> dict[str, float]:
    """Seconds from the server's start; of the first paint, from asking for the page."""
    page = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True).new_page()
    page.set_default_timeout(PATIENCE)
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        server = subprocess.Popen(
            [*SERVE, "--database", f"sqlite:///{folder}/games.db"],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"KOMI_CACHE_DIR": f"{folder}/cache"},
        )
        try:
            assert server.stdout is not None
            address = re.search(r"http\S+", server.stdout.readline())
            assert address is not None
            answers = time.perf_counter() - begin
            page.goto(address.group(0))
            tile = page.locator(".tile", has_text="Red Light")
            tile.wait_for()
            listed = time.perf_counter() - begin
            paint = page.evaluate(PAINT) / 1000
            tile.get_by_role("button", name=re.compile("Play now")).tap()
            page.wait_for_selector(".actions button:not([aria-disabled])")
            return {"answers": answers, "first_paint": paint, "games": listed, "draw": time.perf_counter() - begin}
        finally:
            server.terminate()
            server.wait()
            page.context.close()


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        runs = [started(browser) for _ in range(times)]
        browser.close()
    print(json.dumps({name: round(median(run[name] for run in runs), 2) for name in runs[0]}, indent=1))


if __name__ == "__main__":
    main()
