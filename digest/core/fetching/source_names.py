"""Renaming of sources in stored data, when all names change at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def choose_renamed(
    names: Mapping[str, str], stored_names: Collection[str], declared_names: Collection[str]
) -> dict[str, str]:
    """Choose the names that change, such that the data of two sources never share a name.

    Args:
        names: the current name of a source, by one that an earlier release gave it.
        stored_names: the names under which anything is stored.
        declared_names: the current names of all sources.

    Returns:
        The new name of stored data, by its old name. Data under the current name of a source belongs to that
        source, unless its data is renamed from another name; such data is not renamed to make room.
    """
    chosen: dict[str, str] = {}
    for former, name in names.items():
        if former in stored_names and former != name and name not in chosen.values():
            chosen[former] = name
    while blocked := [
        former
        for former, name in chosen.items()
        if (name in stored_names and name not in chosen)
        or (former in declared_names and former not in chosen.values())
    ]:
        for former in blocked:
            del chosen[former]
    return chosen
