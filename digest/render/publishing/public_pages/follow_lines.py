"""Lines for ``digest.toml`` that follow what a public page shows."""

from __future__ import annotations

from collections.abc import Iterator

from digest.core.language.query import format_author
from digest.core.publishing.collection_addresses import CollectionAddress, CollectionKind
from digest.core.publishing.public_person import PublicPerson
from digest.core.text.accents import decode_tex_accents
from digest.model import Paper
from digest.render.environment import remove_unprintable
from digest.render.papers.paper_view import join_lines


def list_paper_lines(paper: Paper) -> Iterator[str]:
    """Yield lines that follow a paper, papers that cite it, its first author, and its first category."""
    scheme, _, value = paper.key.partition(":")
    bare_id = value if scheme in {"arxiv", "doi"} else paper.doi
    if bare_id:
        yield f"papers = [{_quote_toml(bare_id)}]"
        yield f"cites = [{_quote_toml(bare_id)}]"
    if paper.authors:
        yield f"authors = [{_quote_toml(decode_tex_accents(paper.authors[0].name))}]"
    if paper.categories and scheme == "arxiv":
        yield f"categories = [{_quote_toml(paper.categories[0])}]"


def make_person_query(person: PublicPerson) -> str:
    """Return the query that finds a person: by name, and by the first ID of each scheme."""
    return format_author(person.names[0], tuple(sorted(_select_ids(person).items())))


def _select_ids(person: PublicPerson) -> dict[str, str]:
    return {entry.scheme: entry.value for entry in reversed(person.ids)}


def list_person_lines(person: PublicPerson) -> Iterator[str]:
    """Yield the line that follows a person: by name, and by the first ID of each scheme."""
    name = _quote_toml(decode_tex_accents(person.names[0]))
    ids = _select_ids(person)
    if ids:
        parts = [
            f"name = {name}",
            *(f"{scheme} = {_quote_toml(value)}" for scheme, value in sorted(ids.items())),
        ]
        yield f"authors = [{{ {', '.join(parts)} }}]"
    else:
        yield f"authors = [{name}]"


def list_query_lines(text: str) -> Iterator[str]:
    """Yield the line that follows what a query finds."""
    yield f"queries = [{_quote_toml(text)}]"


def list_collection_lines(address: CollectionAddress, query: str) -> Iterator[str]:
    """Yield the line that follows a category, an institution or a topic.

    Args:
        address: the address of its page.
        query: the query that finds its papers.
    """
    match address.kind:
        case CollectionKind.CATEGORY:
            yield f"categories = [{_quote_toml(address.name)}]"
        case CollectionKind.INSTITUTION:
            yield f"institutions = [{_quote_toml(address.name)}]"
        case CollectionKind.TOPIC:
            yield from list_query_lines(query)


def _quote_toml(text: str) -> str:
    """Return a text as a basic string of TOML (https://toml.io/en/v1.0.0#string)."""
    escaped = remove_unprintable(join_lines(text)).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
