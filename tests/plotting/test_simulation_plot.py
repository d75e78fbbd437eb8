"""Pictures of simulations show what was seen."""

import numpy as np
import pytest

import komi

pytest.importorskip("matplotlib")

from komi.plotting import simulation_plot


def test_a_sheet_has_a_panel_for_each_question():
    without = simulation_plot.figure(komi.simulate("pig", 2000))
    assert len(without.axes) == 3
    dealt = simulation_plot.figure(komi.simulate("pig", deals=50, per_deal=4))
    assert len(dealt.axes) == 4


def test_bars_are_as_high_as_seats_win():
    simulation = komi.simulate("pig", 2000)
    wins = simulation_plot.figure(simulation).axes[2]
    assert [bar.get_height() for bar in wins.patches] == [seat.mean for seat in simulation.wins]


@pytest.mark.parametrize("per_deal", [1, 4, 20, 49, 50, 99, 200, 1000])
def test_bins_of_win_rates_have_a_possible_rate_in_the_middle_and_as_many_on_each_side(per_deal):
    edges = simulation_plot._edges(per_deal) * per_deal
    assert len(edges) <= simulation_plot.BINS + 1
    middles = (edges[1:] + edges[:-1]) / 2
    assert middles == pytest.approx(middles.round())
    assert middles[0] == 0
    assert edges[-1] > per_deal
    inner = np.histogram(np.arange(per_deal + 1), edges)[0][1:-1]
    assert len(set(inner)) <= 1, "each holds as many possible rates"


@pytest.mark.parametrize("kind", ["png", "svg", "html"])
def test_a_sheet_is_written_as(kind, tmp_path):
    simulation_plot.save(komi.simulate("pig", 500), tmp_path / f"pig.{kind}")
    begins = (tmp_path / f"pig.{kind}").read_bytes()[:15]
    assert begins.startswith({"png": b"\x89PNG", "svg": b"<?xml", "html": b"<!doctype html>"}[kind])
