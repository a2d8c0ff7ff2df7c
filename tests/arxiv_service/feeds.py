"""The daily feeds, RSS 2.0 and Atom, as arXiv's server lays them out (arXiv/arxiv-feed)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from xml.sax.saxutils import escape

from tests.arxiv_service.history import ARCHIVES, Row
from tests.arxiv_service.release_times import NEW_YORK, get_feed_time


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How one of the two formats writes things."""

    media_type: str
    date: Callable[[datetime], str]
    frame: str
    item: str
    category: str


RSS = Form(
    media_type="application/rss+xml",
    date=format_datetime,
    frame="""<?xml version='1.0' encoding='UTF-8'?>
<rss xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:dc="http://purl.org/dc/elements/1.1/" \
xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" version="2.0">
  <channel>
    <title>{title}</title>
    <link>{link}</link>
    <description>{about}</description>
    <atom:link href="{link}" rel="self" type="application/rss+xml"/>
    <docs>http://www.rssboard.org/rss-specification</docs>
    <language>en-us</language>
    <lastBuildDate>{built}</lastBuildDate>
    <managingEditor>rss-help@arxiv.org</managingEditor>
    <pubDate>{midnight}</pubDate>
    <skipDays>
      <day>Saturday</day>
      <day>Sunday</day>
    </skipDays>
{items}  </channel>
</rss>
""",
    item="""    <item>
      <title>{title}</title>
      <link>https://arxiv.org/abs/{id}</link>
      <description>{text}</description>
      <guid isPermaLink="false">oai:arXiv.org:{id}v{version}</guid>
{categories}      <pubDate>{midnight}</pubDate>
      <arxiv:announce_type>{kind}</arxiv:announce_type>
      <dc:rights>http://arxiv.org/licenses/nonexclusive-distrib/1.0/</dc:rights>
{more}      <dc:creator>{authors}</dc:creator>
    </item>
""",
    category="      <category>{}</category>\n",
)
ATOM = Form(
    media_type="application/atom+xml",
    date=datetime.isoformat,
    frame="""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:dc="http://purl.org/dc/elements/1.1/" \
xmlns="http://www.w3.org/2005/Atom" xml:lang="en-us">
  <id>{link}</id>
  <title>{title}</title>
  <updated>{built}</updated>
  <link href="{link}" rel="self" type="application/atom+xml"/>
  <subtitle>{about}</subtitle>
{items}</feed>
""",
    item="""  <entry>
    <id>oai:arXiv.org:{id}v{version}</id>
    <title>{title}</title>
    <updated>{built}</updated>
    <link href="https://arxiv.org/abs/{id}" rel="alternate" type="text/html"/>
    <summary>{text}</summary>
{categories}    <published>{midnight}</published>
    <arxiv:announce_type>{kind}</arxiv:announce_type>
    <dc:rights>http://arxiv.org/licenses/nonexclusive-distrib/1.0/</dc:rights>
{more}    <dc:creator>{authors}</dc:creator>
  </entry>
""",
    category='    <category term="{}"/>\n',
)
FORMS = {"rss": RSS, "atom": ATOM}


def make_feed(form: Form, day: date, names: Sequence[str], link: str, rows: Sequence[Row]) -> bytes:
    """A day's feed of some categories."""
    of = ", ".join(names)
    title, about = f"{of} updates on arXiv.org", f"{of} updates on the arXiv.org e-print archive."
    return _format_feed(form, day, title, about, link, rows)


def make_error_feed(form: Form, day: date, name: str, link: str) -> bytes:
    """What a name that no category has is answered with."""
    about = f"Bad archive '{name}'. Valid archive names are: {', '.join(ARCHIVES)}."
    return _format_feed(form, day, f"Feed error for query: {link}", about, link, ())


def limit_rows(rows: Sequence[Row], limit: int) -> Sequence[Row]:
    """What an over-full feed has: new papers are dropped first, those with the lowest ids first of all."""
    return rows[max(0, len(rows) - limit) :]


def _format_feed(form: Form, day: date, title: str, about: str, link: str, rows: Sequence[Row]) -> bytes:  # noqa: PLR0917 - a template's
    midnight = form.date(datetime.combine(day, datetime.min.time(), NEW_YORK))
    built = form.date((get_feed_time(day) + timedelta(seconds=8)).astimezone(UTC))
    items = "".join(_format_item(form, row, midnight, built) for row in rows)
    return form.frame.format(
        title=escape(title), about=escape(about), link=link, built=built, midnight=midnight, items=items
    ).encode()


def _format_item(form: Form, row: Row, midnight: str, built: str) -> str:
    paper = row.paper
    more = {"DOI": paper.doi, "journal_reference": paper.journal}
    text = f"arXiv:{paper.id}v{paper.version} Announce Type: {row.kind} \nAbstract: {paper.abstract}"
    return form.item.format(
        id=paper.id,
        version=paper.version,
        kind=row.kind,
        title=escape(paper.title),
        text=escape(text),
        categories="".join(form.category.format(category) for category in paper.categories),
        more="".join(
            f"      <arxiv:{name}>{escape(value)}</arxiv:{name}>\n" for name, value in more.items() if value
        ),
        authors=escape(encode_tex(", ".join(paper.authors))),
        midnight=midnight,
        built=built,
    )


_ACCENTS = {
    "\u0300": "\\`",
    "\u0301": "\\'",
    "\u0302": "\\^",
    "\u0303": "\\~",
    "\u0308": '\\"',
    "\u030c": "\\v ",
    "\u0327": "\\c ",
}


def encode_tex(text: str) -> str:
    r"""Accents as feeds and raw records have them: ``Andr\'e``."""
    return "".join(map(_encode_letter, text))


def _encode_letter(letter: str) -> str:
    plain, accent = (*unicodedata.normalize("NFD", letter), "")[:2]
    if not accent or accent not in _ACCENTS or len(unicodedata.normalize("NFD", letter)) > 2:
        return letter
    text = _ACCENTS[accent]
    return f"{{{text}{plain}}}" if text.endswith(" ") else f"{text}{plain}"
