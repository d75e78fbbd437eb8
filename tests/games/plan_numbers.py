"""Numbers that follow from a plan: what the random games of the tests share."""


def drawn(rules, place, action, outcome, question):
    """Return a number from 0 to 63, different for each place, action and outcome."""
    number = rules.plan * 7919 + place * 613 + action * 101 + outcome * 29 + question * 7 + 12345
    for _ in range(3):
        number = (number * 1103515245 + 12345) % 2147483648
        number ^= number >> 11
    return (number >> 7) % 64
