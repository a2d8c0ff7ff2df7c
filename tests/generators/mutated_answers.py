"""Answers with something odd in one place, for tests of what reads them."""

from __future__ import annotations

import copy
import json
import math
import random
import re
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from typing import Any
from xml.sax.saxutils import escape

TEXTS = (
    *(
        "",
        " ",
        "x",
        "0",
        "-1",
        "00",
        "²",
        "٣",
        "NaN",
        "null",
        "9" * 25,
        "9" * 5_000,
        "1e999",
        "word " * 3_000,
    ),
    *("0001-01-01", "9999-12-31", "2026-13-41", "2026-02-30T25:61:61Z", "0001-01-01T00:00:00+14:00"),
    *("9999-12-31T23:59:59-14:00", "2026-09-07T12:00:00.123456789012345Z", "Mon, 01 Jan 0000 00:00:00 +9999"),
    *(
        "http://[",
        "https://[::1",
        "http://x.org:99999999/",
        "//",
        "https://",
        "http://\u2100.org/",
        "a@b:c@d",
    ),
    *(
        "10.1000/",
        "10.48550/arXiv.",
        "arXiv:9999.99999v999999",
        "https://arxiv.org/abs/2401.00001v0",
        "%ff%fe%00",
    ),
    *("https://arxiv.org/abs/cs/0199999", "https://openalex.org/W1", "0000-0002-1825-0097", "T1", "~_1"),
    *(
        "<b>",
        "</",
        "&amp;lt;",
        "]]>",
        "$\\frac{",
        "{" * 500,
        "\\'{" * 300,
        "and and and",
        ", , ;",
        "(((",
        "\u202e",
    ),
    *("\0", "\n\x1e\x85\u2028", "é", "\ufffd", "深度学习", "İ" * 50, "ß", "\U0001f600", "e\u0301" * 40),
)
"""Texts that stand where another kind of text is expected."""
_LONE = "\ud800"
"""Half a character: JSON can write it, and nothing can store it."""
_NUMBERS = (0, -1, 1, 10**12, 10**25, 0.5, -0.0, 1e308, float("inf"), float("nan"))
_HUGE = "\u0001huge\u0001"
"""Stands for a number of 5,000 digits, which Python writes and reads only on request."""
_OTHERS: tuple[Any, ...] = (
    None,
    True,
    False,
    [],
    {},
    [[]],
    [None],
    [{}],
    {"": ""},
    {"value": []},
    [["a"], 1],
    {"a": {"a": {}}},
)


def mutate_json(value: Any, chance: random.Random) -> tuple[bytes, tuple[Any, ...]]:
    """A document with one value replaced, left out, doubled or moved, and the path of that value."""
    value = copy.deepcopy(value)
    kinds: dict[tuple[Any, ...], list[Any]] = {}
    for place in _places(value):
        kinds.setdefault(tuple(key if isinstance(key, str) else "" for key in place[0]), []).append(place)
    # Each kind of field as often as each other one, however often it comes.
    path, holder, key = chance.choice(kinds[chance.choice(list(kinds))])
    match chance.randrange(10):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        case 2:
            holder[key] = [holder[key]]
        case 3:
            holder[key] = {"value": holder[key]}
        case _:
            holder[key] = copy.deepcopy(
                chance.choice((*TEXTS, *TEXTS, _LONE, *_NUMBERS, _HUGE, *_OTHERS, *_OTHERS))
            )
    return _encode_json(value), path


