"""/ and all besides /api: the page, from the package."""

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOLDER = Path(__file__).parent.parent / "page"


class Page(StaticFiles):
    """The page's files; a browser asks each time whether its copy is still good."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER, html=True, check_dir=False)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file at this path."""
        if any(part.startswith((".", "_")) for part in Path(path).parts if part != "."):
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response
