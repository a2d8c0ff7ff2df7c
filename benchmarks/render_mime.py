"""Editions of real papers as whole messages, joined by the press; beside it the same by Jinja2 and ``EmailMessage``.

The peer has the ready strings and fills in the same templates; both messages have the same headers and, decoded, the same
parts, asserted for each. The press is warm: these papers have been in mails before, in one row for other reasons. In
the last rows the editions are loaded from a store, ten at a time as they are delivered.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from random import Random

from benchmarks.measure import Result, Row, cpu_seconds
from benchmarks.mix import a_day, available
from digest.core.papers.links import add_paper_links
from digest.core.text.words import tex_to_unicode
from digest.model import (
    Confidence,
    Edition,
    EditionPart,
    Event,
    Evidence,
    Item,
    Listing,
    ListingKind,
    Paper,
    Reason,
)
from digest.render.branding import Branding
from digest.render.bulk.mail_cache import MailCache
from digest.render.delivery.headers import clean_header_text, format_list_id, make_feedback_id
from digest.render.delivery.mail import MailLinks, find_fitting_limits, make_mail_variables
from digest.render.delivery.mime import encode_html_ascii
from digest.render.editions.edition_view import make_edition_view, make_stop_link
from digest.render.editions.layout import ViewLimits
from digest.render.editions.summary import make_subject
from digest.render.environment import make_environment
from digest.store.database.engine import Store, open_store
from digest.store.editions import editions, runs
from digest.store.editions.edition_loader import EditionLoader
from digest.store.editions.editions import NewEdition
from digest.store.papers import events
from digest.store.subscribers import digests
from tests.store.factories import announce, declare, ensure_batch, make_digest, make_new_items

SIZES = (1, 20, 100)
EDITIONS = 50
NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
SITE = Branding(
    title="Systems lab digest",
    url="https://digest.example.org",
    contact="ops@example.org",
    sender="Digest <digest@example.org>",
    source_titles={"arxiv": "arXiv"},
)
DOORS = MailLinks(
    unsubscribe="https://digest.example.org/unsubscribe/MTIzNDU2.c2lnbmF0dXJlIG9mIGl0",
    page="https://digest.example.org/editions/MTIzNDU2.c2lnbmF0dXJlIG9mIGl0",
)
ENVIRONMENT = make_environment()
PEER, JOINED, ANEW = "Jinja2 and EmailMessage", "joined", "joined, for other reasons"
OF_MIME = {"Content-Type", "MIME-Version"}
PACK = 10
WANTED = {(JOINED, 20): 25.0, (ANEW, 20): 6.0}


def run(*, small: bool) -> Result:
    """Measure mails of one paper, of twenty, and of a hundred."""
    title = f"{EDITIONS} editions as messages"
    if not available():
        return Result(title=f"{title}: not run, the recorded papers are not here")
    papers = a_day(300 if small else 1_500)
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{folder}/digest.db", NOW)
        told = _announced(store, papers)
        run, numbers = _begun(store)
        rows = []
        for place, size in enumerate(SIZES):
            mine = numbers[place * EDITIONS : (place + 1) * EDITIONS]
            kept = _kept(store, run, mine, _items(told, size))
            rows += _rows(store, kept, size, repeats=1 if small else 5)
        store.close()
    return Result(title=title, rows=tuple(rows))


def _rows(store: Store, numbers: Sequence[int], size: int, *, repeats: int) -> list[Row]:
    editions_ = list(_loaded(store, numbers, EditionLoader()))
    others = [replace(one, items=tuple([_item(item.event, 1) for item in one.items])) for one in editions_]
    press = MailCache(ENVIRONMENT, SITE)
    for edition in (*editions_, *others):
        assert _read(_joined(press, edition)) == _read(_together(edition)), "the two say different things"
    assert press.fast_count == 2 * EDITIONS, "the press gave up"
    known, peer = EditionLoader(), [_strings(edition) for edition in editions_]
    made: dict[str, Callable[[], object]] = {
        PEER: lambda: [_put_together(*given) for given in peer],
        JOINED: lambda: [_joined(press, edition) for edition in editions_],
        ANEW: lambda: [_joined(press, _new_reasons(edition)) for edition in others],
        "loaded and joined": lambda: [_joined(press, one) for one in _loaded(store, numbers, known)],
    }
    taken = cpu_seconds(made, repeats=repeats)
    work = f"{size} paper{'s' if size > 1 else ''}"
    return [
        Row(
            work=work,
            candidate=name,
            seconds=taken[name],
            times=taken[PEER] / taken[name],
            wanted=WANTED.get((name, size)),
        )
        for name in made
    ]


# --- editions -------------------------------------------------------------------------------------


def _announced(store: Store, papers: Sequence[Paper]) -> tuple[Event, ...]:
    announce(store, *(Listing(kind=ListingKind.NEW, paper=add_paper_links(paper)) for paper in papers))
    with store.begin_read() as tx:
        return events.load_events_between(tx, 0, len(papers))


def _items(told: Sequence[Event], size: int) -> list[list[Item]]:
    chance = Random(size)
    return [[_item(event, 0) for event in chance.sample(told, size)] for _ in range(EDITIONS)]


def _item(event: Event, seed: int) -> Item:
    """With what a phrase of its title and two of its abstract fit."""
    chance = Random(event.seq + seed * 10_000)
    field, text = chance.choice([("title", event.paper.title), ("abstract", event.paper.abstract)])
    words = tex_to_unicode(text).split()
    place = chance.randrange(max(1, len(words) - 2))
    phrase = " ".join(words[place : place + 2])
    evidence = Evidence(field=field, words=(phrase,))
    reason = Reason(follow=f'"{phrase.casefold()}"', confidence=Confidence.SURELY, evidence=(evidence,))
    return Item(event=event, part=EditionPart.SURELY, reasons=(reason,), score=1.0)


def _new_reasons(edition: Edition) -> Edition:
    """The same items as other objects: the press has not seen them."""
    return replace(edition, items=tuple([replace(item) for item in edition.items]))


def _begun(store: Store) -> tuple[int, list[int]]:
    """A closed run and the numbers of its digests."""
    declare(store, *(make_digest(f"reader-{number}") for number in range(EDITIONS * len(SIZES))), now=NOW)
    with store.begin_write() as tx:
        runs.wake_slots(tx, NOW)
        runs.fire_slots(tx, NOW)
        ((run, _),) = runs.list_recent_runs(tx, 1)
        runs.close_run(tx, run, 0, NOW)
        return run.id, [one.id for one in digests.load_digests(tx)]


def _kept(store: Store, run: int, mine: Sequence[int], made: Sequence[Sequence[Item]]) -> list[int]:
    new = [
        NewEdition(digest=number, items=make_new_items(items))
        for number, items in zip(mine, made, strict=True)
    ]
    with store.begin_write() as tx:
        editions.save_editions(tx, run, new, [ensure_batch(tx)], NOW)
        return [entry.id for entry in editions.list_summaries(tx, digest=None, limit=len(new))]


def _loaded(store: Store, numbers: Sequence[int], known: EditionLoader) -> Iterator[Edition]:
    for begin in range(0, len(numbers), PACK):
        with store.begin_read() as tx:
            yield from editions.load_editions(tx, numbers[begin : begin + PACK], known).values()


# --- messages -------------------------------------------------------------------------------------


def _joined(press: MailCache, edition: Edition) -> bytes:
    return press.make_mail(
        edition,
        delivery=edition.id,
        recipient=f"reader{edition.id}@example.org",
        message_id=f"<{edition.id:032}@digest.example.org>",
        unsubscribe=DOORS.unsubscribe,
        page=DOORS.page,
    ).content


def _together(edition: Edition) -> bytes:
    return _put_together(*_strings(edition))


def _strings(edition: Edition) -> tuple[Edition, str, dict[str, object]]:
    line = clean_header_text(make_subject(edition, SITE.locale))

    def variables(shape: ViewLimits) -> dict[str, object]:
        return make_mail_variables(make_edition_view(edition, SITE, shape, on_page=True), SITE, line, DOORS)

    def size_in(shape: ViewLimits) -> int:
        return len(ENVIRONMENT.get_template("mail/edition.html").render(variables(shape)).encode())

    return edition, line, variables(find_fitting_limits(size_in, edition, DOORS))


def _put_together(edition: Edition, line: str, variables: dict[str, object]) -> bytes:
    """As one writes it first."""
    message = EmailMessage(policy.SMTP)
    message["From"] = SITE.sender
    message["To"] = f"reader{edition.id}@example.org"
    message["Subject"] = line
    message["Date"] = edition.composed_at
    message["Message-ID"] = f"<{edition.id:032}@digest.example.org>"
    message["Reply-To"] = SITE.contact
    message["List-Id"] = format_list_id(edition.title, edition.digest, SITE.host)
    message["List-Unsubscribe"] = f"<{DOORS.unsubscribe}>, <{make_stop_link(edition.digest, SITE)}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message["List-Help"] = message["List-Owner"] = f"<mailto:{SITE.contact}>"
    message["Archived-At"] = f"<{DOORS.page}>"
    message["Feedback-ID"] = make_feedback_id(edition.digest, SITE.host, is_alert=False)
    message["Precedence"] = "bulk"
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "DR, RN, NRN, OOF, AutoReply"
    message.set_content(ENVIRONMENT.get_template("mail/edition.txt").render(variables))
    message.add_alternative(ENVIRONMENT.get_template("mail/edition.html").render(variables), subtype="html")
    message["Content-Language"] = "en"  # earlier it would be that of a part
    return message.as_bytes()


def _read(content: bytes) -> tuple[dict[str, str], list[bytes]]:
    """The headers of a message, but for those of MIME, and what its parts say.

    ``EmailMessage`` folds before a long address, puts blanks between the encoded words of a subject and takes others away,
    and ends a part with a line's end if there is none.
    """
    message = message_from_bytes(content, policy=policy.default)
    headers = {name: "".join(str(value).split()) for name, value in message.items() if name not in OF_MIME}
    told = [part.get_content().replace("\r\n", "\n").rstrip("\n") for part in message.iter_parts()]
    return headers, [
        encode_html_ascii(part) for part in told
    ]  # in HTML a reference is the sign that it stands for
