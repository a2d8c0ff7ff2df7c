"""What an able engineer writes in a day: feedparser, sets of words, Jinja2, ``EmailMessage``, ``smtplib`` and SQLAlchemy.

It knows who follows what, which papers it has seen and whom it has sent them. Each paper's words are made once, without
their endings, and each distinct query is asked once. A mail shows the first papers in full and the others as a line each. What it leaves
out is what `digest` is for: it does not know what it missed, a crash between a mail and its note sends that again, and nobody
is told why a paper is there.
"""

from __future__ import annotations

import re
import smtplib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from functools import cache
from io import BytesIO
from time import process_time

import feedparser
from jinja2 import Environment
from sqlalchemy import (
    Boolean,
    Column,
    Engine,
    Integer,
    MetaData,
    Table,
    Text,
    create_engine,
    insert,
    select,
)

from digest.core.language.parser import parse
from digest.core.language.query import And, ByAuthor, InCategory, Not, Or, Phrase, Query

MOST = 520
"""Papers of a mail."""
SENDER = "Digest <digest@example.org>"
_WORD = re.compile(r"\w+")
_VOWEL = re.compile(r"[aeiouy]")
_metadata = MetaData()
_follows = Table(
    "follows",
    _metadata,
    Column("reader", Integer, index=True),
    Column("text", Text),
    Column("exclude", Boolean),
)
_papers = Table("papers", _metadata, Column("key", Text, primary_key=True))
_sent = Table(
    "sent", _metadata, Column("reader", Integer, primary_key=True), Column("key", Text, primary_key=True)
)
_ENVIRONMENT = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
_TEXT = Environment(trim_blocks=True, lstrip_blocks=True).from_string(
    """{{ papers|length }} new papers
{% for paper in papers[:20] %}

{{ loop.index }}. {{ paper.title }}
   {{ paper.authors|join(", ") }}
   {{ paper.categories|join(" ") }}

{{ paper.abstract|wordwrap(76) }}

   {{ paper.url }}
{% endfor %}
{% for paper in papers[20:] %}
- {{ paper.title }}
  {{ paper.url }}
{% endfor %}

Unsubscribe: https://digest.example.org/unsubscribe/{{ reader }}
"""
)
_HTML = _ENVIRONMENT.from_string(
    """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{ papers|length }} new papers</title></head>
<body style="font: 16px/1.5 sans-serif; max-width: 40em; margin: auto">
<h1>{{ papers|length }} new papers</h1>
{% for paper in papers[:20] %}
<h2><a href="{{ paper.url }}">{{ paper.title }}</a></h2>
<p style="color: #666">{{ paper.authors|join(", ") }}<br>{{ paper.categories|join(" ") }}</p>
<p>{{ paper.abstract }}</p>
{% endfor %}
{% for paper in papers[20:] %}
<p><a href="{{ paper.url }}">{{ paper.title }}</a></p>
{% endfor %}
<p><a href="https://digest.example.org/unsubscribe/{{ reader }}">Unsubscribe</a></p>
</body></html>
"""
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainPaper:
    """A paper as the feed has it, and what is asked of it.

    Attributes:
        words: of title and abstract.
        line: the same in their order, with a blank around each.
        names: of the authors, small.
    """

    key: str
    title: str
    abstract: str
    authors: Sequence[str]
    categories: Sequence[str]
    url: str
    words: frozenset[str]
    line: str
    names: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainDay:
    """What a morning came to.

    Attributes:
        found: the keys of the papers of each reader who has any; all of them.
        seconds: of CPU for all readers.
        reading: of CPU for the feed.
    """

    found: Mapping[int, frozenset[str]]
    seconds: float
    reading: float


def send_day(
    database: str, feed: bytes, asked: Mapping[int, Iterable[tuple[str, bool]]], port: int
) -> PlainDay:
    """Do what is to be done in a morning.

    Args:
        database: URL of an empty one.
        feed: its bytes.
        asked: by reader, the queries and whether each excludes.
        port: of a mail server at 127.0.0.1.
    """
    engine = create_engine(database)
    _metadata.create_all(engine)
    rows = [
        {"reader": reader, "text": text, "exclude": exclude}
        for reader, queries in asked.items()
        for text, exclude in queries
    ]
    with engine.begin() as connection:
        connection.execute(insert(_follows), rows)
    begun = process_time()
    papers = _keep_new(engine, _read(feed))
    read = process_time()
    found = _send_all(engine, papers, port)
    done = process_time()
    engine.dispose()
    return PlainDay(found=found, seconds=done - read, reading=read - begun)


def _read(feed: bytes) -> list[PlainPaper]:
    return [
        _paper(
            key=f"arxiv:{entry.link.rpartition('/')[2]}",
            title=entry.title,
            abstract=entry.summary.partition("Abstract: ")[2],
            authors=[name.strip() for name in entry.author.split(",")],
            categories=[tag.term for tag in entry.tags],
            url=entry.link,
        )
        for entry in feedparser.parse(BytesIO(feed)).entries
        if entry.arxiv_announce_type in {"new", "cross"}
    ]


def _paper(
    *, key: str, title: str, abstract: str, authors: Sequence[str], categories: Sequence[str], url: str
) -> PlainPaper:
    words = _words(f"{title} {abstract}")
    return PlainPaper(
        key=key,
        title=title,
        abstract=abstract,
        authors=authors,
        categories=categories,
        url=url,
        words=frozenset(words),
        line=f" {' '.join(words)} ",
        names=frozenset(map(_name, authors)),
    )


def _words(text: str) -> list[str]:
    """Its words, small, without their endings."""
    return [_cut(word) for word in _WORD.findall(text.lower())]


@cache
def _cut(word: str) -> str:
    """A word without the endings of inflection.

    A stemmer would take ``limited`` for ``limitations`` and find half as much again as the other side, so that what the
    two take could not be compared. The rules are Harman's for plurals ("How Effective Is Suffixing?", JASIS 42, 1991),
    and the first step of Porter's for the rest ("An algorithm for suffix stripping", Program 14, 1980), both shortened.
    """
    if word.endswith("ies"):
        word = f"{word[:-3]}y"
    elif word.endswith("s") and not word.endswith(("us", "ss")):
        word = word[:-1]
    for ending in ("ed", "ing"):
        left = word.removesuffix(ending)
        if left != word and len(left) > 2 and _VOWEL.search(left):
            is_doubled = left[-1] == left[-2] and left[-1] not in "lsz"
            return left[:-1] if is_doubled else left
    return word.removesuffix("e") if len(word) > 4 else word


def _name(author: str) -> str:
    return " ".join(author.lower().replace(".", " ").split())


def _keep_new(engine: Engine, papers: Sequence[PlainPaper]) -> list[PlainPaper]:
    with engine.begin() as connection:
        seen = set(connection.execute(select(_papers.c.key)).scalars())
        new = {paper.key: paper for paper in papers if paper.key not in seen}
        connection.execute(insert(_papers), [{"key": key} for key in new])
    return list(new.values())


# --- readers --------------------------------------------------------------------------------------


def _send_all(engine: Engine, papers: Sequence[PlainPaper], port: int) -> dict[int, frozenset[str]]:
    with engine.connect() as connection:
        asked: dict[int, list[tuple[str, bool]]] = {}
        for row in connection.execute(select(_follows).order_by(_follows.c.reader)):
            asked.setdefault(row.reader, []).append((row.text, row.exclude))

    @cache
    def fitting(text: str) -> frozenset[int]:
        fits = _predicate(parse(text))
        return frozenset(place for place, paper in enumerate(papers) if fits(paper))

    found: dict[int, frozenset[str]] = {}
    with smtplib.SMTP("127.0.0.1", port) as server:
        for reader, queries in asked.items():
            places: frozenset[int] = frozenset().union(
                *[fitting(text) for text, exclude in queries if not exclude]
            )
            places -= frozenset().union(*[fitting(text) for text, exclude in queries if exclude])
            if not places:
                continue
            mine = [papers[place] for place in sorted(places)][:MOST]
            server.send_message(_message(reader, mine))
            with engine.begin() as connection:
                connection.execute(insert(_sent), [{"reader": reader, "key": paper.key} for paper in mine])
            found[reader] = frozenset(paper.key for paper in mine)
    return found


def _predicate(query: Query) -> Callable[[PlainPaper], bool]:
    match query:
        case Phrase():
            words = _words(" ".join(word for unit in query.units for word in unit))
            line, needed = f" {' '.join(words)} ", frozenset(words)
            return lambda paper: needed <= paper.words and line in paper.line
        case And():
            parts = [_predicate(part) for part in query.queries]
            return lambda paper: all(part(paper) for part in parts)
        case Or():
            parts = [_predicate(part) for part in query.queries]
            return lambda paper: any(part(paper) for part in parts)
        case Not():
            part = _predicate(query.query)
            return lambda paper: not part(paper)
        case InCategory():
            code = query.code
            return lambda paper: any(one == code or one.startswith(f"{code}.") for one in paper.categories)
        case ByAuthor():
            name = _name(query.name)
            return lambda paper: name in paper.names
        case _:
            raise NotImplementedError(query)


def _message(reader: int, papers: Sequence[PlainPaper]) -> EmailMessage:
    shown = {"papers": papers, "reader": reader}
    message = EmailMessage()
    message["From"], message["To"] = SENDER, f"{reader}@example.org"
    message["Subject"] = f"{len(papers)} new papers: {papers[0].title}".replace("\n", " ")
    message["Message-ID"] = f"<{reader}.plain@example.org>"
    message["List-Unsubscribe"] = f"<https://digest.example.org/unsubscribe/{reader}>"
    message.set_content(_TEXT.render(shown))
    message.add_alternative(_HTML.render(shown), subtype="html")
    return message
