"""/ and all paths outside /api: the files of the page, in the visitor's language."""

import json
import re
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from komi.web import identity, language

FOLDER = Path(__file__).parent.parent / "page"
CATALOGUES = "languages/{code}.json"
TEXT = re.compile(r"\[\[(.+?)\]\]")
FIRST_MODULE = '<link rel="modulepreload"'
PRELOAD = f'<link rel="preload" href="{CATALOGUES}" as="fetch" crossorigin>\n  '


class Page(StaticFiles):
    """The files of the page. Browsers revalidate their copies at each request."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER, html=True, check_dir=False)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file at this path. For a missing file a browser gets an error page."""
        try:
            return await self._find(path, scope)
        except HTTPException as error:
            request = Request(scope)
            accepts_page = "text/html" in request.headers.get("accept", "")
            if error.status_code == 404 and accepts_page and not path.startswith("api/"):
                return HTMLResponse(_missing(chosen(request), str(request.app.state.root_path)), 404)
            raise

    async def _find(self, path: str, scope: Scope) -> Response:
        if any(part.startswith((".", "_")) for part in Path(path).parts if part != "."):
            raise HTTPException(404)
        request = Request(scope)
        if request.method in ("GET", "HEAD"):
            if path in (".", "index.html"):
                code = chosen(request)
                identity.give_cookie(request)
                more = {
                    "content-language": code,
                    "vary": "accept-language, cookie",
                    "cache-control": "no-cache, private",
                }
                return _written(front(code), "text/html", request, more)
            for code in language.available():
                if path == CATALOGUES.format(code=code):
                    return _written(_catalogue(code), "application/json", request, {})
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def chosen(request: Request) -> str:
    """Choose the language for a request."""
    return language.chosen(request.cookies.get(language.COOKIE), request.headers.get("accept-language", ""))


@cache
def front(code: str) -> str:
    """Return index.html in a language: texts in [[...]] are translated."""
    text = (FOLDER / "index.html").read_text(encoding="utf-8")
    text = text.replace('<html lang="en">', f'<html lang="{code}">')
    text = text.replace('name="languages" content="en"', f'name="languages" content="{" ".join(language.available())}"')
    if code != language.SOURCE:
        text = text.replace(FIRST_MODULE, PRELOAD.format(code=code) + FIRST_MODULE, 1)
    return TEXT.sub(lambda found: escape(language.say(code, found[1])), text)


@cache
def _missing(code: str, root_path: str) -> str:
    """Return the page for an address at which there is nothing."""
    sentence = escape(language.say(code, "There is nothing at this address."))
    games = escape(language.say(code, "Choose another game"))
    return (
        f'<!doctype html><html lang="{code}"><head><meta charset="utf-8"><title>komi</title>'
        f'<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="{root_path}/style/page.css">'
        f'</head><body><header class="masthead"><a class="brand" href="{root_path}/"><span>komi</span></a></header>'
        f'<main><h1>{sentence}</h1><p><a class="button" href="{root_path}/">{games}</a></p></main>'
        "</body></html>"
    )


@cache
def _catalogue(code: str) -> str:
    return json.dumps(language.words(code), ensure_ascii=False)


def _written(text: str, media_type: str, request: Request, more: dict[str, str]) -> Response:
    """Create the response for a generated text, or 304 if the browser's copy is current."""
    tag = f'"{sha256(text.encode()).hexdigest()[:32]}"'
    headers = {"cache-control": "no-cache", "etag": tag} | more
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(text, media_type=media_type, headers=headers)
