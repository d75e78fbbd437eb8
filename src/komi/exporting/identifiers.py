"""Names of fields and actions as identifiers of other languages."""

import re
from collections.abc import Collection, Iterable


def identifiers(names: Iterable[str], reserved: Collection[str], letters: re.RegexFlag = re.ASCII) -> list[str]:
    """Return a distinct identifier for each name: the name itself where it can be one.

    Args:
        names: the names.
        reserved: identifiers that must not be used.
        letters: `re.UNICODE` for languages in which all letters are allowed.

    Examples:
        >>> identifiers(["score", "int", "dice[0]", "dice_0", "7 up"], {"int"})
        ['score', 'int_', 'dice_0_', 'dice_0', '_7_up']
    """
    names = list(names)
    taken, found = {*names, *reserved}, set[str]()
    listed = []
    for name in names:
        identifier = re.sub(r"\W+", "_", name.replace("]", ""), flags=letters) or "_"
        identifier = f"_{identifier}" if identifier[0].isdigit() else identifier
        if identifier != name or identifier in reserved or identifier in found:
            while identifier in taken:
                identifier += "_"
        taken.add(identifier)
        found.add(identifier)
        listed.append(identifier)
    return listed
