"""What a paper has now that it had not before, as far as readers care."""

from __future__ import annotations

from collections.abc import Collection

from digest.core.names.fitting import fold_name
from digest.core.papers.taxonomy import canonicalize_category
from digest.model import EventKind, Paper


def find_growth(before: Paper, after: Paper, followed_keys: Collection[str] = ()) -> frozenset[EventKind]:
    """Say what there is to tell about a paper that is known better than before.

    A correction is no growth: another abstract or title, other names, another order. Nor is what went away.

    Args:
        before: the paper as it was known.
        after: the same paper as it is known now.
        followed_keys: the keys of papers of which some follow asks by what they are cited. What else a paper cites tells
            nobody anything, and is found out of every paper in the days after it was new.

    Returns:
        ``GROWN`` if it has a category, an abstract, an author's affiliation or id, an organization, or a reference
        to one of ``followed_keys`` that it had not: one more follow may fit it. ``CODE`` if it has code for the first time. ``PUBLISHED`` if it
        has the DOI or journal reference of a publication for the first time.
    """
    if before == after:
        return frozenset()
    kinds = {
        EventKind.GROWN: _has_grown(before, after) or _has_new_citation(before, after, followed_keys),
        EventKind.CODE: bool(after.code_urls and not before.code_urls),
        EventKind.PUBLISHED: _is_published(after) and not _is_published(before),
    }
    return frozenset(kind for kind, has_happened in kinds.items() if has_happened)


def _has_grown(before: Paper, after: Paper) -> bool:
    return bool(
        (after.abstract and not before.abstract)
        or _canonicalize_categories(after) - _canonicalize_categories(before)
        or _normalize_texts(after.organizations) - _normalize_texts(before.organizations)
        or _collect_author_ids(after) - _collect_author_ids(before)
        or _has_new_affiliation(before, after)
    )


def _has_new_citation(before: Paper, after: Paper, followed_keys: Collection[str]) -> bool:
    return bool(followed_keys) and any(
        key in followed_keys for key in set(after.references).difference(before.references)
    )


def _canonicalize_categories(paper: Paper) -> set[str]:
    """Aliases are one: arXiv lists a paper of ``cs.IT`` in ``math.IT`` too."""
    return {canonicalize_category(category) for category in paper.categories}


def _normalize_texts(texts: tuple[str, ...]) -> set[str]:
    """Texts without what makes two spellings of one: case and blanks."""
    return {" ".join(text.split()).casefold() for text in texts}


def _collect_author_ids(paper: Paper) -> set[tuple[str, str]]:
    return {author_id for author in paper.authors for author_id in author.ids}


def _has_new_affiliation(before: Paper, after: Paper) -> bool:
    """Whether an author works where, as far as was known, that author did not.

    An author who is new or written in another way has nothing new where the paper had the affiliation.
    """
    if not any(author.affiliations for author in after.authors):
        return False
    affiliations_by_name = {
        fold_name(author.name): _normalize_texts(author.affiliations) for author in before.authors
    }
    all_affiliations = set().union(*affiliations_by_name.values()) if affiliations_by_name else set()
    return any(
        _normalize_texts(author.affiliations)
        - affiliations_by_name.get(fold_name(author.name), all_affiliations)
        for author in after.authors
    )


def _is_published(paper: Paper) -> bool:
    """The DOI that is its key is the paper itself, a preprint's perhaps, and tells of no publication."""
    return bool(paper.journal_ref or (paper.doi and paper.key != f"doi:{paper.doi}"))
