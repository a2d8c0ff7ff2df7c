"""Formatting of journal references."""

from __future__ import annotations


def format_journal_reference(
    name: str, *, volume: str = "", issue: str = "", pages: str = "", year: str = ""
) -> str:
    """Return ``Nature Machine Intelligence 6 (5), 525-535 (2024)`` without the parts that are ""; "" without a name.

    Args:
        name: the name of the journal or conference.
        volume: the number of the volume.
        issue: the number of the issue.
        pages: the pages, or the number of the article.
        year: the year of publication.
    """
    if not name:
        return ""
    reference = " ".join(filter(None, (name, volume, f"({issue})" if issue else "")))
    reference = f"{reference}, {pages}" if pages else reference
    return f"{reference} ({year})" if year else reference
