"""Errors that a user can fix: each message is one sentence for the user."""


class KomiError(Exception):
    """Base class of all errors whose message is meant for the user; the command line prints it and exits with 2."""


class GameError(KomiError):
    """A rule file is broken: the sentence names the file, and the line or the state.

    Attributes:
        state: a state in which the error occurs, in the game's notation, if known.
    """

    def __init__(self, sentence: str, state: str | None = None) -> None:
        super().__init__(sentence)
        self.state = state


class InputError(KomiError, ValueError):
    """A name, a rule's value, a state or an option is invalid."""


class RuleError(InputError):
    """A rule's value is outside its limits.

    Attributes:
        plain_sentence: the same sentence for users who see the rule as a field on a page.
    """

    def __init__(self, sentence: str, plain_sentence: str) -> None:
        super().__init__(sentence)
        self.plain_sentence = plain_sentence


class SolveError(KomiError):
    """The problem has no provable solution: the sentence says why, and names a state."""


class EndlessPlayError(SolveError):
    """The value depends, or may depend, on what an endless game counts: see `komi.endless_values`.

    Attributes:
        is_proved: True if it is proved to depend on it.
    """

    def __init__(self, sentence: str, is_proved: bool = False) -> None:
        super().__init__(sentence)
        self.is_proved = is_proved


class TooLargeError(SolveError):
    """A game has too many states, or takes too much memory."""


class AuditError(KomiError):
    """A result is wrong: an audit has proved it. The error is in komi, not in the rules."""


class StorageError(KomiError):
    """A folder cannot be written to, or is full."""
