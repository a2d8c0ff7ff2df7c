"""What stands around the papers of a mail: rendered and encoded once for all mails of the same outline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import jinja2
from markupsafe import Markup

from digest.render.branding import Masthead
from digest.render.bulk.encoded import Hollow, hollow_html, hollow_text, in_html, in_text
from digest.render.bulk.placeholder import Hole, NotToBeCut, Piece, hole, pieces
from digest.render.bulk.splitter import HTML, TEXT, Knife, Loop
from digest.render.delivery.mail import Doors, variables_of
from digest.render.editions.completeness import Account
from digest.render.editions.edition_view import Contents, Section
from digest.render.papers.paper_view import Card, Words

LINES = "lines"
"""The name of the loop of the papers that get a line."""
TITLES = "titles"
"""That of the table of contents."""
_TEXTS = ("empty", "more", "unshown", "excluded", "stop_mail")
_NONE = Words(text="", html=Markup())
_ANY = Card(
    number="",
    title=_NONE,
    short="",
    url="",
    html_url="",
    authors=_NONE,
    names=(),
    byline="",
    affiliations="",
    about="",
    why=_NONE,
    abstract=_NONE,
    notes=(),
    links=(),
    signals=(),
    tags=(),
    band="",
)
"""A paper that is cut out again."""


class Outline(NamedTuple):
    """What is the same in all mails of a shell.

    Attributes:
        headings: of the papers in full.
        lines: whether there are papers with a line.
        titles: whether there is a table of contents.
        missing: how many sentences there are about what is missing; ``settled`` about all else.
        texts: which texts there are, of those that some mails do not have.
    """

    headings: tuple[str, ...]
    lines: bool
    titles: bool = False
    missing: int = 0
    settled: int = 0
    texts: tuple[str, ...] = ()


def outline_of(
    shown: Contents, headings: Sequence[str], *, lines: bool, titles: bool, doors: Doors
) -> Outline:
    """The outline of a mail.

    Args:
        shown: what stands around its papers.
        headings: of its papers.
        lines: whether there are papers with a line.
        titles: whether there is a table of contents.
        doors: where it leads.
    """
    texts = [name for name in _TEXTS if getattr(shown, name)]
    texts += [name for name in ("unsubscribe", "page", "manage") if getattr(doors, name)]
    return Outline(
        tuple(headings),
        lines,
        titles,
        len(shown.account.missing),
        len(shown.account.settled),
        tuple(texts),
    )


def loop_of(place: int) -> str:
    """The name of the loop of the papers under a heading."""
    return f"section_{place}"


def variables_around(
    outline: Outline, masthead: Masthead, knife: Knife, cards: Mapping[str, Sequence[Card]]
) -> dict[str, object]:
    """What the templates of a mail get, with holes for all that mails of an outline do not share.

    Args:
        outline: what they share.
        masthead: the operator's side.
        knife: cuts the papers out.
        cards: the papers by loop.
    """

    def some(name: str) -> str:
        return hole(name) if name in outline.texts else ""

    account = Account(
        summary=hole("summary"),
        missing=tuple([hole(f"missing_{place}") for place in range(outline.missing)]),
        settled=tuple([hole(f"settled_{place}") for place in range(outline.settled)]),
    )
    shown = Contents(
        title=hole("title"),
        day=hole("day"),
        counts=hole("counts"),
        account=account,
        empty=some("empty"),
        sections=tuple(
            Section(heading=heading, cards=Loop(knife, loop, cards[loop]))
            for place, heading in enumerate(outline.headings)
            if (loop := loop_of(place)) in cards
        ),
        titles=Loop(knife, TITLES, cards[TITLES]) if TITLES in cards else (),
        rest=Loop(knife, LINES, cards[LINES]) if LINES in cards else (),
        more=some("more"),
        unshown=some("unshown"),
        excluded=some("excluded"),
        stop_mail=some("stop_mail"),
    )
    doors = Doors(unsubscribe=some("unsubscribe"), page=some("page"), manage=some("manage"))
    return variables_of(shown, masthead, hole("subject"), doors)


def values_of(shown: Contents, subject: str, doors: Doors) -> dict[str, str]:
    """What goes into the holes of a shell, but for the papers."""
    account = shown.account
    return {
        "title": shown.title,
        "day": shown.day,
        "counts": shown.counts,
        "summary": account.summary,
        "empty": shown.empty,
        "more": shown.more,
        "unshown": shown.unshown,
        "excluded": shown.excluded,
        "stop_mail": shown.stop_mail,
        "subject": subject,
        "unsubscribe": doors.unsubscribe,
        "page": doors.page,
        "manage": doors.manage,
        **{f"missing_{place}": line for place, line in enumerate(account.missing)},
        **{f"settled_{place}": line for place, line in enumerate(account.settled)},
    }


class Shell(NamedTuple):
    """The two parts of a mail, with holes for the papers and for all that is not the same in other mails."""

    html: Hollow
    text: Hollow

    def settled(self, shown: Contents) -> Shell:
        """With the day, and with how complete an edition is."""
        values = values_of(shown, "", Doors())
        names = [
            name for name in values if name in {"day", "summary"} or name.startswith(("missing_", "settled_"))
        ]
        return Shell(
            self.html.settled(names, lambda hole: in_html(hole, values)),
            self.text.settled(names, lambda hole: in_text(hole, values)),
        )

    def html_with(self, values: Mapping[str, str], papers: Mapping[str, bytes]) -> bytes:
        """The HTML of a mail."""
        return self.html.filled(
            [papers[hole[0]] if hole[0] in papers else in_html(hole, values) for hole in self.html.holes]
        )

    def text_with(self, values: Mapping[str, str], papers: Mapping[str, bytes]) -> bytes:
        """The text of a mail."""
        # Of what is to be in lines, the first is an indent: no papers go by that name.
        return self.text.filled(
            [papers[hole[0]] if hole[0] in papers else in_text(hole, values) for hole in self.text.holes]
        )


def shell(environment: jinja2.Environment, masthead: Masthead, outline: Outline) -> Shell:
    """Make the shell of an outline.

    Args:
        environment: for cutting.
        masthead: the operator's side.
        outline: what its mails share.

    Raises:
        NotToBeCut: the templates depend on more than can be put into holes.
    """
    loops = [loop_of(place) for place in range(len(outline.headings))] + [LINES] * outline.lines
    loops += [TITLES] * outline.titles

    def around(template: str) -> Hollow:
        knife = Knife()
        given = variables_around(outline, masthead, knife, dict.fromkeys(loops, (_ANY,)))
        found: list[Piece] = []
        for cut in knife.cut(environment, template, given):
            found += [Hole(cut.place.loop)] if cut.place else pieces(cut.text)
        made = hollow_html(found) if template == HTML else hollow_text(found)
        if made.has_number or (made.has_lines and template == HTML):
            raise NotToBeCut
        return made

    return Shell(around(HTML), around(TEXT))
