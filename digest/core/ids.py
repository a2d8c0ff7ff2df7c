"""Identity of papers: arXiv ids and DOIs in every form that is written, and the one key each gives.

Forms and ranges: https://info.arxiv.org/help/arxiv_identifier.html.
"""

from __future__ import annotations

import hashlib
import re
from urllib.parse import unquote, urlsplit

from digest.core.taxonomy import known
from digest.model import Paper, PaperKey

# --- arXiv ----------------------------------------------------------------------------------------

_BEFORE = re.compile(
    r"""oai:arxiv\.org:
      | arxiv:\s*
      | (?: (?:https?://)? (?:[\w-]+\.)* (?:arxiv\.org|alphaxiv\.org|ar5iv\.org|huggingface\.co|scirate\.com) /
            (?: (?:abs|pdf|html|ps|src|e-print|format|papers|arxiv) / )+ )
      | (?: (?: https?:// (?:dx\.|www\.)? doi\.org / | doi:\s* )? 10\.48550/arxiv\. )""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_ID = re.compile(
    r"""(?: ( \d{2} (?:0[1-9]|1[0-2]) ) \. ( \d{4,5} )
          | ( [a-z]+(?:-[a-z]+)? ) (?: \. [a-z-]{2,9} )? / ( \d{2} (?:0[1-9]|1[0-2]) \d{3} ) )
        (?: v ( [1-9]\d{0,2} ) )?
        (?: \.pdf | / )? (?: \s* \[ [\w.-]+ \] .* )? (?: [?\#] .* )?""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


def arxiv_id(text: str) -> tuple[str, int | None] | None:
    """The arXiv id that a text is, whatever way it is written, or None.

    Args:
        text: ``2401.00001v2``, ``arXiv:2401.00001 [cs.LG]``, ``math.GT/0309136``, ``oai:arXiv.org:…``,
            ``10.48550/arXiv.2401.00001``, or the address of a page about the paper.

    Returns:
        The id as arXiv goes by it, without version and class (``math/0309136``), and the version, None if
        the text names none.
    """
    text = (unquote(text) if "%" in text else text).strip()
    before = _BEFORE.match(text)
    found = _ID.fullmatch(text, before.end() if before else 0)
    if not found:
        return None
    month, number, archive, old, version = found.groups()
    if month:
        # Numbers have four digits from April 2007 to December 2014, five since.
        real = month >= "0704" and (len(number) == 4) == (month <= "1412")
        name = f"{month}.{number}"
    else:
        real = known(archive) and 199107 <= _month(old) <= 200703
        name = f"{archive.lower()}/{old}"
    return (name, int(version) if version else None) if real else None


def arxiv_key(text: str) -> PaperKey | None:
    """The key of the paper whose arXiv id a text is, or None."""
    found = arxiv_id(text)
    return PaperKey(f"arxiv:{found[0]}") if found else None


def _month(old: str) -> int:
    """Year and month; the old numbers began in 1991."""
    century = 190000 if old[:2] >= "91" else 200000
    return century + int(old[:4])


# --- DOIs -----------------------------------------------------------------------------------------

_DOI = re.compile(
    r"""oai:arxiv\.org:
      | arxiv:\s*
      | (?: (?:https?://)? (?:[\w-]+\.)* doi\.org /
          | https?:// [^/\s]+ / (?:[^?\#\s]*/)? doi / (?:(?:abs|full|pdf|epdf|book|epub|ref)/)?
          | doi: \s* )?
        (?P<doi> 10\.\d{4,9}(?:\.\d+)* / \S+ )""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_ARTICLE = re.compile(
    r"(https?://[^/]+/.*article[\w-]*/doi/10\.\d{4,9}/.+?)/\d{5,}(?:/[^/]*)?", re.IGNORECASE
)
"""Silverchair's sites put a number of their own and the title behind the DOI."""
_PAIRS = {")": "(", "]": "[", ">": "<", "}": "{"}


def doi(text: str) -> str | None:
    """The DOI that a text is, bare and in lower case (DOIs know no case), or None.

    Args:
        text: bare, with ``doi:`` before it, or the address of a resolver or of a publisher's ``/doi/`` page.

    Returns:
        None also for arXiv's own DOIs (``10.48550/arXiv.…``): those are arXiv ids.
    """
    text = text.strip()
    if text.lower().startswith(("http://", "https://")):
        text = re.split(r"[?#]", text, maxsplit=1)[0]  # in a DOI these would be percent-encoded
        if article := _ARTICLE.fullmatch(text):
            text = article[1]
    found = _DOI.fullmatch(unquote(text))
    if not found or arxiv_id(found["doi"]):
        return None
    bare = found["doi"].lower()
    while bare[-1] in ".,;:'\"" or (
        bare[-1] in _PAIRS and bare.count(bare[-1]) > bare.count(_PAIRS[bare[-1]])
    ):
        bare = bare[:-1]
    return None if bare.endswith("/") else bare


# --- pages ----------------------------------------------------------------------------------------

_LONGEST_KEY = 500
"""Characters; an index of PostgreSQL takes no row of more than 2,704 bytes."""
_TRACKING = re.compile(r"(?:utm_[^=&]*|fbclid|gclid|mc_cid|mc_eid)(?:=|$)", re.IGNORECASE)


def page_key(address: str) -> PaperKey | None:
    """The key of a work that is known by its page only, or None if the text is no address of a page.

    Two ways to write one address give one key: case of the host, ``http`` for ``https``, the default port
    and what only tells where a visitor comes from (``utm_…``) do not count. A fragment counts: there are
    feeds whose entries are parts of one page.
    """
    try:
        parts = urlsplit(address.strip().replace(" ", "%20"))
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not host:
        return None
    place = f"{host}:{port}" if port not in {None, 80, 443} else host
    query = "&".join(one for one in parts.query.split("&") if one and not _TRACKING.match(one))
    fragment = "" if _TRACKING.match(parts.fragment) else parts.fragment
    whole = (
        f"https://{place}{parts.path or '/'}" + f"?{query}" * bool(query) + f"#{fragment}" * bool(fragment)
    )
    return bounded_key(f"url:{whole}")


def bounded_key(key: str) -> PaperKey:
    """A key of bearable length: the end of a long one is told by its hash."""
    if len(key) <= _LONGEST_KEY:
        return PaperKey(key)
    return PaperKey(
        f"{key[: _LONGEST_KEY - 65]}~{hashlib.sha256(key.encode('utf-8', 'replace')).hexdigest()}"
    )


# --- papers ---------------------------------------------------------------------------------------


def paper_ids(paper: Paper) -> tuple[tuple[str, str], ...]:
    """What others may know a paper by: pairs of scheme (``arxiv``, ``doi``) and value."""
    scheme, _, value = paper.key.partition(":")
    ids = [(scheme, value)] if scheme in {"arxiv", "doi"} else []
    if paper.doi and (arxiv := arxiv_id(paper.doi)):
        ids.append(("arxiv", arxiv[0]))
    elif paper.doi and (bare := doi(paper.doi)):
        ids.append(("doi", bare))
    return tuple(dict.fromkeys(ids))
