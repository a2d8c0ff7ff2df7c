"""What a paper has now that it had not before, as far as readers care."""

from __future__ import annotations

from collections.abc import Collection

from digest.core.names.fitting import folded
from digest.core.papers.taxonomy import canonical
from digest.model import EventKind, Paper


def growth(before: Paper, after: Paper, cited: Collection[str] = ()) -> frozenset[EventKind]:
    """Say what there is to tell about a paper that is known better than before.

    A correction is no growth: another abstract or title, other names, another order. Nor is what went away.

    Args:
        before: the paper as it was known.
        after: the same paper as it is known now.
        cited: the keys of papers of which some follow asks by what they are cited. What else a paper cites tells
            nobody anything, and is found out of every paper in the days after it was new.

    Returns:
        ``GROWN`` if it has a category, an abstract, an author's affiliation or id, an organization, or a reference
        to one of ``cited`` that it had not: one more follow may fit it. ``CODE`` if it has code for the first time. ``PUBLISHED`` if it
        has the DOI or journal reference of a publication for the first time.
    """
    if before == after:
        return frozenset()
    kinds = {
        EventKind.GROWN: _grew(before, after) or _cites_more(before, after, cited),
        EventKind.CODE: bool(after.code_urls and not before.code_urls),
        EventKind.PUBLISHED: _is_published(after) and not _is_published(before),
    }
    return frozenset(kind for kind, happened in kinds.items() if happened)


def _grew(before: Paper, after: Paper) -> bool:
    return bool(
        (after.abstract and not before.abstract)
        or _categories(after) - _categories(before)
        or _same(after.organizations) - _same(before.organizations)
        or _author_ids(after) - _author_ids(before)
        or _has_new_affiliation(before, after)
    )


def _cites_more(before: Paper, after: Paper, cited: Collection[str]) -> bool:
    return bool(cited) and any(key in cited for key in set(after.references).difference(before.references))


def _categories(paper: Paper) -> set[str]:
    """Aliases are one: arXiv lists a paper of ``cs.IT`` in ``math.IT`` too."""
    return {canonical(category) for category in paper.categories}


def _same(written: tuple[str, ...]) -> set[str]:
    """Texts without what makes two spellings of one: case and blanks."""
    return {" ".join(text.split()).casefold() for text in written}


def _author_ids(paper: Paper) -> set[tuple[str, str]]:
    return {known for author in paper.authors for known in author.ids}


def _has_new_affiliation(before: Paper, after: Paper) -> bool:
    """Whether an author works where, as far as was known, that author did not.

    An author who is new or written in another way has nothing new where the paper had the affiliation.
    """
    if not any(author.affiliations for author in after.authors):
        return False
    had = {folded(author.name): _same(author.affiliations) for author in before.authors}
    all_had = set().union(*had.values()) if had else set()
    return any(_same(author.affiliations) - had.get(folded(author.name), all_had) for author in after.authors)


def _is_published(paper: Paper) -> bool:
    """The DOI that is its key is the paper itself, a preprint's perhaps, and tells of no publication."""
    return bool(paper.journal_ref or (paper.doi and paper.key != f"doi:{paper.doi}"))
