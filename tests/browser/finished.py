"""Finished games, as a server that plays fair shows them, and the page's own check of them."""

import secrets
from typing import Any

import httpx2 as httpx
from playwright.sync_api import Page

Json = dict[str, Any]

GAMES: dict[str, Json] = {
    "red-light": {"goal": 8, "red": 2, "green": 5},
    "pig": {"goal": 25},
    "progressive-pig": {"goal": 25},
    "two-dice-pig": {"goal": 30},
    "big-pig": {"goal": 30},
    "piglet": {"goal": 6},
    "fowl-play": {"goal": 8, "wolves": 2, "chickens": 6},
    "traffic-lights": {"version": 3},
    "red7": {},
    "own": {"goal": 25},
}

CHECK = """async ([view, promise]) => {
    const { findObjections } = await import("/check.js");
    const { rulesOf } = await import("/game-rules.js");
    return findObjections(view, promise, await rulesOf(view, promise));
}"""
STORE = """async ([views, request, hash, hashes, sent]) => {
    const { readCatalog } = await import("/api.js");
    const { commitmentOf, storeCommitment, storeHashes, storeSent, storeSteps, termsOf } =
        await import("/commitment.js");
    const { hashOfRules } = await import("/game-rules.js");
    const game = (await readCatalog()).games.find(({ name }) => name === request.game);
    const terms = { ...termsOf(game, request, hashes && "link"), translation: await hashOfRules(game.name) };
    storeCommitment(request.commitment, hash, request.number, terms);
    if (hashes) storeHashes(request.commitment, hashes);
    for (const [number, label] of sent) storeSent(request.commitment, number, label);
    for (const view of views) storeSteps(view, game.hides);
    return commitmentOf(request.commitment);
}"""


def play(address: str, page: Page, game: str, *, seat: str = "either") -> tuple[Json, Json]:
    """Play a game against a random opponent; return its views and what the page has stored."""
    with httpx.Client(base_url=address, timeout=60.0) as client:
        commitment = client.post("/api/commitments", json={}).json()
        request = {"game": game, "rules": GAMES[game], "opponent": "random", "seat": seat, "mode": "normal"}
        request |= {"number": secrets.token_hex(16), "commitment": commitment["commitment"]}
        views, sent = [client.post("/api/games", json=request).raise_for_status().json()], []
        while views[-1]["waiting"]:
            view = views[-1]
            labels = [action["label"] for action in view["actions"]]
            turn = (view["state"] or {}).get("turn", 0)
            label = labels[-1] if turn > 3 or "hold" not in labels else labels[0]
            label = labels[view["number"] % len(labels)] if game in ("traffic-lights", "red7") else label
            move = {"number": view["number"], "move": label}
            sent.append([view["number"], label])
            views.append(client.post(f"/api/games/{view['id']}/moves", json=move).raise_for_status().json())
    promise = page.evaluate(STORE, [views[:-1], request, commitment["hash"], None, sent])
    return views[-1], promise


def against(page: Page, view: Json, promise: Json | None) -> list[tuple[int | None, str]]:
    """Return the page's objections to a game."""
    return [(each["step"], each["sentence"]) for each in page.evaluate(CHECK, [view, promise])]
