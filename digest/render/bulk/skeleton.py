"""The parts of a mail around its papers, rendered and encoded once for all mails with the same outline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import jinja2
from markupsafe import Markup

from digest.render.branding import Branding
from digest.render.bulk.encoded import (
    Skeleton,
    encode_html_value,
    encode_text_value,
    make_html_skeleton,
    make_text_skeleton,
)
from digest.render.bulk.placeholder import NotSplittable, Piece, Placeholder, make_placeholder, split_pieces
from digest.render.bulk.splitter import HTML_TEMPLATE, TEXT_TEMPLATE, PaperLoop, Splitter
from digest.render.delivery.mail import MailLinks, make_mail_variables
from digest.render.editions.completeness import Completeness
from digest.render.editions.edition_view import EditionSection, EditionView
from digest.render.editions.layout import Layout
from digest.render.papers.links import Link
from digest.render.papers.paper_view import PaperSize, PaperView, RichText

LINES_LOOP = "lines"
"""Name of the loop of the papers with one line each."""
_OPTIONAL_TEXTS = ("preheader", "changes", "empty", "more", "unshown", "excluded", "stop_mail")
_EMPTY_TEXT = RichText(text="", html=Markup())
_SAMPLE_VIEW = PaperView(
    number="",
    size=PaperSize.FEATURED,
    title=_EMPTY_TEXT,
    short="",
    url="",
    html_url="",
    authors=_EMPTY_TEXT,
    names=(),
    byline="",
    affiliations="",
    about="",
    why=_EMPTY_TEXT,
    reasons=_EMPTY_TEXT,
    facts=(),
    abstract=_EMPTY_TEXT,
    license=Link(label="", href=""),
    notes=(),
    links=(),
    signals=(),
    tags=(),
    marks="",
    band="",
)
"""A sample paper that is rendered in each loop and then removed."""


class SectionOutline(NamedTuple):
    """The features of a section that all mails of a skeleton share.

    Attributes:
        heading: a placeholder, or the heading itself; "" without one.
        is_featured: whether its papers have more room than others.
    """

    heading: str
    is_featured: bool


class Outline(NamedTuple):
    """The features that all mails of a skeleton share.

    Attributes:
        sections: the sections of the papers shown in full.
        has_lines: whether there are papers with one line each.
        missing_count: number of sentences about missing announcements; ``settled_count`` about all others.
        text_names: the optional texts that are present.
    """

    sections: tuple[SectionOutline, ...]
    has_lines: bool
    missing_count: int = 0
    settled_count: int = 0
    text_names: tuple[str, ...] = ()


HeadingsMaker = Callable[[Layout], Sequence[str]]
"""Returns how headings stand in an outline: one text for each section, "" for one without a heading."""


def place_headings(layout: Layout) -> list[str]:
    """Return a placeholder for each heading, so that mails share an outline whatever their headings are."""
    return [
        make_placeholder(make_heading_name(index)) if section.heading else ""
        for index, section in enumerate(layout.sections)
    ]


def copy_headings(layout: Layout) -> list[str]:
    """Return the headings themselves, for templates that do more with a heading than show it."""
    return [section.heading for section in layout.sections]


def make_outline(
    view: EditionView, layout: Layout, mail_links: MailLinks, make_headings: HeadingsMaker
) -> Outline:
    """Make the outline of a mail.

    Args:
        view: the edition without its papers.
        layout: its papers.
        mail_links: the addresses of our pages in it.
        make_headings: how headings stand in it.
    """
    headings = make_headings(layout)
    text_names = [name for name in _OPTIONAL_TEXTS if getattr(view, name)]
    text_names += [name for name in ("unsubscribe", "page", "manage") if getattr(mail_links, name)]
    return Outline(
        tuple(
            [
                SectionOutline(heading, section.is_featured)
                for heading, section in zip(headings, layout.sections, strict=True)
            ]
        ),
        bool(layout.lines),
        len(view.account.missing),
        len(view.account.settled),
        tuple(text_names),
    )


def make_loop_name(index: int) -> str:
    """Return the name of the loop of the papers under a heading."""
    return f"section_{index}"


def make_heading_name(index: int) -> str:
    """Return the name of the placeholder of a section's heading."""
    return f"heading_{index}"


