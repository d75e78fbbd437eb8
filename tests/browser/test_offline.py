"""The page without a network: it is shown as it was, says so, and can be installed."""

from collections.abc import Callable

from playwright.sync_api import expect
from visiting import Visit, wait_until

KEPT = "caches.open('komi').then(async (kept) => (await kept.keys()).map(({ url }) => new URL(url).pathname))"

ALL_KEPT = f"""{KEPT}.then((kept) =>
    ["/", ...performance.getEntriesByType("resource").map(({{ name }}) => new URL(name).pathname)]
        .every((path) => path.startsWith("/api/") || kept.includes(path)))"""


def test_page_loads_without_a_network_and_says_so(visit: Callable[..., Visit]) -> None:
    person = visit(service_workers="allow")
    page = person.page
    person.go()
    page.wait_for_selector(".tile")
    wait_until(page, "navigator.serviceWorker.controller !== null")
    wait_until(page, ALL_KEPT)
    person.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("alert")).to_have_text("The server cannot be reached.")
    assert not [path for path in page.evaluate(KEPT) if path.startswith("/api/")]
    person.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".tile").first).to_be_visible()


def test_page_can_be_installed(visit: Callable[..., Visit]) -> None:
    person = visit()
    person.go()
    address = person.page.locator("link[rel=manifest]").evaluate("(link) => link.href")
    manifest = person.page.request.get(address).json()
    assert manifest["display"] == "standalone"
    icon = person.page.request.get(f"{person.address}{manifest['icons'][0]['src']}")
    assert icon.headers["content-type"].startswith("image/svg+xml")
