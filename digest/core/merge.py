"""What is known of a paper after another listing of it."""

from __future__ import annotations

from dataclasses import fields, replace

from digest.model import Paper


def merged(known: Paper, listed: Paper) -> Paper:
    """The paper after a listing: the higher version speaks, the other one fills what it leaves empty.

    Categories are kept from both: a cross-listing adds one. The primary one stays first.
    """
    newer, older = (listed, known) if listed.version > known.version else (known, listed)
    gaps = {
        field.name: getattr(older, field.name)
        for field in fields(Paper)
        if not getattr(newer, field.name) and getattr(older, field.name)
    }
    both = tuple(dict.fromkeys((*newer.categories, *older.categories)))
    return replace(newer, **(gaps | {"categories": both}))
