"""Troubles put into lines for whoever looks after us: the gravest first, and many of one kind in one line.

A storm of refusals must not hide what needs a hand, such as a run that is held.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

MAX_NOTICE_BYTES = 2_500
"""So much is told in one message: with its markup, five messages of 2,000 bytes have room for it, as Discord takes them."""
_MAX_SEPARATE, _MAX_EXAMPLES = 3, 3
"""More than so many troubles of one kind become one line, which names so many of the others."""
_SEVERITY_ORDER = ("store", "run", "clock", "server", "source", "bounces")
"""Kinds of troubles, the gravest first; others come behind them."""
_LEAST_SEVERE_KIND = "refused"
"""The kind that comes by the hundred, and behind all others."""
_CODE = re.compile(r"(?<![\d.])[245]\.\d\.\d{1,3}(?![\d.])")


class NoticeLine(NamedTuple):
    """What is told of one trouble, or of several that are alike.

    Attributes:
        text: whole sentences.
        names: what tells these troubles from others: ``run:7``.
    """

    text: str
    names: tuple[str, ...]


def group_troubles(troubles: Mapping[str, str]) -> tuple[NoticeLine, ...]:
    """A line for each trouble, the gravest first; one for all that are alike, where these are many.

    Args:
        troubles: whole sentences, by the name of what they are about: its kind, and behind a ``:`` which one.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for name, text in troubles.items():
        code = _CODE.search(text)
        groups.setdefault((name.partition(":")[0], code[0] if code else ""), []).append(name)
    lines: list[NoticeLine] = []
    for _, names in sorted(groups.items(), key=lambda group: _rank_severity(group[0][0])):
        if len(names) > _MAX_SEPARATE:
            lines.append(NoticeLine(f"{troubles[names[0]]} {_describe_others(names[1:])}", tuple(names)))
        else:
            lines += [NoticeLine(troubles[name], (name,)) for name in names]
    return tuple(lines)


def split_messages(lines: tuple[NoticeLine, ...]) -> tuple[tuple[NoticeLine, ...], ...]:
    """Lines put together, as many as a message may have: what has no room in one is told in the next."""
    messages: list[list[NoticeLine]] = []
    remaining = 0
    for line in lines:
        size = len(line.text.encode())
        if not messages or size > remaining:
            messages.append([])
            remaining = MAX_NOTICE_BYTES
        messages[-1].append(line)
        remaining -= size
    return tuple(tuple(message) for message in messages)


def _rank_severity(kind: str) -> int:
    if kind in _SEVERITY_ORDER:
        return _SEVERITY_ORDER.index(kind)
    return len(_SEVERITY_ORDER) + (kind == _LEAST_SEVERE_KIND)


def _describe_others(names: list[str]) -> str:
    """How many more there are, and some of them: ``The same applies to 2 more: a.example, b.example.``."""
    examples = ", ".join(name.partition(":")[2] for name in names[:_MAX_EXAMPLES])
    remaining = len(names) - _MAX_EXAMPLES
    suffix = f" and {remaining:,} {'other' if remaining == 1 else 'others'}" if remaining > 0 else ""
    return f"The same applies to {len(names):,} more: {examples}{suffix}."
