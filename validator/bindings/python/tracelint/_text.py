"""Text of strangers that is shown to people."""

import re

# What has no glyph and no width, besides what str.isprintable() says; the same as everywhere else in tracelint.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")


def printable(text: str) -> str:
    """The text, safe to print on a terminal: what moves the cursor, breaks the line, changes the writing direction or cannot be
    seen is escaped as \\xNN, byte by byte."""
    if text.isprintable() and _INVISIBLE.search(text) is None:
        return text
    return "".join(one if one.isprintable() and not _INVISIBLE.match(one) else _escaped(one) for one in text)


def _escaped(character: str) -> str:
    try:
        encoded = character.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        encoded = character.encode("utf-8", "surrogatepass")
    return "".join(f"\\x{byte:02x}" for byte in encoded)
