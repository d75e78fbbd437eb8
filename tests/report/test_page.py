"""A report is one page that holds all it shows."""

import re

import pytest

import komi
from komi import InputError
from komi.report import page

pytest.importorskip("matplotlib")


def test_a_solved_game_has_its_exact_numbers_and_a_picture(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "GAMES", 4000)
    monkeypatch.setattr(page, "DEALS", 40)
    monkeypatch.setattr(page, "PER_DEAL", 5)
    game = komi.find("pig")
    findings = page.find(game, {"goal": 20})
    page.write(findings, tmp_path / "pig.html")
    text = (tmp_path / "pig.html").read_text()
    assert f"{100 * komi.solve('pig', goal=20).value():.4f} %" in text
    assert "<svg" in text
    assert [skill.policy for skill in findings.skill] == ["optimal", "optimal"]
    assert all(skill.wins.mean > 0.6 for skill in findings.skill)
    linked = re.findall(r'(?:src|href)="(?!#)([^"]*)"', text)
    assert not linked, "the page needs no other file"


def test_a_report_is_a_page(tmp_path):
    with pytest.raises(InputError, match=r"ends in \.html"):
        page.check(tmp_path / "pig.pdf")
