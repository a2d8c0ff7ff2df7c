"""Papers and their announcements."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple, NewType

PaperKey = NewType("PaperKey", str)
"""``arxiv:2401.00001`` (no version), else ``doi:…``, else ``url:…``."""


class ListingKind(StrEnum):
    """How a source announces a paper."""

    NEW = "new"
    CROSS = "cross"
    REPLACE = "replace"
    REPLACE_CROSS = "replace-cross"
    PICKED = "picked"
    """Chosen by editors or votes."""
    PUBLISHED = "published"


class EventKind(StrEnum):
    """The kinds of events about a paper that a digest can report."""

    NEW = "new"
    GROWN = "grown"
    """It has a category, abstract, affiliation or ID that it did not have when it was new."""
    VERSION = "version"
    PICKED = "picked"
    PUBLISHED = "published"
    CODE = "code"
    """Its code was found later."""
    TRENDING = "trending"
    """It gained more votes than most papers lately."""


class Author(NamedTuple):
    """A name as printed on a paper: evidence, not a person.

    It is a tuple because a day has ten thousand of them, and a frozen dataclass takes twice as long to make.
    """

    name: str
    affiliations: tuple[str, ...] = ()
    ids: tuple[tuple[str, str], ...] = ()
    """Pairs of scheme (``hf``, ``orcid``) and value, if the source identifies the author."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One work, whichever source announces it.

    Attributes:
        key: its identity.
        title: as announced, TeX and all; a single line.
        abstract: as announced; "" if the source has none.
        authors: in the printed order.
        categories: the source's own categories, the primary one first.
        version: the newest version; 1 if the source has no versions; 0 if it has versions and does not say which.
        version_told: whether the source states the version; False if it was inferred to keep the order of versions.
        url: the page to read about it.
        pdf_url: the paper itself, or "".
        doi: the DOI of the publication, bare and in lower case, or "".
        journal_ref: where it was published, or "".
        comment: the authors' remark, or "".
        license_url: the address of its licence, or "".
        ids: its other IDs: pairs of scheme (``arxiv``, ``doi``) and value.
        code_urls: where its code is.
        project_urls: its own web pages without code.
        organizations: the organizations that published it as a whole.
        institutions: bare ROR IDs of its authors' institutions.
        references: keys of the papers that it cites, if a source says so.
        withdrawn: whether its authors withdrew it.
    """

    key: PaperKey
    title: str
    abstract: str = ""
    authors: tuple[Author, ...] = ()
    categories: tuple[str, ...] = ()
    version: int = 1
    version_told: bool = True
    url: str
    pdf_url: str = ""
    doi: str = ""
    journal_ref: str = ""
    comment: str = ""
    license_url: str = ""
    ids: tuple[tuple[str, str], ...] = ()
    code_urls: tuple[str, ...] = ()
    project_urls: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    institutions: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What one source says about one version of a paper; a paper is merged from its statements.

    Attributes:
        source: the name of the source.
        paper: the paper as that source describes it; its version is at least 1.
    """

    source: str
    paper: Paper


