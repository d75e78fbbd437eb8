"""The types with which the page's JavaScript is checked are those of the API."""

import api_types


def test_types_of_the_api_are_current() -> None:
    assert api_types.FILE.read_text(encoding="utf-8") == api_types.api_types(), (
        "python scripts/api_types.py writes them"
    )
