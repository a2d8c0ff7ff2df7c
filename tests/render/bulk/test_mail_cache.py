from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import jinja2
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from digest.errors import RenderError
from digest.failures import FailureKind
from digest.model import (
    Abstracts,
    Arrangement,
    Author,
    Batch,
    BatchState,
    Confidence,
    DigestChanges,
    Edition,
    EditionPart,
    EventKind,
    Frequency,
    Item,
    Mail,
    MissedEdition,
    Schedule,
)
from digest.render.branding import Branding
from digest.render.bulk.mail_cache import MailCache
from digest.render.delivery.mail import make_mail
from digest.render.environment import make_environment
from tests.render.samples import (
    FRIDAY,
    SITE,
    make_batch,
    make_edition,
    make_edition_of_every_kind,
    make_edition_of_three_parts,
    make_item,
    make_reason,
)
from tests.support.cases import for_each_case

PREVIOUS_TEMPLATES = Path(__file__).parents[1] / "data" / "templates_0_2"
"""The templates as the previous release shipped them."""
ENVIRONMENT = make_environment()
UNSUBSCRIBE = "https://digest.example.org/unsubscribe/MQ.c2ln"
PAGE = "https://digest.example.org/editions/MQ.c2ln"
NO_LINKS: dict[str, Any] = {}
TO: dict[str, Any] = {"delivery": 7, "recipient": "me@example.org", "message_id": "<1@example.org>"}


def both(press: MailCache, edition: Edition, /, site: Branding = SITE, **options: Any) -> tuple[Mail, Mail]:
    """An edition's mail by the fast road and by the plain one."""
    return press.make_mail(edition, **TO | options), make_mail(ENVIRONMENT, edition, site, **TO | options)


def test_a_mail_that_names_what_did_not_arrive_is_that_of_the_plain_road() -> None:
    lost = MissedEdition(
        edition=1,
        period="2026-06-11T07:30",
        zone="Europe/Berlin",
        composed_at=make_edition_of_three_parts().composed_at,
    )
    edition = make_edition_of_three_parts(missed=(replace(lost, page=PAGE),))

    fast, plain = both(MailCache(ENVIRONMENT, SITE), edition)

    assert fast == plain
    assert b"Your edition of Thursday 11 June could not be delivered" in fast.content


def test_mails_that_tell_of_changes_are_joined_as_all_readers_of_a_public_digest_get_them() -> None:
    mail_cache = MailCache(ENVIRONMENT, SITE)
    edition = make_edition_of_three_parts(changes=DigestChanges(added=("<graphs>",), removed=("planning",)))

    for links in (NO_LINKS, {"unsubscribe": UNSUBSCRIBE, "page": PAGE}):
        fast, plain = both(mail_cache, edition, **links)
        assert fast == plain
        assert fast.content.count(b"This digest has changed.") == 2
    assert mail_cache.fast_count == 2


# --- any edition ----------------------------------------------------------------------------------

HOSTILE = (
    *("x\nBcc: evil@example.com", "=?utf-8?q?a=0d=0a?=", "\u202eevil\u2066 \u2028B\u2029\x85C\x0b\x0c\x1c"),
    *("<script>alert(1)</script>&amp;", "{{ 7 * 7 }}{% raw %}{# x #}", '"><a href="javascript:alert(1)">'),
    *(
        "\x00\ud800\ufffe\x1b[31m",
        "--=_0123456789abcdef",
        ".\n.\nFrom me\n-- \n",
        "w" * 200,
        "ünï=" * 20,
        "é ",
    ),
    *("KV", "KV cache", "KV cache KV", "圧縮", "a\u00a0…", "$O(n)$", "  two  blanks ", "", "tab\there"),
)
MARKS = ("\U000f0000title\U000f0001", "\U000f0002 \U000f0003\U000f0004\U000f0005", "\U000f0006")
plain_texts = st.one_of(
    st.sampled_from(HOSTILE), st.text(alphabet="KV cahe<&é圧.=\n\U0001f600", max_size=120)
)
texts = st.one_of(
    plain_texts, st.sampled_from((*MARKS, "x\r\nBcc: evil@example.com", "\r")), st.text(max_size=40)
)