class Submitter(NamedTuple):
    """The person who put a paper on a list that readers make.

    Attributes:
        name: the name that the person uses there.
        id: the account: scheme and name, ``("hf", "ada")``.
    """

    name: str
    id: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One paper's appearance in a batch, as the source printed it.

    Attributes:
        published_at: when it was published according to the source, UTC; None if it does not say.
        submitter: the person who picked the paper; None if nobody is named.
        may_be_newer: whether the page may show a later version of the paper than the one announced.
    """

    kind: ListingKind
    paper: Paper
    published_at: datetime | None = None
    submitter: Submitter | None = None
    may_be_newer: bool = False

    @property
    def version(self) -> int:
        """The announced version; 0 if the source does not say."""
        stated_version = self.paper.version if self.paper.version_told else 0
        # The first replacement is always version 2, and a new paper is version 1.
        return stated_version if not self.may_be_newer or stated_version <= _FIRST_REPLACEMENT else 0


_FIRST_REPLACEMENT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """A number about a paper or a person on one day, as counted by one source.

    Attributes:
        subject: the key of a paper, or an ID of a person, ``orcid:0000-0002-1825-0097``.
        kind: what is counted: ``votes``, ``comments``, ``stars``, ``citations``, ``h-index``, ``papers``.
    """

    subject: str
    kind: str
    source: str
    day: date
    value: float


class PaperPage(NamedTuple):
    """A page where people discuss a paper.

    Attributes:
        site: the name of the site.
        url: the address of the page.
    """

    site: str
    url: str


class SubjectKind(StrEnum):
    """The kinds of subjects that enrichers look up."""

    PAPER = "paper"
    PERSON = "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A paper or a person that an enricher looks up.

    Attributes:
        key: the key of a paper, or one of the IDs of a person, ``orcid:0000-0002-1825-0097``.
        ids: all its IDs: pairs of scheme and value.
    """

    kind: SubjectKind
    key: str
    ids: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something to report about a paper.

    Attributes:
        seq: its number in commit order, from 1, without gaps.
        number: the version for ``VERSION`` if it is known; else 0.
        day: the announcement day.
        source: the name of the source.
        first: whether it is the first event of its paper.
        signals: numbers about its paper, the newest of each kind and source.
        new_categories: for ``GROWN``, the categories in which the paper was newly listed, if that is the reason.
        gain: for ``TRENDING``, the votes that the paper gained at one source in the week up to the day of the event.
    """

    seq: int
    kind: EventKind
    number: int
    day: date
    source: str
    first: bool
    paper: Paper
    signals: tuple[Signal, ...] = ()
    new_categories: tuple[str, ...] = ()
    gain: Signal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSelection:
    """The part of a file of papers that is imported.

    Attributes:
        categories: canonical IDs of categories and archives, sorted; papers with any of them are selected, and all
            papers if there are none.
        since: only papers that were first submitted on this day or later; None for all.
    """

    categories: tuple[str, ...] = ()
    since: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCounts:
    """Numbers of the records of a file of papers.

    Attributes:
        added: papers that were unknown.
        grown: papers that were known, and of which more is known now.
        known: papers of which nothing new is known, among them repeated records.
        unselected: records outside of the selection.
        broken: records that cannot be read.
    """

    added: int = 0
    grown: int = 0
    known: int = 0
    unselected: int = 0
    broken: int = 0

    def __add__(self, other: ImportCounts) -> ImportCounts:
        """Return the sums."""
        return ImportCounts(
            added=self.added + other.added,
            grown=self.grown + other.grown,
            known=self.known + other.known,
            unselected=self.unselected + other.unselected,
            broken=self.broken + other.broken,
        )

    @property
    def papers(self) -> int:
        """The number of selected records."""
        return self.added + self.grown + self.known

    @property
    def records(self) -> int:
        """The number of all records."""
        return self.papers + self.unselected + self.broken


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperImport:
    """The import of a file of papers.

    Attributes:
        id: its number.
        file_name: the name of the file, without its folder.
        file_hash: the SHA-256 of the file, in hexadecimal.
        source: the source whose papers the file has.
        position: the bytes of uncompressed text that are imported.
        broken_records: descriptions of the first broken records.
        first_day: the earliest day on which a selected paper was submitted; None if there is none.
        last_day: the latest day on which the record of a selected paper changed: the file knows nothing later.
        started_at: when it began, UTC.
        finished_at: when the whole file was imported, UTC; None if it is not.
    """

    id: int
    file_name: str
    file_hash: str
    source: str
    selection: PaperSelection
    position: int
    counts: ImportCounts
    broken_records: tuple[str, ...]
    first_day: date | None
    last_day: date | None
    started_at: datetime
    finished_at: datetime | None
