"""The list and catch-up pages, in the structure of arXiv's templates (arXiv/arxiv-browse)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape

from tests.arxiv_service.history import Announcement, Row

NAMES = {
    "cs": "Computer Science",
    "cs.AI": "Artificial Intelligence",
    "cs.CL": "Computation and Language",
    "cs.CV": "Computer Vision and Pattern Recognition",
    "cs.DB": "Databases",
    "cs.DC": "Distributed, Parallel, and Cluster Computing",
    "cs.IT": "Information Theory",
    "cs.LG": "Machine Learning",
    "hep-th": "High Energy Physics - Theory",
    "math.IT": "Information Theory",
    "stat.ML": "Machine Learning",
}
HEADINGS = ("New submissions", "Cross submissions", "Replacement submissions")
INDEX = ("New submissions", "Cross-lists", "Replacements")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingPage:
    """One page of a day's listing.

    Attributes:
        rows: of the whole day, in their order.
        skip: how many of them are on pages before.
        size: the most on a page.
        drop_interval: of this page's rows every n-th is missing; 0 for none.
    """

    day: date
    section: str
    rows: Sequence[Row]
    skip: int
    size: int
    drop_interval: int = 0

    @property
    def printed_rows(self) -> list[Row]:
        """The rows that are printed."""
        page = self.rows[self.skip : self.skip + self.size]
        return [
            row for place, row in enumerate(page, 1) if not self.drop_interval or place % self.drop_interval
        ]

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many rows of each heading there are on all pages."""
        kinds = [_get_heading(row) for row in self.rows]
        return kinds.count(0), kinds.count(1), kinds.count(2)


def render_new_page(sheet: ListingPage) -> bytes:
    """``/list/{section}/new``."""
    name = NAMES.get(sheet.section, sheet.section)
    index = "".join(
        f'\n  <li><a href="{where}#item{at}">{head}</a></li>\n  ' for head, where, at in _index(sheet)
    )
    total = f"<div class='paging'>Total of {len(sheet.rows)} entries \n{_list_links(sheet)}\n    </div>\n"
    fewer = f"<div class='morefewer'>Showing up to {sheet.size} entries per page:\n      <span>fewer</span> |\n      <span>more</span> |\n      <span>all</span>\n    </div>"
    pages = total + fewer if sheet.rows else ""
    body = f"""<div id='content-inner'>
<div id='dlpage'>
  <h1>{escape(name)}</h1>

<ul>
  {index}
</ul>

<p>See <a id="recent-{sheet.section}" aria-labelledby="recent-{sheet.section}" href="/list/{sheet.section}/recent">recent</a> articles</p>
<h3>Showing new listings for {sheet.day:%A}, {sheet.day.day} {sheet.day:%B %Y}</h3>

  {pages}

{"".join(_sections(sheet)) or "    <p>No updates today.</p>"}

  {pages}
</div>
</div>"""
    return _render_page(name, body)


def render_catchup_page(sheet: ListingPage, *, page: int, abstracts: bool, following: date | None) -> bytes:
    """``/catchup/{section}/{day}``."""
    name = NAMES.get(sheet.section, sheet.section)
    of_day = f"{sheet.day:%a, %d %b %Y}"
    index = "".join(
        f'\n      <li><a href="#item{at}">{head}</a></li>\n      ' for head, _, at in _index(sheet)
    )
    onward = (
        f'<a href="/catchup/{sheet.section}/{following}?abs={abstracts}&amp;page=1">Continue to the next day</a>'
        if following
        else ""
    )
    total = f"Total of {len(sheet.rows)} entries for {of_day}\n      {_catchup_links(sheet, page, abstracts)}"
    body = f"""<div id='content-inner'>
<div id='dlpage'>
  <h1>Catchup results for {escape(name)} on {of_day}</h1>

    <ul>
      {index}
    </ul>

    <div>
      {onward}
        <br><br>

      {total}

    </div>

{"".join(_sections(sheet, abstracts=abstracts)) or _render_empty_page(sheet, page, abstracts)}

    <div></div>
    {total}

      <br> <br>
      {onward}
    </div>

</div>
</div>"""
    return _render_page(name, body)


# --- parts of a page ------------------------------------------------------------------------------


def _render_page(title: str, body: str) -> bytes:
    return f"""<!DOCTYPE html>
<html lang="en">

<head>  <title>{escape(title)}</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
</head>

<body>
  <header><a class="is-sr-only" href="#main-container">Skip to main content</a>
    <ul><li><a href="/help">Help</a></li></ul>
  </header>
  <main class="container" id="main-container">
    <div id="content">
{body}
    </div>
  </main>
  <footer><ul><li><a href="https://info.arxiv.org/about">About</a></li></ul></footer>
</body>
</html>
""".encode()


def _get_heading(row: Row) -> int:
    """Which heading it is below."""
    return {"new": 0, "cross": 1}.get(row.kind, 2)


def _index(sheet: ListingPage) -> Iterator[tuple[str, str, int]]:
    """Headings that have rows, the page and the item at which they begin."""
    before = 0
    for name, count in zip(INDEX, sheet.counts, strict=True):
        if count:
            yield name, "", before + 1
        before += count