@st.composite
def items(draw: st.DrawFn, words: st.SearchStrategy[str]) -> Item:
    evidence = st.dictionaries(
        st.sampled_from(["title", "abstract", "author", "comment"]), st.lists(words, max_size=2)
    )
    why = st.builds(
        lambda follow, band, result: make_reason(follow, band, **result),
        words.filter(lambda words: words.split() != []),
        st.sampled_from(Confidence),
        evidence,
    )
    return make_item(
        draw(st.integers(1, 99)),
        draw(st.sampled_from(EditionPart)),
        draw(st.lists(why, max_size=3)),
        kind=draw(st.sampled_from(EventKind)),
        late=draw(st.booleans()),
        day=FRIDAY - timedelta(days=draw(st.integers(0, 2))),
        title=draw(words),
        abstract=draw(words) * draw(st.sampled_from([1, 9])),
        authors=tuple([Author(name=name) for name in draw(st.lists(words, max_size=12))]),
        organizations=tuple(draw(st.lists(words, max_size=2))),
        categories=tuple(draw(st.lists(words, max_size=2))),
        comment=draw(words),
        journal_ref=draw(words),
        doi=draw(words),
        url=draw(st.sampled_from(["", "https://x.y/"])) + draw(words),
        code_urls=(f"https://x.y/{draw(words)}",),
        withdrawn=draw(st.booleans()),
    )


failures = st.sampled_from([None, *FailureKind])


@st.composite
def batches(draw: st.DrawFn, words: st.SearchStrategy[str]) -> Batch:
    state = draw(st.sampled_from(BatchState))
    return make_batch(
        draw(words), state, source=draw(st.sampled_from(["arxiv", "hf"])), failure=draw(failures)
    )


@st.composite
def editions(draw: st.DrawFn, words: st.SearchStrategy[str]) -> Edition:
    order = list(EditionPart)
    shown_items = draw(st.lists(items(words), max_size=14))
    return make_edition(
        *sorted(shown_items, key=lambda item: order.index(item.part)),
        digest=draw(words),
        title=draw(words),
        period=draw(st.sampled_from(["2026-06-12T07:30", "2026-06-11T23:30:00Z", "alert-12345"])),
        zone=draw(st.sampled_from(["Europe/Berlin", "Pacific/Auckland"])),
        overflow=tuple(draw(st.lists(items(words), max_size=4))),
        dropped=draw(st.integers(0, 2)),
        excluded=draw(st.integers(0, 2)),
        batches=tuple(draw(st.lists(batches(words), max_size=2))),
        abstracts=draw(st.sampled_from(Abstracts)),
        arrange=draw(st.sampled_from(Arrangement)),
        full=draw(st.sampled_from([0, 1, 5, 12, 99])),
        changes=draw(st.none() | digest_changes(words)),
    )


def digest_changes(words: st.SearchStrategy[str]) -> st.SearchStrategy[DigestChanges]:
    several = st.lists(words, max_size=9).map(tuple)
    return st.builds(
        DigestChanges,
        added=several,
        removed=several,
        added_exclusions=several,
        options=st.sampled_from([(), ("limit",), ("title", "language")]),
        schedule=st.sampled_from([None, Schedule(frequency=Frequency.DAILY, zone="Asia/Tokyo", at="07:30")]),
    )


mail_links = st.sampled_from(
    [{}, {"unsubscribe": UNSUBSCRIBE, "page": PAGE}, {"unsubscribe": "javascript:alert(1)"}]
)


