"""Detection of additions to a paper that matter to readers."""

from __future__ import annotations

from collections.abc import Collection

from digest.core.names.fitting import fold_name
from digest.core.papers.taxonomy import canonicalize_category
from digest.model import EventKind, Paper


def find_growth(before: Paper, after: Paper, followed_keys: Collection[str] = ()) -> frozenset[EventKind]:
    """Return the kinds of events for what a paper has now and did not have before.

    Corrections, such as another abstract, title, name or order, are not growth, and neither are removals.

    Args:
        before: the paper as it was stored.
        after: the same paper now.
        followed_keys: the keys of papers whose citations some follow asks for. Other references are no
            growth, because they are fetched for every paper in the days after it was new.

    Returns:
        ``GROWN`` if there is a new category, abstract, affiliation, author ID or organization, or a new reference to one of ``followed_keys``: more follows may match it now. ``CODE`` if it has code for the first time. ``PUBLISHED`` if it has the DOI or journal reference of a publication for the first time.
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
    """Return the categories without aliases: arXiv lists each paper of ``cs.IT`` also in ``math.IT``."""
    return {canonicalize_category(category) for category in paper.categories}


def _normalize_texts(texts: tuple[str, ...]) -> set[str]:
    """Return the texts without differences in case and white space."""
    return {" ".join(text.split()).casefold() for text in texts}


def _collect_author_ids(paper: Paper) -> set[tuple[str, str]]:
    return {author_id for author in paper.authors for author_id in author.ids}


def _has_new_affiliation(before: Paper, after: Paper) -> bool:
    """Return True if an author has an affiliation that this author did not have before.

    For an author who is new or spelled differently, only affiliations that no author had before count.
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
    """Return True if the paper has a publication.

    A DOI that is its key does not count, because it may be that of a preprint.
    """
    return bool(paper.journal_ref or (paper.doi and paper.key != f"doi:{paper.doi}"))