def make_skeleton_variables(
    outline: Outline, branding: Branding, splitter: Splitter, paper_views: Mapping[str, Sequence[PaperView]]
) -> dict[str, object]:
    """Make the variables of the templates, with placeholders for all that mails of an outline do not share.

    Args:
        outline: what the mails share.
        branding: the branding of the site.
        splitter: cuts the papers out.
        paper_views: the papers by loop.
    """

    def make_optional(name: str) -> str:
        return make_placeholder(name) if name in outline.text_names else ""

    completeness = Completeness(
        summary=make_placeholder("summary"),
        missing=tuple([make_placeholder(f"missing_{index}") for index in range(outline.missing_count)]),
        settled=tuple([make_placeholder(f"settled_{index}") for index in range(outline.settled_count)]),
    )
    view = EditionView(
        title=make_placeholder("title"),
        day=make_placeholder("day"),
        counts=make_placeholder("counts"),
        preheader=make_optional("preheader"),
        account=completeness,
        empty=make_optional("empty"),
        sections=tuple(
            EditionSection(
                heading=section.heading,
                papers=PaperLoop(splitter, loop, paper_views[loop]),
                is_featured=section.is_featured,
            )
            for index, section in enumerate(outline.sections)
            if (loop := make_loop_name(index)) in paper_views
        ),
        rest=PaperLoop(splitter, LINES_LOOP, paper_views[LINES_LOOP]) if LINES_LOOP in paper_views else (),
        more=make_optional("more"),
        unshown=make_optional("unshown"),
        excluded=make_optional("excluded"),
        stop_mail=make_optional("stop_mail"),
        changes=make_optional("changes"),
    )
    mail_links = MailLinks(
        unsubscribe=make_optional("unsubscribe"), page=make_optional("page"), manage=make_optional("manage")
    )
    return make_mail_variables(view, branding, make_placeholder("subject"), mail_links)


def collect_values(
    view: EditionView, subject: str, mail_links: MailLinks, headings: Sequence[str] = ()
) -> dict[str, str]:
    """Collect the values of a skeleton's placeholders, except for the papers."""
    completeness = view.account
    return {
        "title": view.title,
        "day": view.day,
        "counts": view.counts,
        "preheader": view.preheader,
        "summary": completeness.summary,
        "empty": view.empty,
        "more": view.more,
        "unshown": view.unshown,
        "excluded": view.excluded,
        "stop_mail": view.stop_mail,
        "changes": view.changes,
        "subject": subject,
        "unsubscribe": mail_links.unsubscribe,
        "page": mail_links.page,
        "manage": mail_links.manage,
        **{make_heading_name(index): heading for index, heading in enumerate(headings)},
        **{f"missing_{index}": line for index, line in enumerate(completeness.missing)},
        **{f"settled_{index}": line for index, line in enumerate(completeness.settled)},
    }


class MailSkeleton(NamedTuple):
    """The two parts of a mail, with placeholders for the papers and for all that differs between mails."""

    html: Skeleton
    text: Skeleton

    def fill_shared(self, view: EditionView) -> MailSkeleton:
        """Return a copy with the day and the completeness of an edition filled in."""
        values = collect_values(view, "", MailLinks())
        names = [
            name for name in values if name in {"day", "summary"} or name.startswith(("missing_", "settled_"))
        ]
        return MailSkeleton(
            self.html.fill_named(names, lambda placeholder: encode_html_value(placeholder, values)),
            self.text.fill_named(names, lambda placeholder: encode_text_value(placeholder, values)),
        )

    def render_html(self, values: Mapping[str, str], papers: Mapping[str, bytes]) -> bytes:
        """Render the HTML part of a mail."""
        return self.html.fill(
            [
                papers[placeholder[0]] if placeholder[0] in papers else encode_html_value(placeholder, values)
                for placeholder in self.html.placeholders
            ]
        )

    def render_text(self, values: Mapping[str, str], papers: Mapping[str, bytes]) -> bytes:
        """Render the text part of a mail."""
        # The first part of wrapped lines is an indent, and no loop of papers has that name.
        return self.text.fill(
            [
                papers[placeholder[0]] if placeholder[0] in papers else encode_text_value(placeholder, values)
                for placeholder in self.text.placeholders
            ]
        )


def make_mail_skeleton(environment: jinja2.Environment, branding: Branding, outline: Outline) -> MailSkeleton:
    """Make the skeleton of an outline.

    Args:
        environment: made by ``make_splitting_environment``.
        branding: the branding of the site.
        outline: what its mails share.

    Raises:
        NotSplittable: the templates depend on more than placeholders can replace.
    """
    loops = [make_loop_name(index) for index in range(len(outline.sections))]
    loops += [LINES_LOOP] * outline.has_lines

    def render_part(template: str) -> Skeleton:
        splitter = Splitter()
        variables = make_skeleton_variables(
            outline, branding, splitter, dict.fromkeys(loops, (_SAMPLE_VIEW,))
        )
        part_pieces: list[Piece] = []
        for split_piece in splitter.split(environment, template, variables):
            part_pieces += (
                [Placeholder(split_piece.position.loop)]
                if split_piece.position
                else split_pieces(split_piece.text)
            )
        skeleton = (
            make_html_skeleton(part_pieces) if template == HTML_TEMPLATE else make_text_skeleton(part_pieces)
        )
        if skeleton.has_number or (skeleton.has_wrapping and template == HTML_TEMPLATE):
            raise NotSplittable
        return skeleton

    return MailSkeleton(render_part(HTML_TEMPLATE), render_part(TEXT_TEMPLATE))
