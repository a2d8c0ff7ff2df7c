"""Which stored names of sources become which, where all of them change at one instant."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def choose_renamed(
    names: Mapping[str, str], stored_names: Collection[str], declared_names: Collection[str]
) -> dict[str, str]:
    """Choose the names that change; nothing of two sources ever comes under one name.

    Args:
        names: the present name of a source, by one that an earlier release gave it.
        stored_names: the names by which anything is stored.
        declared_names: the present names of all sources.

    Returns:
        The new name of what is stored, by its name so far. What is stored by a name that a source has now is that
        source's own, unless the source's own comes from another name; it makes room for nobody.
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
