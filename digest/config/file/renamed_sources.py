"""Files that name sources as an earlier release called them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain

from digest.config.settings import DigestSettings, FollowSettings, PublicFeedSettings, Settings
from digest.core.language.parser import parse
from digest.core.language.query import Fact
from digest.core.language.renaming import rename_facts, rename_in_text


def with_present_names(settings: Settings, names: Mapping[str, str]) -> tuple[Settings, tuple[str, ...]]:
    """Let a file that was written for an earlier release mean the sources that it meant.

    Args:
        settings: the file's.
        names: the present name of a source, by a former one that no source has now.

    Returns:
        Settings with present names alone, and for each former name a sentence that says which one to write.
    """
    if not names:
        return settings, ()
    digests = tuple(_renamed_digest(one, names) for one in settings.digests)
    feeds = tuple(_renamed_feed(one, names) for one in settings.public_feeds)
    warnings = (
        *(_warnings(f"the digest {one.name!r}", _names_in_digest(one, names)) for one in settings.digests),
        *(
            _warnings(f"the public feed {one.name!r}", _names_in(one.query, names))
            for one in settings.public_feeds
        ),
    )
    return replace(settings, digests=digests, public_feeds=feeds), tuple(chain.from_iterable(warnings))


def _renamed_digest(one: DigestSettings, names: Mapping[str, str]) -> DigestSettings:
    follows = tuple(_renamed_follow(follow, names) for follow in one.follows)
    return replace(one, follows=follows, wait_for=tuple(names.get(name, name) for name in one.wait_for))


def _renamed_follow(one: FollowSettings, names: Mapping[str, str]) -> FollowSettings:
    text, query = _renamed_query(one.text, one.query, names)
    only = _renamed_query("", one.only, names)[1] if one.only else ""
    return replace(one, text=text, query=query, only=only)


def _renamed_feed(one: PublicFeedSettings, names: Mapping[str, str]) -> PublicFeedSettings:
    text, query = _renamed_query(one.text, one.query, names)
    return replace(one, text=text, query=query)


def _renamed_query(text: str, query: str, names: Mapping[str, str]) -> tuple[str, str]:
    """What was written and its canonical form, with present names."""
    present = {former.lower(): name for former, name in names.items()}
    if not any(former in query for former in present):  # to read each query once more takes time
        return text, query
    before = parse(query)
    after = rename_facts(before, lambda fact: _value(fact, present))
    return (text, query) if after == before else (rename_in_text(text, present, after), str(after))


def _value(fact: Fact, present: Mapping[str, str]) -> str:
    return present[fact.value].lower() if fact.field == "source" and fact.value in present else fact.value


def _names_in_digest(one: DigestSettings, names: Mapping[str, str]) -> dict[str, str]:
    """The former names that a digest uses, with the present ones."""
    found = {former: name for former, name in names.items() if former in one.wait_for}
    for follow in one.follows:
        found |= _names_in(follow.query, names)
    return found


def _names_in(query: str, names: Mapping[str, str]) -> dict[str, str]:
    changed = _renamed_query("", query, names)[1] != query
    return {former: name for former, name in names.items() if changed and former.lower() in query}


def _warnings(place: str, names: Mapping[str, str]) -> Iterator[str]:
    for former, name in names.items():
        yield f"{place} names the source {former!r}, as an earlier release called it; write {name!r}, its name now"
