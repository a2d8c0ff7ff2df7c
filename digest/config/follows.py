"""The tables of what a digest follows and of what it excludes."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, ValidationInfo, model_validator

from digest.config import follow_values as readers
from digest.config.context import Table, get_context, wrap_in_table
from digest.config.follow_values import (
    FollowQuery,
    read_follow_query,
    read_paper_query_by,
    read_person_ids_by,
    read_query_by,
)
from digest.config.libraries import read_library_file
from digest.config.values import apply_reader, make_validation_error, read_by
from digest.core.language import query as texts
from digest.core.papers.identity.person_ids import SCHEMES

# --- exclusions -----------------------------------------------------------------------------------


class ExclusionTable(Table):
    """A condition that excludes papers; it has exactly one of these keys."""

    keyword: Annotated[FollowQuery, read_query_by(texts.format_phrase)] | None = Field(
        default=None, description="a word or phrase", examples=["medical imaging"]
    )
    query: Annotated[FollowQuery, read_query_by(str)] | None = Field(
        default=None, description="in the follow language"
    )
    author: Annotated[FollowQuery, read_by(readers.read_author_query)] | None = Field(
        default=None, description="a full name, or an id such as orcid:…"
    )
    category: Annotated[FollowQuery, read_query_by(texts.format_category)] | None = Field(
        default=None, description="a category or an archive"
    )

    @model_validator(mode="after")
    def _check_single_key(self) -> Self:
        if len(self._list_queries()) != 1:
            raise make_validation_error(
                "write one of `keyword`, `query`, `author` or `category` in each table"
            )
        return self

    def _list_queries(self) -> list[FollowQuery]:
        return [query for query in (self.keyword, self.query, self.author, self.category) if query]

    @property
    def follow_query(self) -> FollowQuery:
        """The query of the only key."""
        return self._list_queries()[0]


Exclusions = list[
    Annotated[
        ExclusionTable, BeforeValidator(wrap_in_table("keyword"), json_schema_input_type=str | ExclusionTable)
    ]
]
"""Exclusions; a bare string is a phrase."""

# --- follows --------------------------------------------------------------------------------------


class FollowTable(Table):
    """A follow, with its weight."""

    weight: float = Field(
        default=1.0, gt=0, le=1000, allow_inf_nan=False, description="weight in the ranking; 1 by default"
    )
    exclude: Exclusions = Field(
        default=[], description="excludes a paper from this follow; other follows may still match it"
    )
    alert: bool = Field(default=False, description="sends matches at once instead of on schedule")

    @cached_property
    def follow_queries(self) -> tuple[FollowQuery, ...]:
        """The queries to follow: one, or for a library one per paper."""
        raise NotImplementedError


class KeywordTable(FollowTable):
    """A word or phrase to follow."""

    follow_query: Annotated[FollowQuery, read_query_by(texts.format_phrase)] = Field(
        alias="keyword", examples=["mixture of experts"]
    )

    @cached_property
    def follow_queries(self) -> tuple[FollowQuery, ...]:
        """The query for the phrase."""
        return (self.follow_query,)


class QueryTable(FollowTable):
    """A query to follow."""

    follow_query: Annotated[FollowQuery, read_query_by(str)] = Field(
        alias="query", examples=['(serving OR inference) "language model"']
    )

    @cached_property
    def follow_queries(self) -> tuple[FollowQuery, ...]:
        """The query itself."""
        return (self.follow_query,)


class AuthorTable(FollowTable):
    """A person to follow: by name, by ids, or by both."""

    name: Annotated[str, read_by(readers.read_author)] = Field(
        default="", description="full name as printed", examples=["Wencong Xiao"]
    )
    orcid: Annotated[list[str], read_person_ids_by("orcid")] = Field(
        default=[], description="an ORCID iD, or several"
    )
    openalex: Annotated[list[str], read_person_ids_by("openalex")] = Field(
        default=[], description="such as A5023888391"
    )
    s2: Annotated[list[str], read_person_ids_by("s2")] = Field(
        default=[], description="author id at Semantic Scholar"
    )
    dblp: Annotated[list[str], read_person_ids_by("dblp")] = Field(
        default=[], description="a pid, such as 65/9612"
    )
    arxiv: Annotated[list[str], read_person_ids_by("arxiv")] = Field(
        default=[], description="such as warner_s_1"
    )
    hf: Annotated[list[str], read_person_ids_by("hf")] = Field(
        default=[], description="user name at Hugging Face"
    )

    @model_validator(mode="after")
    def _check_identified(self) -> Self:
        if not self.name and not self._list_ids():
            raise make_validation_error(
                'it names nobody; write name = "Wencong Xiao", or an id such as orcid = "…"'
            )
        return self

    def _list_ids(self) -> tuple[tuple[str, str], ...]:
        return tuple((scheme, value) for scheme in SCHEMES for value in getattr(self, scheme))

    @cached_property
    def follow_queries(self) -> tuple[FollowQuery, ...]:
        """The query for papers of the person."""
        ids = self._list_ids()
        text = self.name or ", ".join(f"{scheme}:{value}" for scheme, value in ids)
        return (read_follow_query(text, texts.format_author(self.name, ids)),)


class InstitutionTable(FollowTable):
    """An institution to follow: by name, by ROR id, or by both."""

    name: Annotated[str, read_by(readers.read_institution)] = Field(
        default="", description="name as printed in affiliations", examples=["ETH Zurich"]
    )
    ror: Annotated[str, read_by(readers.read_ror)] = Field(default="", description="its ROR id")

    @model_validator(mode="after")
    def _check_identified(self) -> Self:
        if not self.name and not self.ror:
            raise make_validation_error(
                'it names nothing; write name = "ETH Zurich", or its id: ror = "05a28rw58"'
            )
        return self

    @cached_property
    def follow_queries(self) -> tuple[FollowQuery, ...]:
        """The query for papers of the institution."""
        return (
            read_follow_query(self.name or f"ror:{self.ror}", texts.format_institution(self.name, self.ror)),
        )


class CategoryTable(FollowTable):
    """A category to follow as a whole."""

    follow_query: Annotated[FollowQuery, read_query_by(texts.format_category)] = Field(
        alias="category", examples=["cs.DC"]
    )
    primary: bool = Field(default=False, description="only papers with this primary category")

    @cached_property
    def follow_queries(self) -> tuple[FollowQuery, ...]:
        """The query for papers in the category."""
        text = self.follow_query.text
        return (
            read_follow_query(text, texts.format_category(text, primary=True))
            if self.primary
            else self.follow_query,
        )


class PaperTable(FollowTable):
    """A paper whose new versions, publication and code are followed."""

    follow_query: Annotated[FollowQuery, read_paper_query_by(texts.format_paper_events)] = Field(
        alias="paper", examples=["2401.00001"]
    )

    @cached_property
    def follow_queries(self) -> tuple[FollowQuery, ...]:
        """The query for events of the paper."""
        return (self.follow_query,)


class CitedPaperTable(FollowTable):
    """A paper whose citations are followed."""

    follow_query: Annotated[FollowQuery, read_paper_query_by(texts.format_citing)] = Field(
        alias="paper", examples=["2401.00001"]
    )

    @cached_property
    def follow_queries(self) -> tuple[FollowQuery, ...]:
        """The query for papers that cite it."""
        return (self.follow_query,)


def _read_library(value: object, info: ValidationInfo) -> tuple[FollowQuery, ...]:
    context = get_context(info)

    def read_file(text: str) -> tuple[FollowQuery, ...]:
        if text not in context.libraries:
            context.libraries[text] = read_library_file(text, context.folder)
        return context.libraries[text][1]

    return apply_reader(value, read_file)


class LibraryTable(FollowTable):
    """A library: events and citations of each paper in it are followed."""

    paper_queries: Annotated[
        tuple[FollowQuery, ...], BeforeValidator(_read_library, json_schema_input_type=str)
    ] = Field(alias="file", examples=["refs.bib"])

    @cached_property
    def follow_queries(self) -> tuple[FollowQuery, ...]:
        """One query for each paper of the library that has an id or an address."""
        return self.paper_queries


# --- lists of follows -----------------------------------------------------------------------------

Keywords = list[
    Annotated[
        KeywordTable, BeforeValidator(wrap_in_table("keyword"), json_schema_input_type=str | KeywordTable)
    ]
]
Queries = list[
    Annotated[QueryTable, BeforeValidator(wrap_in_table("query"), json_schema_input_type=str | QueryTable)]
]
Authors = list[
    Annotated[AuthorTable, BeforeValidator(readers.wrap_author, json_schema_input_type=str | AuthorTable)]
]
Institutions = list[
    Annotated[
        InstitutionTable,
        BeforeValidator(readers.wrap_institution, json_schema_input_type=str | InstitutionTable),
    ]
]
Categories = list[
    Annotated[
        CategoryTable, BeforeValidator(wrap_in_table("category"), json_schema_input_type=str | CategoryTable)
    ]
]
Papers = list[
    Annotated[PaperTable, BeforeValidator(wrap_in_table("paper"), json_schema_input_type=str | PaperTable)]
]
CitedPapers = list[
    Annotated[
        CitedPaperTable, BeforeValidator(wrap_in_table("paper"), json_schema_input_type=str | CitedPaperTable)
    ]
]
Libraries = list[
    Annotated[LibraryTable, BeforeValidator(wrap_in_table("file"), json_schema_input_type=str | LibraryTable)]
]
