"""Cases of a test that only `make test-slow` tries."""

from typing import Any

import pytest


def slowly(*cases: Any) -> list[Any]:
    """Mark each case, or tuple of parameters, as slow."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]
