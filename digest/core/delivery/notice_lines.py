"""Formatting of problems for the operator: the most severe first, and similar ones combined in one line.

A large number of refusals must not hide a problem that needs action, such as a run that is held.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

MAX_NOTICE_BYTES = 2_500
"""Maximum length of a notice in bytes; with markup, it fits into five of Discord's messages of 2,000 bytes."""
_MAX_SEPARATE, _MAX_EXAMPLES = 3, 3
"""Maximum number of similar problems with a line each, and number of examples in a combined line."""
_SEVERITY_ORDER = ("store", "run", "clock", "server", "source", "bounces")
"""Kinds of problems, the most severe first; other kinds come after them."""
_LEAST_SEVERE_KIND = "refused"
"""The kind that comes after all others, because there can be hundreds."""
_CODE = re.compile(r"(?<![\d.])[245]\.\d\.\d{1,3}(?![\d.])")


class NoticeLine(NamedTuple):
    """A line about one problem, or about several similar ones.

    Attributes:
        text: whole sentences.
        names: the names of these problems: ``run:7``.
    """

    text: str
    names: tuple[str, ...]


def group_troubles(troubles: Mapping[str, str]) -> tuple[NoticeLine, ...]:
    """Return a line for each problem, the most severe first; similar problems share a line if there are many.

    Args:
        troubles: whole sentences, by the name of their subject: its kind, a ``:``, and which one.
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
    """Divide lines into messages, each as long as possible."""
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
    """Return a sentence about further problems, with examples: ``The same applies to 2 more: a.example, b.example.``."""
    examples = ", ".join(name.partition(":")[2] for name in names[:_MAX_EXAMPLES])
    remaining = len(names) - _MAX_EXAMPLES
    suffix = f" and {remaining:,} {'other' if remaining == 1 else 'others'}" if remaining > 0 else ""
    return f"The same applies to {len(names):,} more: {examples}{suffix}."
