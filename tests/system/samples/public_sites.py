"""Public sites with little, much and harmful in them, and the addresses of the pages that show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import quote, urlencode

from digest.app import open_app
from digest.demo.publisher import Publisher
from digest.model import Author, Listing, ListingKind, Paper, PaperKey, Signal
from digest.store.papers.signals import save_signals
from tests.store.factories import announce, harvest
from tests.support.workspace import Workspace
from tests.system.samples import harm
from tests.web.conftest import Site, serve_workspace

DAY = date(2026, 6, 12)
LAB = "Sample Institute of Xylophony"
_CONFIG = """
    [site]
    title = "Lab digest"
    url = "https://digest.example.org"
    contact = "ops@example.org"
    public_feeds = true

    [store]
    url = "sqlite:///digest.db"

    [[source]]
    use = "arxiv"
    categories = ["cs.DC", "cs.LG"]

    [[public_feed]]
    name = "bars"
    title = "Bars & mallets"
    query = "xylophone"

    [[digest]]
    name = "systems"
    to = ["files:mail"]
    schedule = "weekdays 07:30"
    timezone = "Europe/Berlin"
    keywords = ["xylophone"]
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """What a public site knows.

    Attributes:
        announced: the papers that were announced on ``DAY``.
        replaced: those of which a new version was announced then.
        earlier: the papers that are known without an announcement.
        signals: numbers about them.
        paths: the paths of pages that show all this, by what is there.
    """

    announced: tuple[Paper, ...] = ()
    replaced: tuple[Paper, ...] = ()
    earlier: tuple[Paper, ...] = ()
    signals: tuple[Signal, ...] = ()
    paths: Mapping[str, str] = field(default_factory=dict)


@contextmanager
def serve_filling(filling: Filling, folder: Path, source: Publisher) -> Iterator[Site]:
    """Serve a site that knows all this; nothing is fetched from the source."""
    workspace = Workspace(folder)
    workspace.write(_CONFIG)
    with open_app(folder / "digest.toml", None, {}) as app:
        app.apply_config()
        listings = [
            *(Listing(kind=ListingKind.NEW, paper=paper) for paper in filling.announced),
            *(Listing(kind=ListingKind.REPLACE, paper=paper) for paper in filling.replaced),
        ]
        if filling.earlier:
            harvest(app.store, *filling.earlier)
        if listings:
            announce(app.store, *listings, section="cs.DC", day=DAY)
        with app.store.begin_ingest() as tx:
            save_signals(tx, filling.signals)
    with serve_workspace(workspace, source) as site:
        yield site


# --- what they know -------------------------------------------------------------------------------

EMPTY = Filling(
    paths={
        "front": "/",
        "papers": "/papers",
        "a day": f"/papers/{DAY}",
        "search": "/search",
        "found nothing": "/search?q=xylophone+%22wooden+bars%22",
        "mistake": "/search?q=xylophone+OR",
        "category": "/category/cs.DC",
        "institution": f"/institution/{quote(LAB)}",
        "topic": "/topic/bars",
        "nobody": "/people?name=Ada+Lovelace",
        "family name": "/people?name=Lovelace",
        "numbers": "/about/numbers",
        "no page": "/nothing",
        "bad address": "/papers/2026-02-30",
    }
)


def make_sparse_filling() -> Filling:
    """Papers of which nearly nothing is known."""
    bare = Paper(key=PaperKey("url:https://example.org/bare"), title="x", url="")
    signed = Paper(
        key=PaperKey("arxiv:2606.00001"),
        title="Xylophones",
        authors=(Author("Ada Lovelace"),),
        url="https://arxiv.org/abs/2606.00001",
    )
    withdrawn = replace(
        signed, key=PaperKey("arxiv:2606.00002"), title="Withdrawn xylophones", withdrawn=True
    )
    return Filling(
        announced=(bare, signed, withdrawn),
        paths={
            "front": "/",
            "day": f"/papers/{DAY}",
            "nothing of a day": f"/papers/{DAY}?category=hep-th&has=code",
            "empty day": f"/papers/{DAY + timedelta(1)}",
            "bare paper": make_paper_path(bare),
            "signed paper": make_paper_path(signed),
            "withdrawn paper": make_paper_path(withdrawn),
            "person": f"/person/{signed.key}/1",
            "name": "/people?name=Ada+Lovelace",
            "category": "/category/cs.DC",
            "topic": "/topic/bars",
            "found": "/search?q=xylophones",
        },
    )