@settings(max_examples=settings().max_examples // 2, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(editions(texts), mail_links, texts)
def test_any_edition_reads_the_same_by_both_roads(what: Edition, given: dict[str, Any], title: str) -> None:
    site = replace(SITE, title=title)
    press = MailCache(ENVIRONMENT, site)

    for _ in range(2):
        fast, plainly = both(press, what, site, **given)
        assert fast == plainly
        assert (fast.delivery, fast.sender, fast.recipient) == (
            plainly.delivery,
            plainly.sender,
            plainly.recipient,
        )


def test_signs_that_no_mail_has_end_no_line_earlier() -> None:
    site = replace(SITE, title="\x04" * 10 + "all the papers of the systems lab")
    press = MailCache(ENVIRONMENT, site)

    fast, plainly = both(press, make_edition(make_item(1)), site)

    assert fast == plainly
    assert press.fast_count == 1


@pytest.fixture(scope="module")
def used_mail_cache() -> MailCache:
    """One that has made the mails of other editions before, as that of a run has."""
    return MailCache(ENVIRONMENT, SITE)


@settings(phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.lists(editions(plain_texts), min_size=1, max_size=3), mail_links)
def test_whatever_papers_say_their_mail_is_joined_and_its_lines_are_short(
    used_mail_cache: MailCache, several: list[Edition], given: dict[str, Any]
) -> None:
    for edition in several:
        before = used_mail_cache.fast_count
        fast, plainly = both(used_mail_cache, edition, **given)

        assert used_mail_cache.fast_count == before + 1
        assert fast == plainly
        demand_short_lines(fast.content)


def demand_short_lines(content: bytes) -> None:
    """Make sure that lines are as short as mail wants them, and end in CRLF."""
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert b"\r" not in content.replace(b"\r\n", b"")
    head, _, body = content.partition(b"\r\n\r\n")
    assert max(map(len, head.split(b"\r\n"))) <= 998
    text, html = body.split(b"\r\nContent-Type: text/html")
    assert max(map(len, text.split(b"\r\n"))) <= 76
    assert max(map(len, html.split(b"\r\n"))) <= 998


@pytest.mark.parametrize("late", [True, False])
@pytest.mark.parametrize("links", [{}, {"unsubscribe": UNSUBSCRIBE, "page": PAGE, "manage": PAGE}])
@pytest.mark.parametrize("arrange", Arrangement)
@pytest.mark.parametrize("abstracts", Abstracts)
def test_however_papers_are_shown_and_arranged_they_read_the_same_by_both_roads(
    used_mail_cache: MailCache,
    abstracts: Abstracts,
    arrange: Arrangement,
    links: dict[str, Any],
    *,
    late: bool,
) -> None:
    follows = ("KV cache", "inference", 'author:"Wencong Xiao"')
    abstract = (
        "It is known. We propose a KV cache. " + "It costs nothing to speak of. " * 9 + "For inference."
    )
    shown_items = [
        make_item(
            number,
            EditionPart.SURELY if number < 9 else EditionPart.MAYBE,
            [make_reason(follows[number % 3], abstract=["inference"] if number % 2 else ["KV cache"])],
            day=FRIDAY - timedelta(days=number % 4),
            late=late and number % 4 > 1,
            abstract=abstract,
            authors=tuple(Author(name=f"Ana {number}", affiliations=("Lab",)) for number in range(number)),
        )
        for number in range(1, 18)
    ]
    before = used_mail_cache.fast_count

    for full in (0, 2, 12, 17):
        edition = make_edition(
            *shown_items[:14],
            overflow=tuple(shown_items[14:]),
            abstracts=abstracts,
            arrange=arrange,
            full=full,
            dropped=1,
        )
        for _ in range(2):
            fast, plainly = both(used_mail_cache, edition, **links)
            assert fast == plainly

    assert used_mail_cache.fast_count == before + 8


@pytest.mark.parametrize("full", [0, 9])
def test_papers_that_show_no_reason_read_the_same_by_both_roads(full: int) -> None:
    press = MailCache(ENVIRONMENT, SITE)
    edition = make_edition(
        make_item(1), make_item(2, EditionPart.VERSIONS, [make_reason(" \n", title=["KV"])]), full=full
    )

    fast, plainly = both(press, edition)

    assert fast == plainly


def test_an_edition_of_more_papers_than_have_numbers_goes_the_plain_road() -> None:
    press = MailCache(ENVIRONMENT, SITE)
    paper = make_item(1, title="x", url="", authors=())

    fast, plainly = both(press, make_edition(make_item(2), overflow=(paper,) * 2_000))

    assert fast == plainly
    assert press.fast_count == 0


# --- the road -------------------------------------------------------------------------------------


@for_each_case(
    "edition",
    [
        make_edition_of_three_parts(),
        make_edition_of_every_kind(),
        make_edition(),
        make_edition_of_every_kind(overflow=(make_item(9),), dropped=3),
    ],
)
def test_a_mail_is_the_same_bytes_each_time(edition: Edition) -> None:
    press = MailCache(ENVIRONMENT, SITE)

    first, again = (press.make_mail(edition, **TO) for _ in range(2))
    elsewhere = MailCache(ENVIRONMENT, SITE).make_mail(edition, **TO)

    assert first == again == elsewhere
    assert press.fast_count == 2


def test_what_does_not_fit_gives_way_by_both_roads() -> None:
    authors = tuple(Author(name="N" * 90) for _ in range(9))
    long = make_edition(
        *(make_item(n, abstract="A sentence. " * 200) for n in range(25)),
        overflow=tuple(make_item(n, title=f"Paper {n} " + "of some length " * 5) for n in range(100, 600)),
        dropped=10,
    )
    longer = make_edition(*(make_item(n, authors=authors) for n in range(400)))
    press = MailCache(ENVIRONMENT, SITE)

    for edition in (long, longer):
        fast, plainly = both(press, edition)
        assert fast == plainly
    assert press.fast_count == 2


def test_an_error_is_told_as_on_the_plain_road(tmp_path: Path) -> None:
    broken = MailCache(templates(tmp_path, "mail/edition.html", "{{ nothing }}"), SITE)
    press = MailCache(ENVIRONMENT, SITE)

    with pytest.raises(RenderError, match="'nothing' is undefined"):
        broken.make_mail(make_edition_of_three_parts(), **TO)
    with pytest.raises(RenderError, match="is not a valid e-mail address"):
        press.make_mail(make_edition_of_three_parts(), **TO | {"recipient": "nobody"})
    with pytest.raises(RenderError, match="not sent"):
        press.make_mail(make_edition_of_three_parts(), **TO | {"message_id": "<1@x.y>\r\nBcc: evil@x.y"})


# --- templates of one's own -----------------------------------------------------------------------


def templates(folder: Path, name: str, text: str) -> jinja2.Environment:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return make_environment(folder)


def in_loop(text: str) -> str:
    """A template that writes this of each paper."""
    loop = "{% for paper in section.papers %}" + text + "{% endfor %}"
    papers = "{% for section in edition.sections %}" + loop + "{% endfor %}"
    return '{% extends "shipped/mail/edition.html" %}{% block papers %}' + papers + "{% endblock %}"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mail/edition.html", in_loop("{{ loop.index }} {{ paper.title.html }}")),
        ("mail/edition.html", in_loop("{{ paper.title.html }}{% if not loop.last %}<hr>{% endif %}")),
        ("mail/_paper.html", "<p>{{ paper.why.html | length }}</p>"),
        ("mail/_paper.html", "<p>{{ paper.why.text }}</p>"),
        ("mail/_paper.txt", "{{ paper.why.text | truncate(20) }}"),
        ("mail/_paper.txt", "{{ paper.title.html }}"),
        ("mail/_paper.txt", "{{ paper.title.text }} {{ page | wrapped }}"),
        ("mail/_paper.html", "<p>{{ paper.reasons.html | upper }}</p>"),
        ("mail/_paper.html", "<p>{{ paper.byline | length }}</p>"),
        (
            "mail/edition.html",
            '{% extends "shipped/mail/edition.html" %}{% block header %}{{ edition.preheader | upper }}{% endblock %}',
        ),
        (
            "mail/edition.txt",
            '{% extends "shipped/mail/edition.txt" %}{% block foot %}{{ edition.title | upper }}{% endblock %}',
        ),
        (
            "mail/edition.txt",
            '{% extends "shipped/mail/edition.txt" %}{% block rest %}{{ edition.rest | length }}{% endblock %}',
        ),
        (
            "mail/edition.html",
            '{% extends "shipped/mail/edition.html" %}{% block head %}{% for section in edition.sections %}{% for paper in section.papers %}{{ paper.url }}{% endfor %}{% endfor %}{% endblock %}',
        ),
        (
            "mail/edition.html",
            '{% extends "shipped/mail/edition.html" %}{% block header %}{{ edition.title | safe }}{% endblock %}',
        ),
        (
            "mail/edition.html",
            '{% extends "shipped/mail/edition.html" %}{% block papers %}{% set all %}{{ super() }}{% endset %}{{ all }}{% endblock %}',
        ),
    ],
)
def test_templates_that_look_beyond_a_paper_go_the_plain_road_and_it_is_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str, text: str
) -> None:
    environment = templates(tmp_path, name, text)
    press = MailCache(environment, SITE)

    for edition in (
        make_edition(make_item(1)),
        make_edition_of_three_parts(),
        make_edition_of_every_kind(overflow=(make_item(9),)),
    ):
        assert press.make_mail(edition, **TO) == make_mail(environment, edition, SITE, **TO)

    assert press.fast_count == 0
    assert len(caplog.records) == 1
    assert "are rendered one by one" in caplog.text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "mail/_paper.html",
            "<p>{{ paper.number }}. {{ paper.title.html }} ({{ paper.title.text | upper }})</p>",
        ),
        ("mail/_paper.txt", "{{ paper.number }}{{ paper.why.text }}{{ paper.authors.text | wrapped }}"),
        ("mail/edition.txt", '{% extends "shipped/mail/edition.txt" %}{% block rest %}{% endblock %}'),
        (
            "mail/edition.html",
            '{% extends "shipped/mail/edition.html" %}{% block header %}<h1>My lab</h1>{{ edition.day }}{% endblock %}',
        ),
        ("mail/edition.html", "{{ edition.title }} has {{ edition.counts }}."),
        ("mail/edition.html", in_loop("{{ paper.title.html }}")),
        ("mail/_paper.html", "<p>{{ paper.reasons.html }} {{ paper.byline }} {{ paper.why.html }}</p>"),
        (
            "mail/_paper.html",
            "{% if paper.size == 'featured' %}{{ paper.title.html }}{% endif %}{% for fact in paper.facts %}{{ fact.label }}{% endfor %}",
        ),
        ("mail/_paper.txt", "{{ paper.abstract.text | wrapped }} {{ paper.abstract.starred | wrapped }}"),
        ("mail/_paper.txt", '{{ paper.title.starred | wrapped("  ", first="* ") }}\n{{ paper.number }}\n'),
        ("mail/_paper.txt", '{{ ("by " ~ paper.byline) | wrapped }} {{ page }}/{{ paper.number }}'),
        ("mail/_paper.html", "{{ card.number }} {{ card.title.html }} of {{ masthead.title }}"),
        ("mail/_paper.txt", '{{ card.title.text | wrapped(first=card.number ~ ". ") }}\n'),
        ("mail/_paper.txt", '{{ paper.title.starred | wrapped(paper.number ~ " ", first="") }}\n'),
        (
            "mail/_paper.txt",
            '{{ ("No. " ~ paper.number ~ paper.number ~ " " ~ paper.abstract.text) | wrapped }} {{ paper.number | wrapped("> ") }}\n',
        ),
        (
            "mail/edition.txt",
            '{% for section in edition.sections %}{{ section.heading | upper }} {{ "-" * section.heading | columns }}{% for card in section.cards %}{{ card.title.text }}{% endfor %}{% endfor %}',
        ),
        ("mail/_paper.txt", '{{ paper.about | wrapped("    ", first=paper.number ~ ". ") }}'),
        ("mail/_paper.txt", '{{ (paper.number ~ ". " ~ paper.authors.text) | wrapped }}'),
        (
            "mail/edition.html",
            '{% extends "shipped/mail/edition.html" %}{% block contents %}{% for card in edition.titles %}{{ card.number }} {{ card.title.html }} {{ card.why.html }}<br>{% endfor %}{% endblock %}',
        ),
    ],
)
def test_other_templates_of_ones_own_go_the_fast_road(tmp_path: Path, name: str, text: str) -> None:
    environment = templates(tmp_path, name, text)
    press = MailCache(environment, SITE)

    for edition in (
        make_edition(*(make_item(n) for n in range(14))),
        make_edition_of_three_parts(),
        make_edition_of_every_kind(overflow=(make_item(9),)),
    ):
        assert press.make_mail(edition, **TO) == make_mail(environment, edition, SITE, **TO)

    assert press.fast_count == 3


@pytest.mark.parametrize(
    "names",
    [
        ["mail/edition.txt"],
        ["mail/edition.html"],
        ["mail/_paper.txt"],
        ["mail/_paper.html"],
        [path.relative_to(PREVIOUS_TEMPLATES).as_posix() for path in PREVIOUS_TEMPLATES.glob("mail/*")],
    ],
    ids=["text", "html", "paper of text", "paper of html", "all"],
)
def test_templates_of_the_previous_release_go_the_fast_road(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        templates(tmp_path, name, (PREVIOUS_TEMPLATES / name).read_text("utf-8"))
    environment = make_environment(tmp_path)
    press = MailCache(environment, SITE)

    for edition in (
        make_edition(*(make_item(n) for n in range(14))),
        make_edition_of_three_parts(),
        make_edition_of_every_kind(overflow=(make_item(9),)),
    ):
        assert press.make_mail(edition, **TO) == make_mail(environment, edition, SITE, **TO)

    assert press.fast_count == 3
