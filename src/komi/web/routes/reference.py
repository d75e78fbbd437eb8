"""/api/docs: a readable API reference, generated from the OpenAPI document, without external resources."""

from collections.abc import Iterator
from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

router = APIRouter(prefix="/api", include_in_schema=False)

METHODS = ("get", "post", "put", "delete")
KINDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "null": "null",
}
BOUNDS = {"minimum": "from", "maximum": "to", "maxLength": "of at most", "pattern": "of the form"}
PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>
<link rel="stylesheet" href="../style/page.css"><link rel="stylesheet" href="../style/reference.css">
<link rel="icon" href="../icon.svg"></head>
<body><main>
<h1>{title}</h1>
<p>{description} The same for programs: <a href="openapi.json">openapi.json</a>.</p>
{body}
</main></body>
</html>
"""


@router.get("/docs")
def docs(request: Request) -> HTMLResponse:
    """Return the reference of all endpoints and models."""
    schema = request.app.openapi()
    title, description = escape(f"{schema['info']['title']}: the API"), escape(schema["info"]["description"])
    body = "\n".join([*_addresses(schema), "<h2>Words</h2>", *_words(schema)])
    return HTMLResponse(PAGE.format(title=title, description=description, body=body))


def _addresses(schema: dict[str, Any]) -> Iterator[str]:
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                yield from _address(path, method, methods[method])


def _address(path: str, method: str, said: dict[str, Any]) -> Iterator[str]:
    yield f"<h2><code>{method.upper()} {escape(path)}</code></h2>"
    yield f"<p>{escape(said['description'])}</p>"
    asked = [f"<code>{escape(each['name'])}</code>: {_kind(each['schema'])}" for each in said.get("parameters", ())]
    if "requestBody" in said:
        asked.append(_content(said["requestBody"]))
    if asked:
        yield f"<p>Asks for {', '.join(asked)}.</p>"
    answers = [f"{status} {_content(each)}" for status, each in said["responses"].items() if status < "3"]
    yield f"<p>Answers {', '.join(answers)}.</p>"


def _content(said: dict[str, Any]) -> str:
    return ", ".join(_kind(each.get("schema", {})) or escape(kind) for kind, each in said.get("content", {}).items())


def _words(schema: dict[str, Any]) -> Iterator[str]:
    for name, word in sorted(schema["components"]["schemas"].items()):
        yield f'<h3 id="{escape(name)}"><code>{escape(name)}</code></h3>'
        yield f"<p>{escape(word.get('description', ''))}</p><ul>"
        for field, kind in word.get("properties", {}).items():
            default = f", {escape(repr(kind['default']))} if not said" if "default" in kind else ""
            yield f"<li><code>{escape(field)}</code>: {_kind(kind)}{default}</li>"
        yield "</ul>"


def _kind(kind: dict[str, Any]) -> str:
    """Describe the type of a field in a few words."""
    if "$ref" in kind:
        name = escape(kind["$ref"].rpartition("/")[2])
        return f'<a href="#{name}"><code>{name}</code></a>'
    if "anyOf" in kind:
        return " or ".join(_kind(each) for each in kind["anyOf"])
    if "enum" in kind or "const" in kind:
        return " or ".join(f"<code>{escape(repr(each))}</code>" for each in kind.get("enum", [kind.get("const")]))
    if kind.get("type") == "array":
        return f"list of {_kind(kind.get('items', {})) or 'these'}"
    bounds = [f"{word} {kind[key]}" for key, word in BOUNDS.items() if key in kind]
    return " ".join([escape(KINDS.get(kind.get("type", ""), "")), *map(escape, bounds)]).strip()