def make_usual_filling() -> Filling:
    """A day of a laboratory, and what it did in earlier years."""
    ada = Author("Ada Lovelace-Sample", (LAB,), (("orcid", "0000-0002-1825-0097"),))
    papers = [
        Paper(
            key=PaperKey(f"arxiv:2606.{number:05}"),
            title=f"Xylophone acoustics {number}: the resonance of wooden bars and of marimbas in large halls",
            abstract="Bars resonate. We present a measurement of the resonance of xylophone bars in several woods. "
            "It is larger than expected.",
            authors=(
                ada,
                *(Author(f"Bob Colleague{chr(65 + (number + step) % 9)}") for step in range(number % 7)),
            ),
            categories=("cs.DC", "cs.SD") if number % 2 else ("cs.SD",),
            comment="12 pages, 3 figures",
            journal_ref="Journal of Samples 1 (2026)",
            doi=f"10.1000/sample.{number}",
            license_url="https://creativecommons.org/licenses/by/4.0/",
            code_urls=("https://github.com/sample/xylophone",) if number % 3 == 0 else (),
            references=("arxiv:2606.00000", "arxiv:0001.99999") if number else (),
            url=f"https://arxiv.org/abs/2606.{number:05}",
            pdf_url=f"https://arxiv.org/pdf/2606.{number:05}",
        )
        for number in range(24)
    ]
    earlier = [
        replace(paper, key=PaperKey(f"arxiv:{20 + number % 6}03.{number:05}"), doi="", code_urls=())
        for number, paper in enumerate(papers[:20])
    ]
    signals = [
        Signal(subject=paper.key, kind=kind, source=source, day=DAY, value=number + 1)
        for number, paper in enumerate(papers[:9])
        for kind, source in (("votes", "huggingface"), ("comments", "huggingface"), ("citations", "openalex"))
    ]
    numbers = [
        Signal(subject="orcid:0000-0002-1825-0097", kind=kind, source="openalex", day=DAY, value=value)
        for kind, value in (("h-index", 18), ("citations", 1234), ("papers", 47))
    ]
    return Filling(
        announced=tuple(papers),
        replaced=tuple(replace(paper, version=2) for paper in earlier[:3]),
        earlier=tuple(earlier),
        signals=(*signals, *numbers),
        paths={
            "front": "/",
            "day": f"/papers/{DAY}",
            "versions": f"/papers/{DAY}?tab=versions",
            "trending": f"/papers/{DAY}?tab=trending&order=votes",
            "paper": make_paper_path(papers[0]),
            "paper by date": f"{make_paper_path(papers[1])}?similar=date",
            "earlier paper": make_paper_path(earlier[1]),
            "person": f"/person/{papers[0].key}/1",
            "name": "/people?name=Bob+ColleagueA",
            "similar names": "/people?name=Bob+Colleague",
            "category": "/category/cs.SD",
            "archive": "/category/cs",
            "institution": f"/institution/{quote(LAB)}",
            "topic": "/topic/bars",
            "found": "/search?q=xylophone+OR+marimbas",
            "narrowed": "/search?q=xylophone&category=cs.SD&year=2026&order=date",
            "found nothing": "/search?q=xylophone+%22wooden+marimbas%22",
            "hint": "/search?q=%28S%29-xylophone",
            "mistake": "/search?q=%28xylophone",
            "bad address": "/search?order=up",
            "numbers": "/about/numbers",
        },
    )


