"""Every result has a text and a JSON object."""

from math import inf
from typing import Any, get_args

import pytest

from komi.evaluation.match import MatchResult
from komi.presentation.formatting import format_percent, format_range, hint_sentence, state_proof, weakest_hints
from komi.presentation.match_report import match_json, match_text
from komi.presentation.solution_report import REPORTS, solution_report
from komi.solvers.solution import VerifiedHints
from komi.solvers.solve import SOLVERS


def test_every_solution_can_be_presented() -> None:
    assert REPORTS.keys() == {solver.solution_type for solver in SOLVERS}


@pytest.mark.parametrize("present", [match_json, match_text])
@pytest.mark.parametrize("result_type", get_args(MatchResult))
def test_every_match_can_be_presented(present: Any, result_type: type) -> None:
    assert present.dispatch(result_type) is not present.dispatch(object)


def test_other_objects_are_refused() -> None:
    with pytest.raises(TypeError, match="for int"):
        solution_report(1)  # type: ignore[arg-type]


def test_hints_that_are_verified_everywhere_are_named() -> None:
    hints = VerifiedHints(("roll", "totals"), 1000, 1000)
    assert hint_sentence(hints) == "Uses the hints 'roll' and 'totals', verified in all 1,000 states."
    assert state_proof("it is so", hints) == "Proved: it is so."


def test_what_rests_on_hints_that_were_verified_in_a_sample_is_not_proved() -> None:
    hints = VerifiedHints(("roll", "totals"), 20, 1000)
    assert state_proof("it is so", hints) == (
        "Not proved: this rests on the hints 'roll' and 'totals', which hold in a random sample of 20 of 1,000 states. "
        "If they hold in all states, it is so."
    )


def test_the_weakest_hints_of_several_results_are_those_of_all() -> None:
    hints = [None, VerifiedHints(("roll", "totals"), 50, 50), VerifiedHints(("roll", "totals"), 20, 1000)]
    assert weakest_hints(hints) == hints[2]
    assert weakest_hints([None]) is None


def test_numbers_are_formatted_for_people() -> None:
    assert format_percent(0.5) == "50.0000 %"
    assert format_range(1.5, 2.0) == "1.500 to 2.000"
    assert format_range(1.5, inf) == "1.500 or more, without limit"
