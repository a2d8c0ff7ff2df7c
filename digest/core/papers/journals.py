"""Where a paper was published, in one line."""

from __future__ import annotations


def format_journal_reference(
    name: str, *, volume: str = "", issue: str = "", pages: str = "", year: str = ""
) -> str:
    """``Nature Machine Intelligence 6 (5), 525-535 (2024)``, without what is ""; nothing without a name.

    Args:
        name: of the journal or conference.
        volume: its number.
        issue: of the volume.
        pages: or the number of an article.
        year: of the publication.
    """
    if not name:
        return ""
    reference = " ".join(filter(None, (name, volume, f"({issue})" if issue else "")))
    reference = f"{reference}, {pages}" if pages else reference
    return f"{reference} ({year})" if year else reference
