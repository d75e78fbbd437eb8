"""What can go wrong in a way that a person can mend: each message is one sentence for that person."""


class KomiError(Exception):
    """Base of all errors whose message is meant for the user; the command line shows it and exits 2."""


class GameError(KomiError):
    """A rule file is broken: the sentence names the file, and the line or the state.

    Attributes:
        state: the state in which it shows, in the game's notation, where it is known.
    """

    def __init__(self, sentence: str, state: str | None = None) -> None:
        super().__init__(sentence)
        self.state = state


class InputError(KomiError):
    """A name, a rule's value, a state or an option is not what it must be."""


class RuleError(InputError):
    """A rule's value is outside its limits.

    Attributes:
        plainly: the same for people who see the rule as a field on a page.
    """

    def __init__(self, sentence: str, plainly: str) -> None:
        super().__init__(sentence)
        self.plainly = plainly


class SolveError(KomiError):
    """The question has no provable answer: the sentence says why, and names a state."""


class StorageError(KomiError):
    """A folder cannot be written to, or is full."""
