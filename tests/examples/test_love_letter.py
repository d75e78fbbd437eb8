"""Love Letter: the powers of the cards, and values of small decks against an enumeration in plain Python."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations
from pathlib import Path
from typing import Any

import pytest

import komi
from komi.rules import catalog, tuple_fields

FILE = Path(__file__).parents[2] / "examples" / "love_letter.py"
COUNTS = ("guards", "priests", "barons", "handmaids", "princes", "kings", "countesses", "princesses")
GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)
ONE_EACH = dict.fromkeys(COUNTS, 1)
MOST = (5, 2, 2, 2, 2, 1, 1, 1)
DECKS = [
    deck
    for deck in combinations_with_replacement(range(1, 9), 4)
    if all(deck.count(kind) <= most for kind, most in zip(range(1, 9), MOST, strict=True))
]


def plays(mine: tuple[int, int], rival: int, removed: int, kinds: set[int]) -> Iterator[tuple[str, float]]:
    """Yield the ways to play a card of the last turn, and what each wins."""
    for card, kept in {mine, mine[::-1]}:
        if COUNTESS in mine and card in (KING, PRINCE):
            continue

        def win(own: int, other: int, extra: int = 0, theirs: int = 0, played: int = card) -> float:
            mine, other_side = (own, played + extra), (other, theirs)
            return 0.5 if mine == other_side else float(mine > other_side)

        if card == GUARD:
            guesses = kinds - {GUARD}
            for guess in guesses:
                yield f"guess {guess}", 1.0 if guess == rival else win(kept, rival)
            if not guesses:
                yield "idle", win(kept, rival)
        elif card == PRINCE:
            yield "rival", 1.0 if rival == PRINCESS else win(kept, removed, theirs=rival)
            yield "self", 0.0 if kept == PRINCESS else win(removed, rival, extra=kept)
        elif card == KING:
            yield "king", win(rival, kept)
        elif card == PRINCESS:
            yield "princess", 0.0
        else:
            yield f"card {card}", win(kept, rival)


def value_of_last_turn(deck: tuple[int, ...]) -> float:
    """Return the chance of the only player who acts with a deck of four cards."""
    totals: defaultdict[tuple[int, ...], defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for hand, rival, drawn, removed in permutations(deck):
        for play, won in plays((hand, drawn), rival, removed, set(deck)):
            totals[tuple(sorted((hand, drawn)))][play] += won / 24
    return sum(max(each.values()) for each in totals.values())


def rules_of(deck: tuple[int, ...]) -> dict[str, int]:
    return {name: deck.count(kind) for kind, name in enumerate(COUNTS, 1)} | {"aside": 0}


@pytest.mark.parametrize(
    "deck", [pytest.param(deck, marks=[] if index % 40 == 0 else pytest.mark.slow) for index, deck in enumerate(DECKS)]
)
def test_last_turn_has_the_value_of_an_enumeration(deck: tuple[int, ...]) -> None:
    assert komi.solve(FILE, **rules_of(deck)).value() == pytest.approx(value_of_last_turn(deck), abs=1e-9)


@pytest.mark.slow
def test_one_card_of_each_kind_favours_the_first_player() -> None:
    solution = komi.solve(FILE, **ONE_EACH)
    assert solution.value() == pytest.approx(0.539583, abs=1e-6)
    assert solution.error_bound < 1e-9


def after(action: str, **fields: Any) -> list[Any]:
    """Return the states after an action, as the player who has taken it sees them."""
    game = catalog.find(str(FILE))
    module, rules = tuple_fields.author_of(game.module), game.default_rules
    state = module.State(**fields)
    index = module.actions.index(action)
    assert index in module.legal(rules, state)
    return [module.turned(rules, each) for _, each, _ in module.outcomes(rules, state, index)]


@pytest.mark.parametrize(
    ("action", "fields", "found"),
    [
        ("guess King", {"hand": GUARD, "drawn": PRIEST, "rival": KING}, {"ending": 1}),
        ("guess King", {"hand": GUARD, "drawn": PRIEST, "rival": BARON}, {"ending": 0, "hand": PRIEST}),
        ("Priest", {"hand": GUARD, "drawn": PRIEST, "rival": KING}, {"known": 1, "rival": KING, "exposed": 0}),
        ("Baron", {"hand": BARON, "drawn": KING, "rival": PRINCE}, {"ending": 1}),
        ("Baron", {"hand": BARON, "drawn": KING, "rival": PRINCESS}, {"ending": 2}),
        ("Baron", {"hand": BARON, "drawn": BARON, "rival": BARON}, {"ending": 0, "known": 1, "exposed": 1}),
        ("Handmaid", {"hand": HANDMAID, "drawn": KING, "rival": GUARD}, {"safe": 1}),
        ("Guard", {"hand": GUARD, "drawn": KING, "rival": PRIEST, "safe": 1}, {"safe": 0, "hand": KING}),
        ("Baron", {"hand": BARON, "drawn": GUARD, "rival": KING, "safe": 1}, {"ending": 0, "known": 0}),
        ("Prince", {"hand": PRINCE, "drawn": GUARD, "rival": PRINCESS}, {"ending": 1}),
        ("Prince on yourself", {"hand": PRINCE, "drawn": PRINCESS, "rival": GUARD}, {"ending": 2}),
        ("King", {"hand": KING, "drawn": GUARD, "rival": BARON}, {"hand": BARON, "rival": GUARD, "known": 1}),
        ("Princess", {"hand": PRINCESS, "drawn": GUARD, "rival": BARON}, {"ending": 2}),
        ("Countess", {"hand": COUNTESS, "drawn": KING, "rival": BARON}, {"hand": KING, "ending": 0}),
    ],
)
def test_cards_do_what_they_say(action: str, fields: dict[str, int], found: dict[str, int]) -> None:
    (state,) = after(action, **fields)
    assert {name: getattr(state, name) for name in found} == found


def test_countess_is_played_beside_a_king_or_a_prince() -> None:
    game = catalog.find(str(FILE))
    module, rules = tuple_fields.author_of(game.module), game.default_rules
    for other, forced in ((KING, True), (PRINCE, True), (PRINCESS, False), (GUARD, False)):
        labels = [module.actions[each] for each in module.legal(rules, module.State(other, COUNTESS, rival=BARON))]
        assert (labels == ["Countess"]) is forced


def test_knowledge_ends_when_the_known_card_may_be_gone() -> None:
    seen = {"exposed": 1, "rival": GUARD}
    assert after("Handmaid", hand=KING, drawn=HANDMAID, **seen)[0].exposed == 1
    assert after("Handmaid", hand=HANDMAID, drawn=KING, **seen)[0].exposed == 0
    assert after("Priest", hand=PRIEST, drawn=PRIEST, **seen)[0].exposed == 0


def test_prince_draws_the_removed_card_from_an_empty_deck() -> None:
    played = (4, 2, 2, 1, 1, 1, 0, 0)
    states = after("Prince", hand=PRINCE, drawn=GUARD, rival=HANDMAID, open=(0, 0, 0, 0, 0, 0, 1, 0), played=played)
    assert [(state.rival, state.ending) for state in states] == [(PRINCESS, 3)]


def test_default_rules_are_played_and_not_solved() -> None:
    with pytest.raises(komi.SolveError, match="too many states"):
        komi.solve(FILE)
    assert komi.simulate(FILE, 20_000, policies=["low_card", "random"]).wins[0].mean > 0.7