def make_long_filling() -> Filling:
    """A full day of long titles, a collaboration of 3,000, somebody with 300 papers, and words without an end."""
    word = "Xylophone" * 24
    ada = Author(f"Ada {word[:196]}", (word, f"{LAB} " * 20))
    members = tuple(Author(f"Member Number{number:04}", (f"{LAB} {number % 40}",)) for number in range(3000))
    papers = [
        Paper(
            key=PaperKey(f"arxiv:2606.{number:05}"),
            title=(f"{word} {number}" if number % 2 else f"Xylophone {number} ")
            + "and its very long titles " * 12,
            abstract=f"We present {word}. " + "We present a measurement that takes many words. " * 60,
            authors=members if number == 1 else (ada, *members[number : number + 30]),
            categories=tuple(f"cs.{chr(65 + number % 26)}{chr(65 + place)}" for place in range(20)),
            comment=word * 10,
            journal_ref=word * 3,
            organizations=tuple(f"{word} {place}" for place in range(12)),
            code_urls=tuple(f"https://github.com/{word}/{place}" for place in range(12)),
            project_urls=tuple(f"https://example.org/{word}/{place}" for place in range(12)),
            references=tuple(f"arxiv:2606.{place:05}" for place in range(number)),
            url=f"https://example.org/{word}",
        )
        for number in range(120)
    ]
    earlier = [
        Paper(
            key=PaperKey(f"arxiv:{15 + number % 11}03.{number:05}"),
            title=f"{number} {word}",
            authors=(ada, *members[number : number + 12]),
            categories=(f"math.{chr(65 + number % 26)}{chr(65 + number // 26)}",),
            url="",
        )
        for number in range(180)
    ]
    signals = [
        Signal(subject=paper.key, kind=kind, source=f"{word}{place}", day=DAY, value=123_456_789)
        for paper in papers[:6]
        for place, kind in enumerate(("votes", "comments", "citations", "stars"))
    ]
    return Filling(
        announced=tuple(papers),
        earlier=tuple(earlier),
        signals=tuple(signals),
        paths={
            "front": "/",
            "day": f"/papers/{DAY}",
            "paper": make_paper_path(papers[2]),
            "collaboration": make_paper_path(papers[1]),
            "person": f"/person/{papers[0].key}/1",
            "member": f"/person/{papers[1].key}/3000",
            "name": f"/people?name={quote(ada.name)}",
            "category": "/category/cs.AA",
            "institution": f"/institution/{quote(word[:200])}",
            "found": f"/search?q={word}",
            "mistake": f"/search?q={'(' * 900}{word}",
            "found nothing": f"/search?q=%22{word}%22+NOT+{word * 3}",
        },
    )


def make_filling_of_texts(texts: Sequence[str], urls: Sequence[str] = harm.URLS) -> Filling:
    """Papers with these texts in all places that come from outside, and addresses with them."""
    papers = []
    # Half a character can be typed, but no source has it and no database stores it.
    stored = [text for text in texts if "\ud800" not in text]
    for number, text in enumerate(stored, start=1):
        others = [stored[(number + step) % len(stored)] for step in range(12)]
        url = urls[number % len(urls)]
        papers.append(
            Paper(
                key=PaperKey(f"arxiv:2606.{number:05}"),
                title=f"{number} {text}",
                abstract=f"{text}. We present {text}. And {text}",
                authors=tuple(Author(name=f"Ada {other}", affiliations=(other, LAB)) for other in others),
                categories=(others[0], "cs.DC", *others[1:]),
                url=url,
                pdf_url=url,
                doi=text,
                journal_ref=text,
                comment=text,
                license_url=url,
                ids=(("other", text),),
                code_urls=(url,),
                project_urls=(url,),
                organizations=tuple(others) if number % 2 else (text,),
                references=(f"url:{text}", "arxiv:2606.00001"),
            )
        )
    counted = [
        Signal(subject=paper.key, kind=kind, source=stored[place], day=DAY, value=place + 1)
        for place, paper in enumerate(papers)
        for kind in ("votes", stored[place])
    ]
    paths = {
        "front": "/",
        "day": f"/papers/{DAY}",
        "trending": f"/papers/{DAY}?tab=trending",
        "category": "/category/cs.DC",
        "institution": f"/institution/{quote(LAB)}",
        "found": "/search?q=present",
        "name": "/people?name=Ada",
    }
    for number, paper in enumerate(papers[::12], start=1):
        paths |= {f"paper {number}": make_paper_path(paper), f"person {number}": f"/person/{paper.key}/1"}
    for number, text in enumerate(texts):
        typed = text.encode(errors="surrogatepass")
        kind = number % 3
        paths[f"typed {number}"] = (
            f"/search?{urlencode({'q': typed})}"
            if kind == 0
            else f"/people?{urlencode({'name': b'Ada ' + typed})}"
            if kind == 1
            else f"/institution/{quote(typed)}"
        )
    return Filling(announced=tuple(papers), signals=tuple(counted), paths=paths)


def make_paper_path(paper: Paper) -> str:
    """The path of the page of a paper."""
    return f"/paper/{quote(paper.key, safe=':/')}"
