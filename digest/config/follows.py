"""The tables of what a digest follows, and of what keeps a paper out of it."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, ValidationInfo, model_validator

from digest.config import follow_values as readers
from digest.config.context import Table, around, as_table
from digest.config.follow_values import Wish, person_ids, read_wish, wished_by, wished_of_paper
from digest.config.libraries import read_library_file
from digest.config.values import checked, mistake, read_by
from digest.core.language import query as texts
from digest.core.papers.identity.person_ids import SCHEMES

# --- what keeps a paper out -----------------------------------------------------------------------


class ExclusionTable(Table):
    """What keeps a paper out; one of these."""

    keyword: Annotated[Wish, wished_by(texts.phrase)] | None = Field(
        default=None, description="a word or phrase", examples=["medical imaging"]
    )
    query: Annotated[Wish, wished_by(str)] | None = Field(default=None, description="in the follow language")
    author: Annotated[Wish, read_by(readers.author_wish)] | None = Field(
        default=None, description="a full name, or an id as orcid:…"
    )
    category: Annotated[Wish, wished_by(texts.category)] | None = Field(
        default=None, description="a category or an archive"
    )

    @model_validator(mode="after")
    def _one(self) -> Self:
        if len(self._given()) != 1:
            raise mistake("write one of `keyword`, `query`, `author` or `category` in each table")
        return self

    def _given(self) -> list[Wish]:
        return [given for given in (self.keyword, self.query, self.author, self.category) if given]

    @property
    def wish(self) -> Wish:
        """What it is."""
        return self._given()[0]


Exclusions = list[
    Annotated[
        ExclusionTable, BeforeValidator(as_table("keyword"), json_schema_input_type=str | ExclusionTable)
    ]
]
"""A bare text is a phrase."""

# --- what is followed -----------------------------------------------------------------------------


class FollowTable(Table):
    """Something followed, with its weight."""

    weight: float = Field(
        default=1.0, gt=0, le=1000, allow_inf_nan=False, description="how much it counts; 1 is usual"
    )
    exclude: Exclusions = Field(
        default=[], description="keeps a paper from being found by this follow; others may find it"
    )
    alert: bool = Field(default=False, description="tells at once, and not by the schedule")

    @cached_property
    def wishes(self) -> tuple[Wish, ...]:
        """What is followed: one wish, but of libraries."""
        raise NotImplementedError


class KeywordTable(FollowTable):
    """A word or phrase followed."""

    wish: Annotated[Wish, wished_by(texts.phrase)] = Field(alias="keyword", examples=["mixture of experts"])

    @cached_property
    def wishes(self) -> tuple[Wish, ...]:
        """The phrase."""
        return (self.wish,)


class QueryTable(FollowTable):
    """A query followed."""

    wish: Annotated[Wish, wished_by(str)] = Field(
        alias="query", examples=['(serving OR inference) "language model"']
    )

    @cached_property
    def wishes(self) -> tuple[Wish, ...]:
        """The query."""
        return (self.wish,)


class AuthorTable(FollowTable):
    """A person followed: by name, by ids, or by both."""

    name: Annotated[str, read_by(readers.read_author)] = Field(
        default="", description="in full, as it is printed", examples=["Wencong Xiao"]
    )
    orcid: Annotated[list[str], person_ids("orcid")] = Field(
        default=[], description="an ORCID iD, or several"
    )
    openalex: Annotated[list[str], person_ids("openalex")] = Field(default=[], description="as A5023888391")
    s2: Annotated[list[str], person_ids("s2")] = Field(
        default=[], description="the number at Semantic Scholar"
    )
    dblp: Annotated[list[str], person_ids("dblp")] = Field(default=[], description="a pid, as 65/9612")
    arxiv: Annotated[list[str], person_ids("arxiv")] = Field(default=[], description="as warner_s_1")
    hf: Annotated[list[str], person_ids("hf")] = Field(default=[], description="the name at Hugging Face")

    @model_validator(mode="after")
    def _somebody(self) -> Self:
        if not self.name and not self._ids():
            raise mistake('it names nobody; write name = "Wencong Xiao", or an id as orcid = "…"')
        return self

    def _ids(self) -> tuple[tuple[str, str], ...]:
        return tuple((scheme, value) for scheme in SCHEMES for value in getattr(self, scheme))

    @cached_property
    def wishes(self) -> tuple[Wish, ...]:
        """The person."""
        ids = self._ids()
        text = self.name or ", ".join(f"{scheme}:{value}" for scheme, value in ids)
        return (read_wish(text, texts.author(self.name, ids)),)


class InstitutionTable(FollowTable):
    """An institution followed: by name, by ROR id, or by both."""

    name: Annotated[str, read_by(readers.read_institution)] = Field(
        default="", description="as it stands in affiliations", examples=["ETH Zurich"]
    )
    ror: Annotated[str, read_by(readers.read_ror)] = Field(default="", description="its ROR id")

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.name and not self.ror:
            raise mistake('it names nothing; write name = "ETH Zurich", or its id as ror = "05a28rw58"')
        return self

    @cached_property
    def wishes(self) -> tuple[Wish, ...]:
        """The institution."""
        return (read_wish(self.name or f"ror:{self.ror}", texts.institution(self.name, self.ror)),)


class CategoryTable(FollowTable):
    """A category followed as a whole."""

    wish: Annotated[Wish, wished_by(texts.category)] = Field(alias="category", examples=["cs.DC"])
    primary: bool = Field(default=False, description="only papers whose first category it is")

    @cached_property
    def wishes(self) -> tuple[Wish, ...]:
        """The category."""
        text = self.wish.text
        return (read_wish(text, texts.category(text, primary=True)) if self.primary else self.wish,)


class PaperTable(FollowTable):
    """A paper whose new versions, publication and code are followed."""

    wish: Annotated[Wish, wished_of_paper(texts.paper)] = Field(alias="paper", examples=["2401.00001"])

    @cached_property
    def wishes(self) -> tuple[Wish, ...]:
        """What happens to it."""
        return (self.wish,)


class CitedTable(FollowTable):
    """A paper whose citations are followed."""

    wish: Annotated[Wish, wished_of_paper(texts.cites)] = Field(alias="paper", examples=["2401.00001"])

    @cached_property
    def wishes(self) -> tuple[Wish, ...]:
        """Papers that cite it."""
        return (self.wish,)


def _read_library(value: object, info: ValidationInfo) -> tuple[Wish, ...]:
    surroundings = around(info)

    def read(text: str) -> tuple[Wish, ...]:
        if text not in surroundings.libraries:
            surroundings.libraries[text] = read_library_file(text, surroundings.folder)
        return surroundings.libraries[text][1]

    return checked(value, read)


class LibraryTable(FollowTable):
    """A library: of each paper in it, what happens to it and who cites it."""

    papers: Annotated[tuple[Wish, ...], BeforeValidator(_read_library, json_schema_input_type=str)] = Field(
        alias="file", examples=["refs.bib"]
    )

    @cached_property
    def wishes(self) -> tuple[Wish, ...]:
        """One for each paper of it that has an id or an address."""
        return self.papers


# --- lists of them --------------------------------------------------------------------------------

Keywords = list[
    Annotated[KeywordTable, BeforeValidator(as_table("keyword"), json_schema_input_type=str | KeywordTable)]
]
Queries = list[
    Annotated[QueryTable, BeforeValidator(as_table("query"), json_schema_input_type=str | QueryTable)]
]
Authors = list[
    Annotated[AuthorTable, BeforeValidator(readers.as_author, json_schema_input_type=str | AuthorTable)]
]
Institutions = list[
    Annotated[
        InstitutionTable,
        BeforeValidator(readers.as_institution, json_schema_input_type=str | InstitutionTable),
    ]
]
Categories = list[
    Annotated[
        CategoryTable, BeforeValidator(as_table("category"), json_schema_input_type=str | CategoryTable)
    ]
]
Papers = list[
    Annotated[PaperTable, BeforeValidator(as_table("paper"), json_schema_input_type=str | PaperTable)]
]
Cited = list[
    Annotated[CitedTable, BeforeValidator(as_table("paper"), json_schema_input_type=str | CitedTable)]
]
Libraries = list[
    Annotated[LibraryTable, BeforeValidator(as_table("file"), json_schema_input_type=str | LibraryTable)]
]
