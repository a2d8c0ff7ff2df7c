"""Support for files that use a source's name from an earlier release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain

from digest.config.settings import DigestSettings, FollowSettings, PublicFeedSettings, Settings
from digest.core.language.parser import parse
from digest.core.language.query import Fact
from digest.core.language.renaming import rename_facts, rename_in_text


def replace_former_names(settings: Settings, names: Mapping[str, str]) -> tuple[Settings, tuple[str, ...]]:
    """Replace the names that sources had in earlier releases by their present ones.

    Args:
        settings: the settings of the file.
        names: present names by former names; no source has a former name now.

    Returns:
        Settings with present names only, and for each former name a sentence that says what to write instead.
    """
    if not names:
        return settings, ()
    digests = tuple(_rename_in_digest(table, names) for table in settings.digests)
    feeds = tuple(_rename_in_feed(table, names) for table in settings.public_feeds)
    public_digests = tuple(
        replace(table, digest=_rename_in_digest(table.digest, names)) for table in settings.public_digests
    )
    warnings = (
        *(
            _warn_of_former_names(f"the digest {table.name!r}", _find_names_in_digest(table, names))
            for table in settings.digests
        ),
        *(
            _warn_of_former_names(f"the public feed {table.name!r}", _find_names_in_query(table.query, names))
            for table in settings.public_feeds
        ),
        *(
            _warn_of_former_names(
                f"the public digest {table.name!r}", _find_names_in_digest(table.digest, names)
            )
            for table in settings.public_digests
        ),
    )
    renamed = replace(settings, digests=digests, public_feeds=feeds, public_digests=public_digests)
    return renamed, tuple(chain.from_iterable(warnings))


def _rename_in_digest(digest: DigestSettings, names: Mapping[str, str]) -> DigestSettings:
    follows = tuple(_rename_in_follow(follow, names) for follow in digest.follows)
    return replace(digest, follows=follows, wait_for=tuple(names.get(name, name) for name in digest.wait_for))


def _rename_in_follow(follow: FollowSettings, names: Mapping[str, str]) -> FollowSettings:
    text, query = _rename_in_query(follow.text, follow.query, names)
    only = _rename_in_query("", follow.only, names)[1] if follow.only else ""
    return replace(follow, text=text, query=query, only=only)


def _rename_in_feed(feed: PublicFeedSettings, names: Mapping[str, str]) -> PublicFeedSettings:
    text, query = _rename_in_query(feed.text, feed.query, names)
    return replace(feed, text=text, query=query)


def _rename_in_query(text: str, query: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Return the text and the canonical form of a query, with present names."""
    present_names = {former.lower(): name for former, name in names.items()}
    if not any(former in query for former in present_names):  # parsing every query again would take long
        return text, query
    before = parse(query)
    after = rename_facts(before, lambda fact: _rename_value(fact, present_names))
    return (text, query) if after == before else (rename_in_text(text, present_names, after), str(after))


def _rename_value(fact: Fact, present_names: Mapping[str, str]) -> str:
    return (
        present_names[fact.value].lower()
        if fact.field == "source" and fact.value in present_names
        else fact.value
    )


def _find_names_in_digest(digest: DigestSettings, names: Mapping[str, str]) -> dict[str, str]:
    """Return the former names that a digest uses, with the present ones."""
    used_names = {former: name for former, name in names.items() if former in digest.wait_for}
    for follow in digest.follows:
        used_names |= _find_names_in_query(follow.query, names)
    return used_names


def _find_names_in_query(query: str, names: Mapping[str, str]) -> dict[str, str]:
    is_changed = _rename_in_query("", query, names)[1] != query
    return {former: name for former, name in names.items() if is_changed and former.lower() in query}


def _warn_of_former_names(subject: str, names: Mapping[str, str]) -> Iterator[str]:
    for former, name in names.items():
        yield f"{subject} uses {former!r}, the name of a source in earlier releases; write its new name, {name!r}"
