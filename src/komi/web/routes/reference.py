"""/api/docs: a readable API reference, generated from the OpenAPI document, without external resources."""

from collections.abc import Iterator
from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

router = APIRouter(prefix="/api", include_in_schema=False)

METHODS = ("get", "post", "put", "delete")
TYPES = {
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
    body = "\n".join([*_endpoints(schema), "<h2>Models</h2>", *_models(schema)])
    return HTMLResponse(PAGE.format(title=title, description=description, body=body))


def _endpoints(schema: dict[str, Any]) -> Iterator[str]:
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                yield from _endpoint(path, method, methods[method])


def _endpoint(path: str, method: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"<h2><code>{method.upper()} {escape(path)}</code></h2>"
    yield f"<p>{escape(operation['description'])}</p>"
    parameters = [
        f"<code>{escape(each['name'])}</code>: {_type_of(each['schema'])}" for each in operation.get("parameters", ())
    ]
    if "requestBody" in operation:
        parameters.append(_content(operation["requestBody"]))
    if parameters:
        yield f"<p>Request: {', '.join(parameters)}.</p>"
    responses = [f"{status} {_content(each)}" for status, each in operation["responses"].items() if status < "3"]
    yield f"<p>Response: {', '.join(responses)}.</p>"


def _content(body: dict[str, Any]) -> str:
    return ", ".join(_type_of(each.get("schema", {})) or escape(kind) for kind, each in body.get("content", {}).items())


def _models(schema: dict[str, Any]) -> Iterator[str]:
    for name, model in sorted(schema["components"]["schemas"].items()):
        yield f'<h3 id="{escape(name)}"><code>{escape(name)}</code></h3>'
        yield f"<p>{escape(model.get('description', ''))}</p><ul>"
        for field, kind in model.get("properties", {}).items():
            default = f", {escape(repr(kind['default']))} by default" if "default" in kind else ""
            yield f"<li><code>{escape(field)}</code>: {_type_of(kind)}{default}</li>"
        yield "</ul>"


def _type_of(kind: dict[str, Any]) -> str:
    """Describe the type of a field in a few words."""
    if "$ref" in kind:
        name = escape(kind["$ref"].rpartition("/")[2])
        return f'<a href="#{name}"><code>{name}</code></a>'
    if "anyOf" in kind:
        return " or ".join(_type_of(each) for each in kind["anyOf"])
    if "enum" in kind or "const" in kind:
        return " or ".join(f"<code>{escape(repr(each))}</code>" for each in kind.get("enum", [kind.get("const")]))
    if kind.get("type") == "array":
        return f"list of {_type_of(kind.get('items', {})) or 'these'}"
    bounds = [f"{word} {kind[key]}" for key, word in BOUNDS.items() if key in kind]
    return " ".join([escape(TYPES.get(kind.get("type", ""), "")), *map(escape, bounds)]).strip()