def _sections(sheet: ListingPage, *, abstracts: bool = True) -> Iterator[str]:
    """The headings with what is below them; what has nothing on this page is left out."""
    here, before = sheet.printed_rows, 0
    numbers = {row.paper.id: number for number, row in enumerate(sheet.rows, 1)}
    for place, total in enumerate(sheet.counts):
        rows = [row for row in here if _get_heading(row) == place]
        continued = sheet.skip > before
        last = sheet.skip + sheet.size >= before + total
        before += total
        if rows:
            showing = ("continued, " if continued else "") + "showing "
            showing += "last " if continued and last else "" if continued or last else "first "
            items = "".join(_render_item(numbers[row.paper.id], row, abstracts=abstracts) for row in rows)
            head = f"{HEADINGS[place]} ({showing}{len(rows)} of {total} entries)"
            yield f"<dl id='articles'>\n    <h3>{head}</h3>\n{items}</dl>\n"


def _render_item(number: int, row: Row, *, abstracts: bool) -> str:
    paper = row.paper
    remark = {"new": "", "cross": f"(cross-list from {paper.categories[0]})"}.get(row.kind, "(replaced)")
    lines = {
        "comments mathjax": ("Comments:", _with_links(paper.comment)),
        "journal-ref": ("Journal-ref:", escape(paper.journal)),
    }
    extra = "".join(
        f"        <div class='list-{kind}'><span class='descriptor'>{name}</span>\n          {text}\n        </div>\n"
        for kind, (name, text) in lines.items()
        if text
    )
    abstract = (
        f"        <p class='mathjax'>\n          {_with_links(paper.abstract)}\n        </p>\n"
        if abstracts
        else ""
    )
    primary, *others = map(_display, paper.categories)
    return f"""    <dt>
      <a name='item{number}'>[{number}]</a>
      <a href ="/abs/{paper.id}" title="Abstract" id="{paper.id}">
        arXiv:{paper.id}
      </a>
      {remark}
      [<a href="/pdf/{paper.id}" title="Download PDF" id="pdf-{paper.id}" aria-labelledby="pdf-{paper.id}">pdf</a>{_html_link(paper)}, <a href="/format/{paper.id}" title="Other formats" id="oth-{paper.id}" aria-labelledby="oth-{paper.id}">other</a>]
    </dt>
    <dd>
      <div class='meta'>
        <div class='list-title mathjax'><span class='descriptor'>Title:</span>
          {escape(paper.title)}
        </div>
        <div class='list-authors'>{_authors(paper)}</div>
{extra}        <div class='list-subjects'><span class='descriptor'>Subjects:</span>
          <span class="primary-subject">{primary}</span>{"".join("; " + other for other in others)}
        </div>
{abstract}      </div>
    </dd>
"""


def _html_link(paper: Announcement) -> str:
    """Where the paper was converted, as far as we are concerned those of even numbers; it alone tells a version."""
    if paper.withdrawn or int(paper.id[-1]) % 2:
        return ""
    return f', <a href="https://arxiv.org/html/{paper.id}v{paper.version}" title="View HTML" id="html-{paper.id}" aria-labelledby="html-{paper.id}" rel="noopener noreferrer" target="_blank">html</a>'


def _authors(paper: Announcement) -> str:
    """Links with commas between; beyond a hundred they are left out without a word, unless it is only one."""
    texts = paper.authors if len(paper.authors) < 102 else paper.authors[:100]
    links = [
        f'<a href="https://arxiv.org/search/?searchtype=author&amp;query={escape(name.replace(" ", "+"))}">{escape(name)}</a>'
        for name in texts
    ]
    return ", ".join(links)


def _display(category: str) -> str:
    return f"{escape(NAMES.get(category, category))} ({category})"


_ADDRESS = re.compile(r"https?://[^\s<>\"]*[^\s<>\".,;:)]")


def _with_links(text: str) -> str:
    """Addresses become links that are all called the same."""
    return _ADDRESS.sub(
        lambda match: (
            f'<a href="{match[0]}" rel="external noopener nofollow" class="link-external link-https">this https URL</a>'
        ),
        escape(text, quote=False),
    )


def _list_links(sheet: ListingPage) -> str:
    """The links to the other pages."""
    if sheet.size >= len(sheet.rows):
        return ""
    pages = [f"<span>{sheet.skip + 1}-{min(len(sheet.rows), sheet.skip + sheet.size)}</span>"]
    pages += [
        f"<a href=/list/{sheet.section}/new?skip={at}&amp;show={sheet.size}>{at + 1}-{min(len(sheet.rows), at + sheet.size)}</a>"
        for at in range(0, len(sheet.rows), sheet.size)
        if at != sheet.skip
    ]
    return ":\n" + "\n".join(pages)


def _catchup_links(sheet: ListingPage, page: int, abstracts: bool) -> str:  # noqa: FBT001 - it is what abs= says
    """The numbers of the pages; a full last page promises one more."""
    if sheet.size >= len(sheet.rows):
        return ""
    base = f"/catchup/{sheet.section}/{sheet.day}?abs={abstracts}"
    numbers = range(1, len(sheet.rows) // sheet.size + 2)
    links = [
        f"<span>{number}</span>" if number == page else f"<a href={base}&amp;page={number}>{number}</a>"
        for number in numbers
    ]
    return "View page:\n" + "\n".join(links)


def _render_empty_page(sheet: ListingPage, page: int, abstracts: bool) -> str:  # noqa: FBT001 - it is what abs= says
    of_day = f"{sheet.day:%a, %d %b %Y}"
    if page > 1:
        first = f"/catchup/{sheet.section}/{sheet.day}?abs={abstracts}&amp;page=1"
        return f'<br><div>No further updates for {of_day}<br>\n<a href="{first}">Go to page 1</a></div><br>'
    reason = "There was either no announcement for this day, or no updates within the requested subject."
    return f"<br><div><p>No updates for {of_day}. {reason}</p></div><br>"
