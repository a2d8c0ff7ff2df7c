"""Papers and how they are announced."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple, NewType

PaperKey = NewType("PaperKey", str)
"""``arxiv:2401.00001`` (no version), else ``doi:…``, else ``url:…``."""


class ListingKind(StrEnum):
    """How a source lists a paper."""

    NEW = "new"
    CROSS = "cross"
    REPLACE = "replace"
    REPLACE_CROSS = "replace-cross"
    PICKED = "picked"
    """Chosen by editors or votes."""
    PUBLISHED = "published"


class EventKind(StrEnum):
    """What a digest can tell about a paper."""

    NEW = "new"
    GROWN = "grown"
    """It has a category, abstract, affiliation or id that it did not have when it was new."""
    VERSION = "version"
    PICKED = "picked"
    PUBLISHED = "published"
    CODE = "code"
    """Its code was found later."""


class Author(NamedTuple):
    """A name as printed on a paper: evidence, not a person.

    A tuple, for a day has ten thousand of them and a frozen dataclass takes twice as long to make.
    """

    name: str
    affiliations: tuple[str, ...] = ()
    ids: tuple[tuple[str, str], ...] = ()
    """Pairs of scheme (``hf``, ``orcid``) and value, where the source says who that is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One work, whoever lists it.

    Attributes:
        key: its identity.
        title: as announced, TeX and all; a single line.
        abstract: as announced; "" where the source gives none.
        authors: in the order printed.
        categories: the source's own, the primary one first.
        version: the newest version that a source told; 1 where it has none; 0 where it has them and told none.
        version_told: of one telling: its source says the version; False where it was worked out, so that what is
            newer goes before what is older.
        url: the page to read about it.
        pdf_url: the paper itself, or "".
        doi: of the publication, bare and in lower case, or "".
        journal_ref: where it was published, or "".
        comment: the authors' remark, or "".
        license_url: or "".
        ids: what else it is known by: pairs of scheme (``arxiv``, ``doi``) and value.
        code_urls: where its code is.
        project_urls: its own pages that hold no code.
        organizations: those that it is said to come from as a whole.
        institutions: the ROR ids, bare, of those that its authors work at.
        references: the keys of the papers that it cites, where a source tells them.
        withdrawn: its authors took it back.
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
    """What one source says of one version of a paper; all that is known of a paper is made of these.

    Attributes:
        source: whose.
        paper: as that source tells it; its version is at least 1.
    """

    source: str
    paper: Paper


class Submitter(NamedTuple):
    """The person who put a paper on a list, where readers make it.

    Attributes:
        name: as that person wants to be called there.
        id: of an account: scheme and name, ``("hf", "ada")``.
    """

    name: str
    id: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One paper's appearance in a batch, as the source printed it.

    Attributes:
        published_at: when its source says that it was published, UTC; None if it does not say.
        submitter: of what a person picked; None where nobody is named.
        may_be_newer: the page shows the paper as it was later than that: its version is that one or a newer one.
    """

    kind: ListingKind
    paper: Paper
    published_at: datetime | None = None
    submitter: Submitter | None = None
    may_be_newer: bool = False

    @property
    def version(self) -> int:
        """The version that was announced; 0 where that is not told."""
        stated_version = self.paper.version if self.paper.version_told else 0
        # The first replacement is always the second version, and what is new the first one.
        return stated_version if not self.may_be_newer or stated_version <= _FIRST_REPLACEMENT else 0


_FIRST_REPLACEMENT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """A number about a paper or a person on a day, as one source counts.

    Attributes:
        subject: the key of the paper that it is about; of a person an id, ``orcid:0000-0002-1825-0097``.
        kind: what is counted: ``votes``, ``comments``, ``stars``, ``citations``, ``h-index``, ``papers``.
    """

    subject: str
    kind: str
    source: str
    day: date
    value: float


class PaperPage(NamedTuple):
    """A page about a paper where people talk of it.

    Attributes:
        site: what people call the site.
        url: the page.
    """

    site: str
    url: str


class SubjectKind(StrEnum):
    """What more can be known of."""

    PAPER = "paper"
    PERSON = "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A paper or a person of whom more is to be known.

    Attributes:
        key: of a paper its key; of a person one of the ids, ``orcid:0000-0002-1825-0097``.
        ids: all that it is known by: pairs of scheme and value.
    """

    kind: SubjectKind
    key: str
    ids: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something to tell about a paper.

    Attributes:
        seq: its number in commit order, from 1, without gaps.
        number: the version for ``VERSION``, 0 where nobody told it; else 0.
        day: the announcement day.
        source: who announced it.
        first: whether it is the first event of its paper.
        signals: what is known of its paper in numbers: the newest of each kind and source.
        new_categories: the categories that a paper which has grown was newly listed in, where that is why.
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
