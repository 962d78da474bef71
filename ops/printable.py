"""Text from outside, made safe to show: a file's name may move a terminal's cursor."""


def printable(text: str) -> str:
    r"""The text with every character that is not shown as itself escaped.

    >>> printable("día/a\x1b[2J\n.record\udcff")
    'día/a\\x1b[2J\\n.record\\udcff'
    """
    return "".join(
        shown if shown.isprintable() else shown.encode("unicode_escape").decode() for shown in text
    )
