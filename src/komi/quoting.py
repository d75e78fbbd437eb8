"""Free text from files that others can have written, made safe to print."""

MAX_NAME, MAX_SENTENCE = 80, 400  # characters


def quoted(name: object) -> str:
    r"""Quote a name on one line: at most 80 characters, with escapes for those that print as nothing or as a new line.

    Examples:
        >>> quoted("pig\nVerified")
        "'pig\\nVerified'"
    """
    return repr(_shortened(str(name), MAX_NAME))


def escaped(sentence: object) -> str:
    r"""Return a sentence on one line, at most 400 characters, with escapes as in `quoted`.

    Examples:
        >>> escaped("its rules import x\u202e")
        'its rules import x\\u202e'
    """
    short = _shortened(str(sentence), MAX_SENTENCE)
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in short)


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[:length] + "…"
