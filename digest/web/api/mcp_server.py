"""A Model Context Protocol server, by which assistants read the database (https://modelcontextprotocol.io).

It has the documents of the API as tools, and why a paper is in a digest. It changes nothing, and speaks over standard
input and output, so only programs on the operator's machine can use it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Annotated, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from digest import __version__
from digest.app import App
from digest.core.matching.search.filters import SearchFilters, SearchOrder, SimilarOrder
from digest.core.publishing.search_address import SearchAddress
from digest.errors import ConfigError
from digest.jobs.editions.explain import explain_paper
from digest.render.publishing.documents.day import DayDocument, SourcesDocument
from digest.render.publishing.documents.paper import PaperDetailsDocument, SimilarPapersDocument
from digest.render.publishing.documents.person import PeopleDocument, PersonDocument
from digest.render.publishing.documents.search import SearchDocument
from digest.web.api.document_reader import DocumentReader, ProblemError

P = ParamSpec("P")
R = TypeVar("R")

_INSTRUCTIONS = """\
This server reads a database of research papers. Start with search_papers; its queries are words, "phrases", OR, NOT, \
author:"Name", category:cs.DC, title:word, has:code. Numbers name the service that counts them. Who is who among \
authors is worked out from papers and can be wrong."""
_MAX_LIMIT = 50
_Limit = Annotated[int, Field(ge=1, le=_MAX_LIMIT, description="Maximum number of papers")]
_Cursor = Annotated[str, Field(description="next_cursor of the page before; empty for the first page")]


class ExplanationDocument(BaseModel):
    """Why a paper is in a digest or not."""

    verdict: str


def make_mcp_server(app: App) -> MCPServer[None]:
    """Make the server."""
    reader = DocumentReader(app=app, site_url=app.pages.url if app.pages else "")
    server: MCPServer[None] = MCPServer(
        "digest", version=__version__, instructions=_INSTRUCTIONS, log_level="ERROR"
    )
    tools = _Tools(reader)
    for tool in (
        tools.search_papers,
        tools.read_paper,
        tools.find_similar_papers,
        tools.find_people,
        tools.read_person,
        tools.read_day,
        tools.list_sources,
        tools.explain_paper,
    ):
        server.add_tool(_convert_errors(tool), description=tool.__doc__)
    return server


def _convert_errors(tool: Callable[P, R]) -> Callable[P, R]:
    """Report what cannot be answered as the result of the tool, so that the assistant can try again."""

    @wraps(tool)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return tool(*args, **kwargs)
        except (ProblemError, ConfigError) as error:
            raise ToolError(str(error)) from error

    return call


class _Tools:
    """The tools; their documentation is what assistants read."""

    def __init__(self, reader: DocumentReader) -> None:
        self._reader = reader

    def search_papers(  # noqa: PLR0917 - parameters of the tool
        self,
        query: str,
        category: str = "",
        year: int | None = None,
        order: SearchOrder = SearchOrder.RELEVANCE,
        cursor: _Cursor = "",
        limit: _Limit = 10,
    ) -> SearchDocument:
        """Search all papers of the database, by relevance or newest first."""
        filters = SearchFilters(category=category, year=year)
        address = SearchAddress(text=query, filters=filters, order=order, cursor=cursor)
        return self._reader.load_search(address, limit)

    def read_paper(self, key: str) -> PaperDetailsDocument:
        """Read everything about a paper: abstract, who says what, events, numbers, citations. Any id or address works."""
        return self._reader.load_paper(key)

    def find_similar_papers(
        self, key: str, order: SimilarOrder = SimilarOrder.NEARNESS
    ) -> SimilarPapersDocument:
        """Find the papers with the most similar words, and the words in common."""
        return self._reader.load_similar(key, order)

    def find_people(self, name: str) -> PeopleDocument:
        """Find the persons who sign papers with a name."""
        return self._reader.load_people(name)

    def read_person(self, reference: str, cursor: _Cursor = "") -> PersonDocument:
        """Read about a person: papers, co-authors, affiliations, ids, and how sure it is.

        The reference is a byline, 2401.00001#3 for the third author of a paper, or an id, orcid:0000-0002-1825-0097.
        """
        return self._reader.load_person(reference, cursor)

    def read_day(self, day: str, cursor: _Cursor = "", limit: _Limit = 20) -> DayDocument:
        """Read the papers that were announced on a day (2026-06-12), and how complete the day is."""
        return self._reader.load_day(day, cursor, limit)

    def list_sources(self) -> SourcesDocument:
        """List the sources, and how complete each of their sections is on the days of the last week."""
        return self._reader.load_sources()

    def explain_paper(self, digest: str, paper: str) -> ExplanationDocument:
        """Explain why a paper is in a digest of this configuration, or why it is not."""
        return ExplanationDocument(verdict=explain_paper(self._reader.app.store, digest, paper).verdict)
