"""Rules that make no sense are refused in one sentence that says what they may be."""

from typing import Any

import pytest

NO_PIGS = ("right=0", "left=0", "razorback=0", "trotter=0", "snouter=0", "jowler=0")


@pytest.mark.parametrize(
    ("game", "settings", "message"),
    [
        ("hog", ["max_dice=0"], "max_dice of hog must be 1 to 40, not 0"),
        ("hog", ["max_dice=41"], "max_dice of hog must be 1 to 40, not 41"),
        ("hog", ["sides=1"], "sides of hog must be 2 to 10"),
        ("pig", ["players=5"], "players of pig must be 2 to 4"),
        ("pig", ["players=3", "komi=50"], "komi of pig must be 0 to 49"),
        ("pig-solitaire", ["turns=0"], "turns of pig-solitaire must be 1 to"),
        ("pig-solitaire", ["objective=fun"], "must be one of reach, score, turns"),
        ("think", ["turns=0"], "turns of think must be 1 to"),
        ("hooligan", ["straight=-1"], "straight of hooligan must be 0 to"),
        ("pass-the-pigs", ["right=-1"], "right of pass-the-pigs must be"),
        ("pass-the-pigs", ["jowler=-0.5"], "jowler of pass-the-pigs must be"),
        ("pass-the-pigs", [*NO_PIGS], "right of pass-the-pigs must be 1.0 to"),
        ("pass-the-pigs", ["right=many"], "rule 'right' of pass-the-pigs"),
        ("pass-the-pigs", ["right=nan"], "right"),
        ("pass-the-pigs", ["oinker=1.5"], "oinker of pass-the-pigs must be"),
        ("pass-the-pigs", ["players=3", "piggyback=0.1"], "piggyback of pass-the-pigs must be"),
        ("risk-battle", ["attackers=0"], "attackers of risk-battle must be 1 to"),
        ("risk-battle", ["attack_dice=4"], "attack_dice of risk-battle must be 1 to 3"),
        ("risk-chain", ["armies=1"], "armies of risk-chain must be 2 to"),
        ("risk-chain", ["defenders2=0"], "defenders3 of risk-chain must be 0 with defenders2=0"),
        ("risk-chain", ["defenders1=-3"], "defenders1 of risk-chain must be 1 to"),
        ("skunk", ["ending=soon"], "ending of skunk must be one of share, first, higher"),
        ("skunk", ["ending=higher"], "skunk has no value under these rules: where only more points win"),
    ],
)
def test_rules_that_make_no_sense_are_refused_in_one_sentence(
    run: Any, game: str, settings: list[str], message: str
) -> None:
    refused = run("solve", game, *(word for setting in settings for word in ("--set", setting)))
    assert refused.code == 2
    assert message in refused.err
    assert refused.err.count("\n") == 1
    assert refused.out == ""
