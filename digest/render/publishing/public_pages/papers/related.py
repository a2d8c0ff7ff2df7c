"""Lists of papers that have to do with a paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from digest.core.language.query import format_citing
from digest.core.matching.search.filters import SearchOrder, SimilarOrder
from digest.core.publishing.addresses import PaperAddress, format_paper_address
from digest.core.publishing.related_papers import RelatedPapers
from digest.core.publishing.search_address import SearchAddress, format_search_address
from digest.render.branding import Branding
from digest.render.environment import remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.publishing.public_pages.links import PublicSite
from digest.render.publishing.public_pages.pagination import PageChoice
from digest.render.publishing.public_pages.papers.rows import make_paper_row


def make_related_lists(
    related: RelatedPapers, address: PaperAddress, site: PublicSite, branding: Branding
) -> dict[str, object]:
    """Make the lists.

    Args:
        related: the papers.
        address: the address of the page.
        site: the site, in the language of the page.
        branding: the branding in the same language.
    """
    locale = branding.locale
    return {
        "similar": [
            make_paper_row(entry.listed, site, locale, _format_reason(entry.common_words, locale))
            for entry in related.similar
        ],
        "similar_orders": _list_orders(address, site, locale),
        "cited": [make_paper_row(entry, site, locale) for entry in related.cited],
        "cited_count": _describe_cited(related, locale),
        "citing": [make_paper_row(entry, site, locale) for entry in related.citing],
        "all_citing": _link_citing(related, address, site, locale),
    }


def _format_reason(words: Sequence[str], locale: Locale) -> str:
    # Translators: why a paper is similar to another one: "in common: scheduling, latency".
    return locale.gettext("in common: %(words)s", words=locale.join_parts(map(remove_unprintable, words)))


def _list_orders(address: PaperAddress, site: PublicSite, locale: Locale) -> list[PageChoice]:
    labels = {
        # Translators: an order of similar papers.
        SimilarOrder.NEARNESS: locale.gettext("nearest first"),
        SimilarOrder.DATE: locale.gettext("newest first"),
    }
    return [
        PageChoice(
            label,
            order.value,
            site.link(format_paper_address(replace(address, similar_order=order))),
            order is address.similar_order,
        )
        for order, label in labels.items()
    ]


def _describe_cited(related: RelatedPapers, locale: Locale) -> str:
    """Say how many papers it cites, as far as that is known, and that only some are listed."""
    if not related.cited_count:
        return ""
    return locale.ngettext(
        "It cites %(num)s paper, as far as known; listed are those that this site knows.",
        "It cites %(num)s papers, as far as known; listed are those that this site knows.",
        related.cited_count,
    )


def _link_citing(related: RelatedPapers, address: PaperAddress, site: PublicSite, locale: Locale) -> Link:
    """Link to all papers that cite it; both texts are "" if all are listed."""
    if related.citing_total.papers <= len(related.citing):
        return Link(label="", href="")
    search = SearchAddress(
        text=format_citing(address.key), order=SearchOrder.DATE, language=site.language_parameter
    )
    return Link(
        label=locale.gettext("All papers that cite it"), href=site.link(format_search_address(search))
    )
