"""Troubles put into lines for whoever looks after us: the gravest first, and many of one kind in one line.

A storm of refusals must not hide what needs a hand, such as a run that is held.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

MOST_BYTES = 2_500
"""So much is told in one message: with its markup, five messages of 2,000 bytes have room for it, as Discord takes them."""
_ALIKE, _EXAMPLES = 3, 3
"""More than so many troubles of one kind become one line, which names so many of the others."""
_GRAVEST = ("store", "run", "clock", "server", "source", "bounces")
"""Kinds of troubles, the gravest first; others come behind them."""
_LEAST = "refused"
"""The kind that comes by the hundred, and behind all others."""
_CODE = re.compile(r"(?<![\d.])[245]\.\d\.\d{1,3}(?![\d.])")


class Line(NamedTuple):
    """What is told of one trouble, or of several that are alike.

    Attributes:
        text: whole sentences.
        names: what tells these troubles from others: ``run:7``.
    """

    text: str
    names: tuple[str, ...]


def gathered(troubles: Mapping[str, str]) -> tuple[Line, ...]:
    """A line for each trouble, the gravest first; one for all that are alike, where these are many.

    Args:
        troubles: whole sentences, by the name of what they are about: its kind, and behind a ``:`` which one.
    """
    kinds: dict[tuple[str, str], list[str]] = {}
    for name, text in troubles.items():
        code = _CODE.search(text)
        kinds.setdefault((name.partition(":")[0], code[0] if code else ""), []).append(name)
    lines: list[Line] = []
    for _, names in sorted(kinds.items(), key=lambda one: _gravity(one[0][0])):
        if len(names) > _ALIKE:
            lines.append(Line(f"{troubles[names[0]]} {_the_others(names[1:])}", tuple(names)))
        else:
            lines += [Line(troubles[name], (name,)) for name in names]
    return tuple(lines)


def packed(lines: tuple[Line, ...]) -> tuple[tuple[Line, ...], ...]:
    """Lines put together, as many as a message may have: what has no room in one is told in the next."""
    packs: list[list[Line]] = []
    room = 0
    for line in lines:
        size = len(line.text.encode())
        if not packs or size > room:
            packs.append([])
            room = MOST_BYTES
        packs[-1].append(line)
        room -= size
    return tuple(tuple(pack) for pack in packs)


def _gravity(kind: str) -> int:
    if kind in _GRAVEST:
        return _GRAVEST.index(kind)
    return len(_GRAVEST) + (kind == _LEAST)


def _the_others(names: list[str]) -> str:
    """How many more there are, and some of them: ``It is alike with 2 more: a.example, b.example.``."""
    shown = ", ".join(name.partition(":")[2] for name in names[:_EXAMPLES])
    left = len(names) - _EXAMPLES
    more = f" and {left:,} {'other' if left == 1 else 'others'}" if left > 0 else ""
    return f"It is alike with {len(names):,} more: {shown}{more}."
