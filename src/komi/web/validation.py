"""Validation errors in a sentence: which field is wrong, and which values it takes."""

from collections.abc import Mapping
from typing import Any

PATTERNS = {
    "game": "the name of a game, such as red-light",
    "opponent": "an opponent's name, such as hard or hold-at:20, in lower case and without spaces",
    "commitment": "32 digits, 0 to 9 and a to f",
    "number": "32 digits, 0 to 9 and a to f",
    "key": "the key of a preparation, 32 digits",
}
"""Descriptions of the valid values, by field."""

INVALID_PATHS = {
    "id": "there is no such game: part of the link may be missing.",
    "room": "this link is not valid: part of it may be missing.",
    "secret": "this link is not valid: part of it may be missing.",
}
"""Messages for invalid path parameters, by parameter."""

TYPES = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "a text",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "list_type": "a list",
}
"""Descriptions of the valid values, by pydantic's error type."""

MAX_FIELD_NAME = 80  # characters of a field's name


def describe(error: Mapping[str, Any]) -> str:
    """Describe a pydantic error in a sentence."""
    path = [str(part) for part in error["loc"][1:] if part not in ("bool", "int", "float", "constrained-str")]
    name, limits = ".".join(path)[:MAX_FIELD_NAME], error.get("ctx", {})
    field = f"the field {name!r}" if name else "the request"
    if path[:1] == ["rules"] and len(path) > 1:
        return f"the rule {path[1][:MAX_FIELD_NAME]!r} must be a number, a word, or true or false."
    match error["type"]:
        case "missing":
            return f"{field} is missing."
        case "extra_forbidden":
            return f"there is no field {name!r} here."
        case "string_pattern_mismatch" if path and path[-1] in INVALID_PATHS:
            return INVALID_PATHS[path[-1]]
        case "string_pattern_mismatch":
            return f"{name or 'this'} must be {PATTERNS.get(path[-1] if path else '', 'in another form')}."
        case "string_too_short" if limits["min_length"] > 1:
            return f"{field} must have at least {limits['min_length']} characters."
        case "string_too_short" | "too_short" if not limits.get("actual_length"):
            return f"{field} is empty."
        case "string_too_long":
            return f"{field} may have at most {limits['max_length']} characters."
        case "too_long":
            return f"{field} may have at most {limits['max_length']} entries."
        case "greater_than_equal":
            return f"{field} must be {limits['ge']} or more."
        case "less_than_equal":
            return f"{field} must be {limits['le']} or less."
        case "literal_error":
            return f"{field} must be {limits['expected']}."
        case "value_error":
            return f"{field}: {limits['error']}."
        case kind:
            return f"{field} must be {TYPES.get(kind, 'in another form')}."
