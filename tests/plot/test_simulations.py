"""Pictures of simulations show what was seen."""

import pytest

import komi

pytest.importorskip("matplotlib")

from komi.plot import simulations


def test_a_sheet_has_a_panel_for_each_question():
    without = simulations.figure(komi.simulate("pig", 2000))
    assert len(without.axes) == 3
    dealt = simulations.figure(komi.simulate("pig", deals=50, per_deal=4))
    assert len(dealt.axes) == 4


def test_bars_are_as_high_as_seats_win():
    simulation = komi.simulate("pig", 2000)
    wins = simulations.figure(simulation).axes[2]
    assert [bar.get_height() for bar in wins.patches] == [seat.mean for seat in simulation.wins]


@pytest.mark.parametrize("kind", ["png", "svg", "html"])
def test_a_sheet_is_written_as(kind, tmp_path):
    simulations.save(komi.simulate("pig", 500), tmp_path / f"pig.{kind}")
    begins = (tmp_path / f"pig.{kind}").read_bytes()[:15]
    assert begins.startswith({"png": b"\x89PNG", "svg": b"<?xml", "html": b"<!doctype html>"}[kind])
