"""Write the types of the API's requests and responses, for the checks of the page's JavaScript: types/api.d.ts.

python scripts/api_types.py
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from komi.web.app import create_app
from komi.web.database import Database

FILE = Path(__file__).parents[1] / "types" / "api.d.ts"
HEADER = "/** The requests and responses of komi's API. scripts/api_types.py writes this file. */\n"
PRIMITIVES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
Schema = dict[str, Any]


def api_types() -> str:
    """Return the TypeScript declaration of the API's models."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Database(f"sqlite:///{folder}/games.db"))
        schemas = app.openapi()["components"]["schemas"]
        app.state.services.close()
    interfaces = [_interface(name, schema) for name, schema in schemas.items()]
    return f"{HEADER}declare namespace Api {{\n" + "\n".join(interfaces) + "}\n"


def _interface(name: str, schema: Schema) -> str:
    fields = "".join(f"    {line}\n" for line in _fields(schema))
    return f"  interface {name} {{\n{fields}  }}\n" if fields else f"  interface {name} {{}}\n"


def _fields(schema: Schema) -> Iterator[str]:
    """Yield a line for each field. Responses have all fields; a request may omit those with a default."""
    is_request = schema.get("additionalProperties") is False
    for name, field in schema["properties"].items():
        mark = "?" if is_request and name not in schema.get("required", ()) else ""
        yield f"{name}{mark}: {_type(field)};"


def _type(schema: Schema) -> str:
    match schema:
        case {"$ref": reference}:
            return str(reference).rpartition("/")[2]
        case {"const": value}:
            return str(value).lower()
        case {"enum": values}:
            return " | ".join(f'"{value}"' for value in values)
        case {"anyOf": options}:
            return " | ".join(dict.fromkeys(map(_type, options)))
        case {"prefixItems": items}:
            return f"[{', '.join(map(_type, items))}]"
        case {"type": "array", "items": item}:
            return f"({_type(item)})[]" if "anyOf" in item or "enum" in item else f"{_type(item)}[]"
        case {"type": "object", "additionalProperties": dict(value)}:
            return f"Record<string, {_type(value)}>"
        case {"type": "object"}:
            return "Record<string, unknown>"
        case {"type": name}:
            return PRIMITIVES[name]
    raise ValueError(f"no type for {schema}")


if __name__ == "__main__":
    FILE.write_text(api_types(), encoding="utf-8")
