"""The fast road of mails: a million of them are the same papers and the same words around them, again and again.

``mail`` in ``digest.render.delivery.mail`` says what a mail is; here the same content is joined from pieces that are rendered and
encoded once. What cannot be taken to pieces goes the plain road. The two are compared when a shell is used for the
first time and now and then after that: where they differ, a template depends on more than its papers one by one, and
its mails go the plain road from then on.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from typing import NamedTuple

import jinja2

from digest.errors import RenderError
from digest.model import Batch, Edition, Mail
from digest.render.branding import Masthead
from digest.render.bulk.encoded import IN_HTML, IN_TEXT, escaped, linked, numbered, plain
from digest.render.bulk.fragment import Fragments
from digest.render.bulk.paper_template import Fragment
from digest.render.bulk.placeholder import Hole, NotToBeCut
from digest.render.bulk.skeleton import LINES, TITLES, Outline, Shell, loop_of, outline_of, shell, values_of
from digest.render.bulk.splitter import cutting_environment
from digest.render.delivery.headers import ascii_address, header_text, in_words
from digest.render.delivery.mail import (
    Doors,
    amounts,
    fitting,
    headers,
    mail,
    message,
    rendered,
    sender_of,
    shows_all,
    size_of,
)
from digest.render.delivery.mime import html_part, joined, text_part
from digest.render.editions.completeness import Account
from digest.render.editions.edition_view import (
    Contents,
    Shape,
    around,
    counts,
    due_account,
    has_titles,
    headings,
    shown_in,
    sorts_of,
    subject_with,
    with_late,
)
from digest.render.editions.overview import has_overview
from digest.render.editions.sample import sample_edition
from digest.render.own_templates import OwnEnvironment
from digest.render.papers.links import web_address

_FEW = 12
"""So many mails are made on the plain road first: for so few it is the faster one."""
_COMPARED = 2_000
"""After the first one of a shell, one mail of so many is compared."""
_MOST_SHELLS = 1_000
_USUAL = re.compile(r"[!-~]{0,400}")
"""An address or a Message-ID that needs no second look in a header."""
_WIDTHS = [len(number) for number in IN_HTML[1:]]
"""How many digits the number of a paper has, from the first paper on."""
_TITLES = Hole(TITLES)
_OURS = re.compile(r"https?://[a-z0-9.-]+(?::\d+)?/[\w./~-]*", re.ASCII)
_LONGEST = 900
"""Of a header; a longer one takes the road on which the finished message is looked at."""
_SLOW = (
    "Your templates in mail/ show a paper in another way when it stands beside others, or do more with a text than "
    "to show it: such mails are rendered one by one, which takes far longer; see docs/reference/templates.md."
)
_TRIED = (
    (0, Doors()),
    (
        2,
        Doors(
            unsubscribe="https://example.org/unsubscribe/sample",
            page="https://example.org/editions/sample",
            manage="https://example.org/manage/sample",
        ),
    ),
)
_log = logging.getLogger(__name__)


class Press:
    """Makes the mails of many deliveries.

    It may be used from several threads.

    Args:
        environment: made by ``make_environment``.
        masthead: the operator's side.
        few: so many mails are made on the plain road first.

    Attributes:
        joined: how many mails went the fast road.
    """

    def __init__(self, environment: jinja2.Environment, masthead: Masthead, *, few: int = _FEW) -> None:
        self._environment = environment
        self._cutting = cutting_environment(environment)
        self._masthead = masthead
        self._few = few
        self._made = 0
        self._told = False
        self.joined = 0
        self._fragments = Fragments(self._cutting, masthead)
        self._shells: dict[Outline, Shell | None] = {}
        self._settled: dict[tuple[Outline, str, int], tuple[Account, Shell]] = {}
        self._compared: set[Outline] = set()
        self._accounts: dict[tuple[int, datetime, bool, str], tuple[tuple[Batch, ...], Account]] = {}

    def mail(
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
        """The whole message of a delivery, byte by byte as ``mail`` makes it.

        Args:
            edition: what it tells; items and batches that are the same objects in many editions are read once.
            delivery: the delivery's id.
            recipient: a bare address.
            message_id: with its angle brackets.
            unsubscribe: the web address that stops it, or "".
            page: the web address of the edition's page, or "".
            manage: the web address where the reader manages the digest, or "".

        Raises:
            RenderError: as ``mail`` does.
        """

        def plainly() -> Mail:
            return mail(
                self._environment,
                edition,
                self._masthead,
                delivery=delivery,
                recipient=recipient,
                message_id=message_id,
                unsubscribe=unsubscribe,
                page=page,
                manage=manage,
            )

        self._made += 1
        if self._made <= self._few or edition.missed or has_overview(edition) or not self._fit:
            return plainly()
        doors = Doors(unsubscribe=_address(unsubscribe), page=_address(page), manage=_address(manage))
        try:
            to, sender = ascii_address(recipient), sender_of(self._masthead)
            outline, content = self._content(edition, doors, to=to, message_id=message_id)
        except (NotToBeCut, RenderError):  # which it may be by the user's templates only
            return plainly()
        made = Mail(delivery=delivery, sender=sender, recipient=to, message_id=message_id, content=content)
        if outline in self._compared and self._made % _COMPARED:
            self.joined += 1
            return made
        self._compared.add(outline)
        return self._compare(outline, made, plainly())

    def _compare(self, outline: Outline, made: Mail, plainly: Mail) -> Mail:
        if made == plainly:
            self.joined += 1
            return made
        if self._shells.get(outline) is not None:
            self._shells[outline] = None
            self._tell()
        return plainly

    @cached_property
    def _fit(self) -> bool:
        """Whether the templates show each paper by itself: tried with several under each heading."""
        sample = sample_edition(datetime(2026, 6, 12, 5, 30, tzinfo=UTC))
        what = replace(
            sample,
            title='Ünïts & <"papers">, the 1st\'s',
            items=tuple([item for item in sample.items for _ in range(3)]),
            rest=(*sample.rest,) * 3,
            dropped=2,
            excluded=2,
        )
        fit = all(self._reads_the_same(replace(what, dropped=more), doors) for more, doors in _TRIED)
        if not fit:
            self._tell()
        return fit

    def _tell(self) -> None:
        if not self._told:
            self._told = True
            _log.warning(_SLOW)

    def _reads_the_same(self, what: Edition, doors: Doors) -> bool:
        to = {"to": "reader@example.org", "message_id": "<sample@example.org>"}
        try:
            _, content = self._content(what, doors, **to)
        except (NotToBeCut, RenderError):
            return False
        parts = rendered(self._environment, what, self._masthead, doors)
        plainly = message(parts, what, self._masthead, **to, doors=doors)
        return content == plainly

    # --- putting together -------------------------------------------------------------------------

    def _content(self, edition: Edition, doors: Doors, *, to: str, message_id: str) -> tuple[Outline, bytes]:
        if not all(map(_USUAL.fullmatch, (message_id, doors.unsubscribe, doors.page, doors.manage))):
            raise NotToBeCut
        draft = _Draft(
            self._fragments, self._shell_of, edition, doors, self._masthead, self._account(edition)
        )
        shape = fitting(lambda shape: size_of(draft.page(shape).html), edition, doors)
        if not shows_all(shape, edition, doors) and isinstance(self._environment, OwnEnvironment):
            raise NotToBeCut  # the shipped templates take the place of the user's
        page = draft.page(shape)
        if not doors.page and page.leaves_lines_out:
            raise NotToBeCut  # here they do, too
        text = page.text()
        line = in_words(draft.subject)
        head = headers(line, edition, self._masthead, to=to, message_id=message_id, doors=doors)
        if max([len(value) for _, value in head]) > _LONGEST:
            raise NotToBeCut
        return page.outline, joined(head, message_id, text_part(text), html_part(page.html))

    def _shell(self, outline: Outline) -> Shell:
        if outline not in self._shells:
            if len(self._shells) >= _MOST_SHELLS:
                raise NotToBeCut
            self._shells[outline] = None
            try:
                self._shells[outline] = shell(self._cutting, self._masthead, outline)
            except NotToBeCut:
                self._tell()
        made = self._shells[outline]
        if made is None:
            raise NotToBeCut
        return made

    def _shell_of(self, outline: Outline, shown: Contents) -> Shell:
        """The shell of an outline with what mails of one run and zone share."""
        key = outline, shown.day, id(shown.account)
        known = self._settled.get(key)
        if known is None:
            if len(self._settled) >= _MOST_SHELLS:
                self._settled.clear()
            known = self._settled[key] = shown.account, self._shell(outline).settled(shown)
        return known[1]

    def _account(self, edition: Edition) -> Account:
        batches = edition.batches
        key = id(batches), edition.composed_at, edition.is_alert, edition.zone
        known = self._accounts.get(key)
        if known is None:
            if len(self._accounts) >= _MOST_SHELLS:
                self._accounts.clear()
            known = self._accounts[key] = batches, due_account(edition, self._masthead)
        return known[1]


class _Page(NamedTuple):
    """The HTML of a mail in a shape, and what its text is made of."""

    outline: Outline
    shell: Shell
    values: Mapping[str, str]
    sizes: Sequence[int]
    full: Sequence[Fragment]
    lines: Sequence[Fragment]
    html: bytes

    @property
    def leaves_lines_out(self) -> bool:
        """Whether the HTML shows papers in full, and has no place for those that have a line."""
        holes = self.shell.html.holes
        return bool(self.lines) and Hole(LINES) not in holes and (not self.full or Hole(loop_of(0)) in holes)

    def text(self) -> bytes:
        """Its text."""
        full = [one.text(width) for width, one in zip(_WIDTHS, self.full, strict=False)]
        papers = _under(self.sizes, full, IN_TEXT)
        papers[LINES] = numbered([one.text(0) for one in self.lines], IN_TEXT)
        if _TITLES in self.shell.text.holes:
            titles = [one.titled_text(width) for width, one in zip(_WIDTHS, self.full, strict=False)]
            papers[TITLES] = numbered(titles, IN_TEXT)
        return linked(self.shell.text_with(self.values, papers), plain(self.values["page"]))


class _Draft:
    """One mail, in the shapes that are tried."""

    def __init__(  # noqa: PLR0917 - made in one place
        self,
        fragments: Fragments,
        shell: Callable[[Outline, Contents], Shell],
        edition: Edition,
        doors: Doors,
        masthead: Masthead,
        told: Account,
    ) -> None:
        self._fragments, self._shell = fragments, shell
        self._edition, self._doors, self._masthead, self._told = edition, doors, masthead, told
        self._abstract = amounts(edition)[0]
        self._linked = bool(doors.page)
        self._full = fragments.in_full(edition.items, self._abstract, linked=self._linked)
        self._sorts = sorts_of(edition.items)
        self._numbers = counts(edition, masthead.locale)
        title = self._full[0].title if self._full else ""
        self.subject = header_text(subject_with(edition, self._numbers, title, masthead.locale))
        self._pages: dict[Shape, _Page] = {}

    def page(self, shape: Shape) -> _Page:
        """Its HTML in a shape."""
        if shape not in self._pages:
            self._pages[shape] = self._made(shape)
        return self._pages[shape]

    def _made(self, shape: Shape) -> _Page:
        edition, doors = self._edition, self._doors
        items, behind = shown_in(edition, shape)
        fragments = self._fragments
        if shape.abstract == self._abstract:
            full = self._full[: shape.full]
        else:
            full = fragments.in_full(items, shape.abstract, linked=self._linked)
        lines = fragments.lines(behind)
        told = with_late(self._told, (*items, *behind), self._masthead.locale)
        shown = around(edition, self._masthead, shape, told, numbers=self._numbers, on_page=bool(doors.page))
        under = headings(self._sorts[: shape.full], self._masthead.locale)
        outline = outline_of(
            shown,
            [heading for heading, _ in under],
            lines=bool(lines),
            titles=has_titles(items),
            doors=doors,
        )
        sizes = [size for _, size in under]
        values = values_of(shown, self.subject, doors)
        shell = self._shell(outline, shown)
        papers = _under(sizes, [one.html for one in full], IN_HTML)
        papers[LINES] = numbered([one.html for one in lines], IN_HTML)
        if outline.titles:
            papers[TITLES] = numbered([one.titled for one in full], IN_HTML)
        html = linked(shell.html_with(values, papers), escaped(doors.page))
        return _Page(outline, shell, values, sizes, full, lines, html)


def _under(sizes: Sequence[int], papers: Sequence[bytes], numbers: Sequence[bytes]) -> dict[str, bytes]:
    """The papers in full by the hole of a shell that they go into: of each heading those that stand under it."""
    found: dict[str, bytes] = {}
    begin = 0
    for place, size in enumerate(sizes):
        found[loop_of(place)] = numbered(papers[begin : begin + size], numbers, begin + 1)
        begin += size
    return found


def _address(url: str) -> str:
    """As ``web_address`` has it; the usual ones are not taken apart for that."""
    return url if _OURS.fullmatch(url) else web_address(url)
