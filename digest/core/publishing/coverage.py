"""What the database knows: all announcements from a day on, and papers of earlier years by imports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from digest.model import PaperImport


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What the database knows, for pages and searches to tell their readers.

    Attributes:
        announced_since: by source and section of the configuration, the day from which on all its announcements are
            fetched; without feeds, which have no announcement days.
        imports: the imports that are finished, the last one first; their papers are of earlier years.
    """

    announced_since: Mapping[tuple[str, str], date]
    imports: tuple[PaperImport, ...]

    @property
    def complete_since(self) -> date | None:
        """The day from which on the announcements of all sections are fetched; None if there are no sections."""
        return max(self.announced_since.values(), default=None)

    @property
    def imported_from(self) -> date | None:
        """The day on which the earliest imported paper was submitted; None if none is imported."""
        return min(filter(None, (paper_import.first_day for paper_import in self.imports)), default=None)

    @property
    def imported_until(self) -> date | None:
        """The last day that an imported file knows; None if none is imported.

        If it is before ``complete_since``, nothing is known of the days between the two.
        """
        return max(filter(None, (paper_import.last_day for paper_import in self.imports)), default=None)
