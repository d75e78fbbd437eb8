"""Every result has a text and a JSON object."""

from collections.abc import Callable
from math import inf
from typing import Any, get_args

import pytest

from komi.evaluation.match_by_name import MatchResult
from komi.presentation.formatting import format_percent, format_range
from komi.presentation.match_report import match_json, match_text
from komi.presentation.report_rows import report_rows
from komi.presentation.solution_json import game_json, values_json
from komi.presentation.solution_text import hint_sentence, solution_text, state_text
from komi.solvers.solution import VerifiedHints
from komi.solvers.solve import SOLVERS


@pytest.mark.parametrize("present", [game_json, report_rows, solution_text, state_text, values_json])
@pytest.mark.parametrize("solution_type", [solver.solution_type for solver in SOLVERS])
def test_every_solution_can_be_presented(present: Any, solution_type: type) -> None:
    assert present.dispatch(solution_type) is not present.dispatch(object)


@pytest.mark.parametrize("present", [match_json, match_text])
@pytest.mark.parametrize("result_type", get_args(MatchResult))
def test_every_match_can_be_presented(present: Any, result_type: type) -> None:
    assert present.dispatch(result_type) is not present.dispatch(object)


@pytest.mark.parametrize("present", [game_json, report_rows, solution_text])
def test_other_objects_are_refused(present: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match="for int"):
        present(1)


def test_hints_that_are_verified_everywhere_are_named() -> None:
    hints = VerifiedHints(("symmetries",), 1000, 1000)
    assert hint_sentence(hints) == "Uses the hint 'symmetries', verified in all 1,000 states."


def test_hints_that_are_verified_in_a_sample_are_conditions() -> None:
    hints = VerifiedHints(("roll", "totals"), 20, 1000)
    assert hint_sentence(hints) == (
        "This holds if 'roll' and 'totals' hold: verified in a random sample of 20 of 1,000 states."
    )


def test_numbers_are_formatted_for_people() -> None:
    assert format_percent(0.5) == "50.0000 %"
    assert format_range(1.5, 2.0) == "1.500 to 2.000"
    assert format_range(1.5, inf) == "1.500 or more, without limit"
