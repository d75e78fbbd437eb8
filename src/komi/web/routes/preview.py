"""/shared/{secret}: the target of the link to a shared game, with a preview for messengers."""

from html import escape

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from komi.errors import KomiError
from komi.rules.vocabulary import title
from komi.web import models, preview
from komi.web.language import translate
from komi.web.live_game import LiveGame
from komi.web.responses import ApiError
from komi.web.routes.page import chosen
from komi.web.routes.puzzles import NO_PICTURES
from komi.web.services import CurrentServices, Services

router = APIRouter(prefix="/shared", include_in_schema=False)

PAGE = """<!doctype html>
<html lang="{code}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>
<meta name="description" content="{sentence}">
<meta property="og:type" content="website"><meta property="og:site_name" content="komi">
<meta property="og:title" content="{title}"><meta property="og:description" content="{sentence}">
<meta property="og:url" content="{address}">{picture}
<meta http-equiv="refresh" content="0; url=../#/shared/{secret}">
<link rel="icon" href="../icon.svg"></head>
<body><p><a href="../#/shared/{secret}">{title}</a></p></body>
</html>
"""
PICTURE = """
<meta property="og:image" content="{address}.png"><meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">"""


@router.get("/{secret}.png")
def picture(secret: models.Id, request: Request, services: CurrentServices) -> Response:
    """Return the preview image: a chart of the winning chances."""
    if not preview.can_draw():
        raise ApiError(404, NO_PICTURES)
    live, code = services.sharing.find(secret), chosen(request)
    game = translate(code, title(live.settings.game))
    words = preview.headline(live, services.game_service.view_for(live), code).removeprefix(f"{game}: ")
    drawn = preview.draw(game, words[:1].upper() + words[1:], _chances(live, services))
    return Response(drawn, media_type="image/png", headers={"cache-control": "no-cache"})


@router.get("/{secret}")
def shared(secret: models.Id, request: Request, services: CurrentServices) -> Response:
    """Return a page with the preview, which redirects browsers to the game."""
    base = request.url.replace(path="", query="", fragment="")
    address, code = f"{base}{request.app.state.root_path}/shared/{secret}", chosen(request)
    try:
        live = services.sharing.find(secret)
        heading = preview.headline(live, services.game_service.view_for(live), code)
    except ApiError as error:
        return HTMLResponse(
            _written(code, translate(code, error.detail), "", secret, address, has_picture=False), error.status_code
        )
    return HTMLResponse(
        _written(code, heading, preview.sentence(code), secret, address, has_picture=preview.can_draw())
    )


def _written(code: str, heading: str, sentence: str, secret: str, address: str, *, has_picture: bool) -> str:
    address = escape(address)
    drawn = PICTURE.format(address=address) if has_picture else ""
    return PAGE.format(
        code=code, title=escape(heading), sentence=sentence, secret=secret, address=address, picture=drawn
    )


def _chances(live: LiveGame, services: Services) -> list[float]:
    """Return the winning chances over the game, if its solution is in memory and the game is not for one player."""
    settings = live.settings
    if settings.game.players(settings.rules) == 1 or services.solutions.held(settings.game, settings.rules) is None:
        return []
    try:
        found = services.ratings.analyze(live)
    except (KomiError, ApiError):
        return []
    return [found.start, *found.curve]