def _places(value: Any, path: tuple[Any, ...] = ()) -> Any:
    """The path of each value below another one, with what holds it and its key there."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield (*path, key), value, key
        yield from _places(below, (*path, key))


def _encode_json(value: Any) -> bytes:
    return json.dumps(value).replace(json.dumps(_HUGE), "9" * 5_000).encode()


_PIECES = re.compile(r"<!--.*?-->|<[^<>]*>|[^<]+", re.DOTALL)
_VALUE = re.compile(r"""(?<==)(["'])(.*?)\1""", re.DOTALL)


def mutate_markup(body: bytes, chance: random.Random) -> bytes:
    """A document of XML or HTML with one text, tag or attribute changed; well-formed, as a rule, where it was."""
    pieces = _PIECES.findall(body.decode("utf-8", "surrogateescape"))
    if chance.randrange(2):
        return mutate_text(body, chance)[0]
    place = chance.randrange(len(pieces))
    piece, odd = pieces[place], _escape_text(chance.choice(TEXTS))
    match chance.randrange(8):
        case 0:
            pieces[place] = ""
        case 1:
            pieces[place] = piece * 2
        case 2:
            other = chance.randrange(len(pieces))
            pieces[place], pieces[other] = pieces[other], piece
        case 3:
            del pieces[place:]
        case 4:
            end = min(len(pieces), place + chance.randrange(1, 8))
            pieces[place:end] = pieces[place:end] * 2
        case _ if piece.startswith("<"):
            pieces[place] = _VALUE.sub(lambda match: f"{match[1]}{odd}{match[1]}", piece, count=1)
        case _:
            pieces[place] = odd
    return "".join(pieces).encode("utf-8", "surrogateescape")


def mutate_text(body: bytes, chance: random.Random) -> tuple[bytes, int]:
    """A document with one text or attribute between its tags replaced, well-formed if it was; and where that is."""
    text = body.decode("utf-8", "surrogateescape")
    kinds: dict[str, list[re.Match[str]]] = {}
    tag = ""
    for piece in _PIECES.finditer(text):
        if is_tag := piece[0].startswith("<"):
            tag = re.split(r"[\s/>]", piece[0][1:], maxsplit=1)[0]
        if _VALUE.search(piece[0]) if is_tag else piece[0].strip():
            kinds.setdefault(f"{tag} {is_tag}", []).append(piece)
    # Each kind of element as often as each other one, however often it comes.
    match, odd = chance.choice(kinds[chance.choice(list(kinds))]), _escape_text(chance.choice(TEXTS))
    change = (
        _VALUE.sub(lambda old: f"{old[1]}{odd}{old[1]}", match[0], count=1) if match[0][0] == "<" else odd
    )
    changed = text[: match.start()] + change + text[match.end() :]
    return changed.encode("utf-8", "surrogateescape"), len(
        text[: match.start()].encode("utf-8", "surrogateescape")
    )


def _escape_text(text: str) -> str:
    """As XML has it; without the characters that no XML can hold."""
    plain = re.sub(r"[\0-\x08\x0b\x0c\x0e-\x1f]", "", text)
    return escape(plain, {'"': "&quot;", "'": "&#39;"})


def mutate_bytes(body: bytes, chance: random.Random) -> bytes:
    """A document with one to four bytes changed, left out or put in."""
    changed = bytearray(body)
    for _ in range(chance.randrange(1, 5)):
        place = chance.randrange(len(changed) + 1)
        changed[place : place + chance.randrange(3)] = bytes([chance.randrange(256)]) * chance.randrange(3)
    return bytes(changed)


def list_texts(value: object) -> Sequence[str]:  # noqa: PLR0911 - one for each type
    """All texts in dataclasses, tuples and the like; numbers and times as the text that a database would be given."""
    match value:
        case str():
            return [value]
        case bool() | None:
            return []
        case int():
            assert -(2**63) <= value < 2**63, "no database takes it"
            return []
        case float():
            assert math.isfinite(value), "no database takes it"
            return []
        case datetime() | date():
            return [value.isoformat()]
        case dict():
            return [text for pair in value.items() for entry in pair for text in list_texts(entry)]
        case tuple() | list() | frozenset():
            return [text for entry in value for text in list_texts(entry)]
        case _ if is_dataclass(value):
            return [text for field in fields(value) for text in list_texts(getattr(value, field.name))]
        case _:
            return []
