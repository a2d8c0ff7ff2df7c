"""The fast path of mails: a million mails consist of the same papers and the same words around them.

``make_mail`` in ``digest.render.delivery.mail`` defines a mail. This module joins the same bytes from pieces
that are rendered and encoded once. A mail that cannot be split into such pieces takes the plain path. The
results of both paths are compared when a skeleton is first used and at intervals after that. If they differ,
a template depends on more than its papers one by one, and its mails take the plain path from then on.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property, partial
from typing import NamedTuple

import jinja2

from digest.errors import RenderError
from digest.model import Batch, Edition, Mail
from digest.render.branding import Branding
from digest.render.bulk.encoded import (
    HTML_NUMBERS,
    TEXT_NUMBERS,
    encode_escaped,
    encode_plain,
    insert_numbers,
    insert_page_address,
)
from digest.render.bulk.fragment import FragmentCache
from digest.render.bulk.paper_template import Fragment
from digest.render.bulk.placeholder import NotSplittable, Placeholder
from digest.render.bulk.skeleton import (
    LINES_LOOP,
    HeadingsMaker,
    MailSkeleton,
    Outline,
    collect_values,
    copy_headings,
    make_loop_name,
    make_mail_skeleton,
    make_outline,
    place_headings,
)
from digest.render.bulk.splitter import make_splitting_environment
from digest.render.delivery.headers import clean_header_text, encode_address, encode_words
from digest.render.delivery.mail import (
    MailLinks,
    find_fitting_limits,
    get_sender,
    has_all_papers,
    make_headers,
    make_mail,
    make_message,
    measure_html_size,
    render_mail,
)
from digest.render.delivery.mime import join_message, make_html_part, make_text_part
from digest.render.editions.completeness import Completeness
from digest.render.editions.edition_view import (
    EditionView,
    add_late_papers,
    describe_due_completeness,
    list_first_titles,
    make_view_without_papers,
)
from digest.render.editions.layout import Layout, PlacedItem, ViewLimits, make_layout
from digest.render.editions.overview import has_overview
from digest.render.editions.sample import make_sample_edition
from digest.render.editions.summary import find_first_title, list_counts, render_subject
from digest.render.own_templates import UserEnvironment
from digest.render.papers.links import filter_web_address

_COMPARE_INTERVAL = 2_000
"""After the first mail of a skeleton, one mail in this many is compared with the plain path."""
_MAX_SKELETONS = 1_000
_SAFE_HEADER_VALUE = re.compile(r"[!-~]{0,400}")
"""An address or a Message-ID that needs no validation in a header."""
_SIMPLE_URL = re.compile(r"https?://[a-z0-9.-]+(?::\d+)?/[\w./~-]*", re.ASCII)
_MAX_HEADER_LENGTH = 900
"""Longest header on the fast path, in characters; longer ones take the plain path, which validates them."""
_SLOW_WARNING = "Your templates in mail/ show a paper differently next to other papers, or do more with a text than show it. Such mails are rendered one by one, which takes far longer; see docs/reference/templates.md."
_TRIAL_CASES = (
    (0, MailLinks()),
    (
        2,
        MailLinks(
            unsubscribe="https://example.org/unsubscribe/sample",
            page="https://example.org/editions/sample",
            manage="https://example.org/manage/sample",
        ),
    ),
)
_log = logging.getLogger(__name__)


class MailCache:
    """Makes the mails of many deliveries; it can be used from several threads.

    Args:
        environment: made by ``make_environment``.
        branding: the branding of the site.

    Attributes:
        fast_count: number of mails that took the fast path.
    """

    def __init__(self, environment: jinja2.Environment, branding: Branding) -> None:
        self._environment = environment
        self._splitting_environment = make_splitting_environment(environment)
        self._branding = branding
        self._mail_count = 0
        self._has_warned = False
        self.fast_count = 0
        self._fragments = FragmentCache(self._splitting_environment, branding)
        self._skeletons: dict[Outline, MailSkeleton | None] = {}
        self._run_skeletons: dict[tuple[Outline, str, int], tuple[Completeness, MailSkeleton]] = {}
        self._compared_outlines: set[Outline] = set()
        self._completeness_cache: dict[
            tuple[int, datetime, bool, str], tuple[tuple[Batch, ...], Completeness]
        ] = {}

    def make_mail(
        self,
        edition: Edition,
        *,
        delivery: int,
        recipient: str,
        message_id: str,
        unsubscribe: str = "",
        page: str = "",
        manage: str = "",
    ) -> Mail:
        """Make the message of a delivery, with the same bytes as ``digest.render.delivery.mail.make_mail``.

        Args:
            edition: the content; items and batches that are the same objects in several editions are read once.
            delivery: the delivery's id.
            recipient: a bare address.
            message_id: with its angle brackets.
            unsubscribe: the web address that stops the digest, or "".
            page: the web address of the edition's page, or "".
            manage: the web address where the reader manages the digest, or "".

        Raises:
            RenderError: as ``make_mail`` does.
        """
        render_plainly = partial(
            make_mail,
            self._environment,
            edition,
            self._branding,
            delivery=delivery,
            recipient=recipient,
            message_id=message_id,
            unsubscribe=unsubscribe,
            page=page,
            manage=manage,
        )
        self._mail_count += 1
        make_headings = self._headings_maker
        if edition.missed or has_overview(edition) or make_headings is None:
            return render_plainly()
        mail_links = _filter_links(unsubscribe, page, manage)
        try:
            to, sender = encode_address(recipient), get_sender(self._branding)
            outline, content = self._render_content(
                edition, mail_links, make_headings, to=to, message_id=message_id
            )
        except (NotSplittable, RenderError) as error:  # occurs with users' own templates only
            if isinstance(error, _SkeletonError):
                self._warn_once()
            return render_plainly()
        mail = Mail(delivery=delivery, sender=sender, recipient=to, message_id=message_id, content=content)
        return self._compare_sometimes(outline, mail, render_plainly)

    def _compare_sometimes(
        self, outline: Outline, fast_mail: Mail, render_plainly: Callable[[], Mail]
    ) -> Mail:
        if outline in self._compared_outlines and self._mail_count % _COMPARE_INTERVAL:
            self.fast_count += 1
            return fast_mail
        self._compared_outlines.add(outline)
        plain_mail = render_plainly()
        if fast_mail == plain_mail:
            self.fast_count += 1
            return fast_mail
        if self._skeletons.get(outline) is not None:
            self._skeletons[outline] = None
            self._warn_once()
        return plain_mail

    @cached_property
    def _headings_maker(self) -> HeadingsMaker | None:
        """How headings stand in outlines; None if the templates do not show each paper independently.

        This is tried with several papers under each heading.
        """
        sample = make_sample_edition(datetime(2026, 6, 12, 5, 30, tzinfo=UTC))
        edition = replace(
            sample,
            title='Ünïts & <"papers">, the 1st\'s',
            items=tuple([item for item in sample.items for _ in range(3)]),
            overflow=(*sample.overflow,) * 3,
            dropped=2,
            excluded=2,
        )
        for make_headings in (place_headings, copy_headings):
            if all(
                self._is_identical(replace(edition, dropped=dropped), mail_links, make_headings)
                for dropped, mail_links in _TRIAL_CASES
            ):
                return make_headings
        self._warn_once()
        return None

    def _warn_once(self) -> None:
        if not self._has_warned:
            self._has_warned = True
            _log.warning(_SLOW_WARNING)

    def _is_identical(self, edition: Edition, mail_links: MailLinks, make_headings: HeadingsMaker) -> bool:
        addressing = {"to": "reader@example.org", "message_id": "<sample@example.org>"}
        try:
            _, content = self._render_content(edition, mail_links, make_headings, **addressing)
        except (NotSplittable, RenderError):
            return False
        rendered_mail = render_mail(self._environment, edition, self._branding, mail_links)
        plain_content = make_message(
            rendered_mail, edition, self._branding, **addressing, mail_links=mail_links
        )
        return content == plain_content

    # --- joining ----------------------------------------------------------------------------------

    def _render_content(
        self,
        edition: Edition,
        mail_links: MailLinks,
        make_headings: HeadingsMaker,
        *,
        to: str,
        message_id: str,
    ) -> tuple[Outline, bytes]:
        _require_usual(edition, mail_links, message_id)
        draft = _MailDraft(
            self._environment,
            self._fragments,
            self._get_run_skeleton,
            edition,
            mail_links,
            self._branding,
            self._get_completeness(edition),
            make_headings,
        )
        view_limits = find_fitting_limits(
            lambda view_limits: measure_html_size(draft.get_body(view_limits).html), edition, mail_links
        )
        if not has_all_papers(view_limits, edition, mail_links) and isinstance(
            self._environment, UserEnvironment
        ):
            raise NotSplittable  # the plain path replaces the user's templates by the shipped ones
        body = draft.get_body(view_limits)
        if not mail_links.page and body.omits_lines:
            raise NotSplittable  # here, too
        text = body.render_text()
        subject_header = encode_words(draft.subject)
        header_fields = make_headers(
            subject_header, edition, self._branding, to=to, message_id=message_id, mail_links=mail_links
        )
        if max([len(value) for _, value in header_fields]) > _MAX_HEADER_LENGTH:
            raise NotSplittable
        return body.outline, join_message(
            header_fields, message_id, make_text_part(text), make_html_part(body.html)
        )

    def _get_skeleton(self, outline: Outline) -> MailSkeleton:
        if outline not in self._skeletons:
            if len(self._skeletons) >= _MAX_SKELETONS:
                raise NotSplittable
            self._skeletons[outline] = None
            try:
                self._skeletons[outline] = make_mail_skeleton(
                    self._splitting_environment, self._branding, outline
                )
            except NotSplittable as error:
                raise _SkeletonError from error
        skeleton = self._skeletons[outline]
        if skeleton is None:
            raise NotSplittable
        return skeleton

    def _get_run_skeleton(self, outline: Outline, view: EditionView) -> MailSkeleton:
        """Return the skeleton of an outline, filled with what the mails of one run and time zone share."""
        key = outline, view.day, id(view.account)
        cached = self._run_skeletons.get(key)
        if cached is None:
            if len(self._run_skeletons) >= _MAX_SKELETONS:
                self._run_skeletons.clear()
            cached = self._run_skeletons[key] = view.account, self._get_skeleton(outline).fill_shared(view)
        return cached[1]

    def _get_completeness(self, edition: Edition) -> Completeness:
        batches = edition.batches
        key = id(batches), edition.composed_at, edition.is_alert, edition.zone
        cached = self._completeness_cache.get(key)
        if cached is None:
            if len(self._completeness_cache) >= _MAX_SKELETONS:
                self._completeness_cache.clear()
            cached = self._completeness_cache[key] = (
                batches,
                describe_due_completeness(edition, self._branding),
            )
        return cached[1]


class _SkeletonError(NotSplittable):
    """No skeleton can be made of the templates."""


class _MailBody(NamedTuple):
    """The HTML part of a mail within limits, and the input of its text part."""

    outline: Outline
    skeleton: MailSkeleton
    layout: Layout
    values: Mapping[str, str]
    section_fragments: Sequence[Sequence[Fragment]]
    line_fragments: Sequence[Fragment]
    html: bytes

    @property
    def omits_lines(self) -> bool:
        """Whether the HTML part shows papers in full and has no room for those with one line."""
        placeholders = self.skeleton.html.placeholders
        return (
            bool(self.line_fragments)
            and Placeholder(LINES_LOOP) not in placeholders
            and (not self.section_fragments or Placeholder(make_loop_name(0)) in placeholders)
        )

    def render_text(self) -> bytes:
        """Render the text part."""
        papers = _join_papers(
            self.layout,
            [
                _get_texts(fragments, section.items)
                for fragments, section in zip(self.section_fragments, self.layout.sections, strict=True)
            ],
            _get_texts(self.line_fragments, self.layout.lines),
            TEXT_NUMBERS,
        )
        return insert_page_address(
            self.skeleton.render_text(self.values, papers), encode_plain(self.values["page"])
        )


class _MailDraft:
    """One mail, with the limits that are tried."""

    def __init__(  # noqa: PLR0917 - made in one place
        self,
        environment: jinja2.Environment,
        fragments: FragmentCache,
        get_skeleton: Callable[[Outline, EditionView], MailSkeleton],
        edition: Edition,
        mail_links: MailLinks,
        branding: Branding,
        completeness: Completeness,
        make_headings: HeadingsMaker,
    ) -> None:
        self._fragments, self._get_skeleton = fragments, get_skeleton
        self._edition, self._mail_links, self._branding, self._completeness = (
            edition,
            mail_links,
            branding,
            completeness,
        )
        self._make_headings = make_headings
        self._counts = list_counts(edition, branding.locale)
        title = find_first_title(edition)
        self.subject = clean_header_text(
            render_subject(environment, edition, self._counts, title, branding.locale)
        )
        self._bodies: dict[ViewLimits, _MailBody] = {}

    def get_body(self, view_limits: ViewLimits) -> _MailBody:
        """Return the HTML part within limits."""
        if view_limits not in self._bodies:
            self._bodies[view_limits] = self._render_body(view_limits)
        return self._bodies[view_limits]

    def _render_body(self, view_limits: ViewLimits) -> _MailBody:
        edition, mail_links, has_page = self._edition, self._mail_links, bool(self._mail_links.page)
        layout = make_layout(edition, view_limits, self._branding.locale)
        section_fragments = [
            self._fragments.get_all(section.items, has_page=has_page) for section in layout.sections
        ]
        line_fragments = self._fragments.get_all(layout.lines, has_page=has_page)
        view = make_view_without_papers(
            edition,
            self._branding,
            view_limits,
            add_late_papers(self._completeness, layout.items, self._branding.locale),
            counts=self._counts,
            first_titles=list_first_titles(layout),
            on_page=has_page,
        )
        outline = make_outline(view, layout, mail_links, self._make_headings)
        headings = [section.heading for section in layout.sections]
        values = collect_values(view, self.subject, mail_links, headings)
        skeleton = self._get_skeleton(outline, view)
        papers = _join_papers(
            layout,
            [[fragment.html for fragment in fragments] for fragments in section_fragments],
            [fragment.html for fragment in line_fragments],
            HTML_NUMBERS,
        )
        html = insert_page_address(skeleton.render_html(values, papers), encode_escaped(mail_links.page))
        return _MailBody(outline, skeleton, layout, values, section_fragments, line_fragments, html)


def _get_texts(fragments: Sequence[Fragment], placed_items: Sequence[PlacedItem]) -> list[bytes]:
    return [
        fragment.get_text(len(TEXT_NUMBERS[placed.number]))
        for fragment, placed in zip(fragments, placed_items, strict=True)
    ]


def _join_papers(
    layout: Layout, sections: Sequence[Sequence[bytes]], lines: Sequence[bytes], numbers: Sequence[bytes]
) -> dict[str, bytes]:
    """Join the papers of each section, and the lines, by the placeholder of the skeleton that they replace."""

    def insert(papers: Sequence[bytes], placed_items: Sequence[PlacedItem]) -> bytes:
        return insert_numbers(papers, [numbers[placed.number] for placed in placed_items])

    joined = {
        make_loop_name(index): insert(papers, section.items)
        for index, (papers, section) in enumerate(zip(sections, layout.sections, strict=True))
    }
    joined[LINES_LOOP] = insert(lines, layout.lines) if lines else b""
    return joined


def _require_usual(edition: Edition, mail_links: MailLinks, message_id: str) -> None:
    """Check that papers have numbers that are encoded in advance, and that headers need no validation.

    Raises:
        NotSplittable: they do not.
    """
    paper_count = len(edition.items) + len(edition.overflow)
    values = (message_id, mail_links.unsubscribe, mail_links.page, mail_links.manage)
    if paper_count >= len(HTML_NUMBERS) or not all(map(_SAFE_HEADER_VALUE.fullmatch, values)):
        raise NotSplittable


def _filter_links(unsubscribe: str, page: str, manage: str) -> MailLinks:
    return MailLinks(
        unsubscribe=_filter_address(unsubscribe), page=_filter_address(page), manage=_filter_address(manage)
    )


def _filter_address(url: str) -> str:
    """Do what ``filter_web_address`` does, but without parsing the usual form of address."""
    return url if _SIMPLE_URL.fullmatch(url) else filter_web_address(url)
