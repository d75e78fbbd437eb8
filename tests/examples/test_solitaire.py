"""The games in `examples/` have the values of enumerations that share no code with them."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from komi.evaluation.single_player import evaluate_single_player
from komi.policies.named import find
from komi.solvers.solve import solve

EXAMPLES = Path(__file__).parents[2] / "examples"
CARDS = {card: 4 / 13 if card == 10 else 1 / 13 for card in range(1, 11)}
Hand = tuple[int, ...]
HIGHEST = """from komi.rules.interface import legal


def highest(rules, state):
    for action in legal(rules, state):
        return action  # to shut, unless the tile must be left
    return -1
"""


def test_shut_the_box_has_the_published_values() -> None:
    game = str(EXAMPLES / "shut_the_box.py")
    assert solve(game).value() == pytest.approx(11.021121, abs=5e-7)
    assert solve(game, objective="shut").value() == pytest.approx(0.097614, abs=5e-7)


@pytest.mark.parametrize("objective", ["sum", "shut"])
@pytest.mark.parametrize(("tiles", "one_die"), [(9, 6), (7, 0)])
def test_shut_the_box_is_enumerated(objective: str, tiles: int, one_die: int) -> None:
    solution = solve(str(EXAMPLES / "shut_the_box.py"), objective=objective, tiles=tiles, one_die=one_die)
    expected = shut_the_box(frozenset(range(1, tiles + 1)), one_die, objective == "sum")
    assert solution.value() == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_shutting_the_highest_tile_always_is_nearly_best(tmp_path: Path) -> None:
    """The figure of docs/strategies.md."""
    policy = tmp_path / "highest.py"
    policy.write_text(HIGHEST)
    solution = solve(str(EXAMPLES / "shut_the_box.py"))
    result = evaluate_single_player(solution, find(f"{policy}:highest", solution))
    assert result.loss == pytest.approx(0.2193, abs=5e-5)


@pytest.mark.slow
@pytest.mark.parametrize("splits", [False, True])
def test_blackjack_is_enumerated(splits: bool) -> None:
    expected = 0.0
    for first, chance in CARDS.items():
        for second, other_chance in CARDS.items():
            for up, up_chance in CARDS.items():
                blackjack = CARDS[10] if up == 1 else CARDS[1] if up == 10 else 0.0
                is_natural = points((first, second))[0] == 21
                played = best_hand(tuple(sorted((first, second))), up)
                if splits and first == second:
                    played = max(played, 2.0 * split_hand(first, up))
                value = (1 - blackjack) * 1.5 if is_natural else -blackjack + (1 - blackjack) * played
                expected += chance * other_chance * up_chance * value
    assert solve(EXAMPLES / "blackjack.py", splits=int(splits)).value() == pytest.approx(expected, abs=1e-9)


def counted(shoe: Hand, hands: int, bets: tuple[int, ...]) -> Fraction:
    """Compute the winnings of best play from a shoe whose cards are seen, in exact fractions."""

    def draws(left: Hand) -> Iterator[tuple[Fraction, int, Hand]]:
        """Yield each different card with its chance and the shoe without it."""
        for card in sorted(set(left)):
            index = left.index(card)
            yield Fraction(left.count(card), len(left)), card, left[:index] + left[index + 1 :]

    @cache
    def shoe_worth(left: Hand, hands: int) -> Fraction:
        if hands == 0 or len(left) < 4:
            return Fraction(0)
        return max(
            sum(
                (
                    first * second * third * played((one, two), up, rest, bet, hands - 1)
                    for first, one, after in draws(left)
                    for second, two, later in draws(after)
                    for third, up, rest in draws(later)
                ),
                Fraction(0),
            )
            for bet in bets
        )

    def played(hand: Hand, up: int, left: Hand, bet: int, more: int) -> Fraction:
        return (
            chosen(tuple(sorted(hand)), up, left, bet, more)
            if points(hand)[0] < 21
            else stood(hand, (up,), left, bet, more)
        )

    @cache
    def chosen(hand: Hand, up: int, left: Hand, bet: int, more: int) -> Fraction:
        if points(hand)[0] > 21:
            return shoe_worth(left, more) - bet
        choices = [stood(hand, (up,), left, bet, more)]
        further = [(chance, tuple(sorted((*hand, card))), rest) for chance, card, rest in draws(left)]
        if further:
            choices.append(
                sum((chance * chosen(each, up, rest, bet, more) for chance, each, rest in further), Fraction(0))
            )
        if further and len(hand) == 2:
            choices.append(
                sum((chance * doubled(each, up, rest, bet, more) for chance, each, rest in further), Fraction(0))
            )
        return max(choices)

    def doubled(hand: Hand, up: int, left: Hand, bet: int, more: int) -> Fraction:
        is_bust = points(hand)[0] > 21
        return shoe_worth(left, more) - 2 * bet if is_bust else stood(hand, (up,), left, 2 * bet, more)

    def stood(hand: Hand, dealer: Hand, left: Hand, bet: int, more: int) -> Fraction:
        return settled(points(hand)[0], points(hand)[0] == 21 and len(hand) == 2, dealer, left, bet, more)

    @cache
    def settled(total: int, is_natural: bool, dealer: Hand, left: Hand, bet: int, more: int) -> Fraction:
        reached = points(dealer)[0]
        can_tie = len(dealer) == 1 and reached >= 10
        if left and (can_tie if is_natural else reached < 17):
            return sum(
                (c * settled(total, is_natural, (*dealer, card), rest, bet, more) for c, card, rest in draws(left)),
                Fraction(0),
            )
        won = Fraction((reached > 21 or total > reached) - (total < reached <= 21))
        if reached == 21 and len(dealer) == 2:
            won = Fraction(is_natural - 1)
        elif is_natural:
            won = Fraction(3, 2)
        return bet * won + shoe_worth(left, more)

    return shoe_worth(shoe, hands)


@pytest.mark.parametrize(
    ("suits", "lowest", "hands", "spread"),
    [(1, 2, 1, 1), (2, 9, 2, 3), pytest.param(1, 4, 2, 1, marks=pytest.mark.slow)],
)
def test_a_counted_shoe_is_enumerated(suits: int, lowest: int, hands: int, spread: int) -> None:
    shoe = tuple(sorted([1, *range(lowest, 10), *[10] * 4] * suits))
    rules = {"suits": suits, "lowest": lowest, "hands": hands, "spread": spread}
    solution = solve(str(EXAMPLES / "counted_shoe.py"), **rules)
    assert abs(solution.value() - counted(shoe, hands, (1, spread))) <= solution.error_bound


def shut_the_box(tiles: frozenset[int], one_die: int, by_sum: bool) -> float:
    """Compute the least expected sum, or the best chance to shut the box."""

    @cache
    def value(left: frozenset[int]) -> float:
        if not left:
            return 0.0 if by_sum else 1.0
        expected = 0.0
        dice = dict.fromkeys(range(1, 7), 1 / 6)
        if sum(left) > one_die:
            dice = {n: (6 - abs(n - 7)) / 36 for n in range(2, 13)}
        for throw, chance in dice.items():
            values = [value(left - shut) for shut in subsets(left, throw)]
            stuck = float(sum(left)) if by_sum else 0.0
            expected += chance * ((min if by_sum else max)(values) if values else stuck)
        return expected

    return value(tiles)


def subsets(tiles: frozenset[int], total: int) -> Iterator[frozenset[int]]:
    """Yield the sets of tiles that add up to a total."""
    if total == 0:
        yield frozenset()
    for tile in tiles:
        if tile <= total:
            for rest in subsets(frozenset(each for each in tiles if each < tile), total - tile):
                yield rest | {tile}


def points(hand: Hand) -> tuple[int, bool]:
    total = sum(hand)
    return (total + 10, True) if 1 in hand and total <= 11 else (total, False)


@cache
def dealer_totals(hand: Hand) -> dict[int, float]:
    """Compute the chance of each total of the dealer, who has no blackjack; 22 is a bust."""
    total, _ = points(hand)
    if total >= 17:
        return {min(total, 22): 1.0}
    excluded = {(1,): 10, (10,): 1}.get(hand)
    totals: dict[int, float] = {}
    for card, chance in CARDS.items():
        if card != excluded:
            share = chance / (1.0 - CARDS.get(excluded or 0, 0.0))
            for reached, probability in dealer_totals(tuple(sorted((*hand, card)))).items():
                totals[reached] = totals.get(reached, 0.0) + share * probability
    return totals


def stand(hand: Hand, up: int) -> float:
    total, _ = points(hand)
    if total > 21:
        return -1.0
    return sum(
        chance * (1.0 if dealer > 21 or total > dealer else -1.0 if total < dealer else 0.0)
        for dealer, chance in dealer_totals((up,)).items()
    )


@cache
def best_hand(hand: Hand, up: int, can_double: bool = True) -> float:
    if points(hand)[0] > 21:
        return -1.0
    more = {card: tuple(sorted((*hand, card))) for card in CARDS}
    choices = [stand(hand, up), sum(CARDS[card] * best_hand(after, up, False) for card, after in more.items())]
    if can_double:
        choices.append(2.0 * sum(CARDS[card] * stand(after, up) for card, after in more.items()))
    return max(choices)


def split_hand(card: int, up: int) -> float:
    """Compute the winnings of one hand of a split: no double, and a single card to an ace."""
    hands = {more: tuple(sorted((card, more))) for more in CARDS}
    if card == 1:
        return sum(CARDS[more] * stand(hand, up) for more, hand in hands.items())
    return sum(CARDS[more] * best_hand(hand, up, False) for more, hand in hands.items())
