"""Identity of papers: arXiv ids and DOIs in every form that is written, and the one key each gives.

arXiv's forms and ranges: https://info.arxiv.org/help/arxiv_identifier.html. The syntax of a DOI:
https://www.doi.org/doi-handbook/HTML/doi-name-syntax.html; which page of a publisher is which DOI's was learnt
from recorded answers of Crossref, OpenAlex and feeds.
"""

from __future__ import annotations

import hashlib
import html
import re
from urllib.parse import quote, unquote, urlsplit

from digest.core.papers.taxonomy import known
from digest.model import PaperKey

# --- arXiv ----------------------------------------------------------------------------------------

_BEFORE = re.compile(
    r"""oai:arxiv\.org:
      | (?:https?://)? (?:[\w-]+\.)*
        (?: (?:arxiv|alphaxiv|ar5iv)\.org | (?:huggingface|hf)\.co | (?:scirate|arxiv-vanity)\.com | lanl\.gov
          | semanticscholar\.org | inspirehep\.net | adsabs\.harvard\.edu ) /
        (?: (?: abs | pdf | html | ps | src | e-print | format | overview | papers? | arxiv | eprint | graph/v1/paper
              | ftp/[\w-]+/papers/\d{4} ) / )+
        (?: arxiv: )?
      | (?:arxiv\s(?:preprint|e-?prints?),?\s)? (?:urn:|info:)? arxiv (?: \s*[:.\uff1a]\s* | \s+ )
      | (?:corr\W{1,2})? abs/""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_ID = re.compile(
    r"""(?: ( \d{2} (?:0[1-9]|1[0-2]) ) \. ( \d{4,5} )
          | ( [a-z]+(?:-[a-z]+)? ) (?: \. [a-z-]{2,9} )? / ( \d{2} (?:0[1-9]|1[0-2]) \d{3} ) )
        (?: v ( [1-9]\d{0,2} ) )?
        (?: \.pdf | / )? [.,;]? (?: \s* (?: \[[\w.-]+\] | \([\w.-]+\) ) .* )? (?: [?\#] .* )?""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_OWN_DOI = "10.48550/arxiv."
_BIBCODE = re.compile(r"(?:19|20)\d\darxiv(\d{4})\.?(\d{4,5})[a-z]", re.IGNORECASE | re.ASCII)
"""What NASA's ADS calls it: year, number without its dot, and the author's initial."""


def arxiv_id(text: str) -> tuple[str, int | None] | None:
    """The arXiv id that a text is, whatever way it is written, or None.

    Args:
        text: ``2401.00001v2``, ``arXiv:2401.00001 [cs.LG]``, ``math.GT/0309136``, ``oai:arXiv.org:…``,
            ``10.48550/arXiv.2401.00001``, or the address of a page about the paper.

    Returns:
        The id as arXiv goes by it, without version and class (``math/0309136``), and the version, None if
        the text names none.
    """
    text = _bare(unquote(text) if "%" in text else text)
    before = _BEFORE.match(text)
    found = _ID.fullmatch(text, before.end() if before else 0)
    if not found and _OWN_DOI in text.lower():
        found = _ID.fullmatch(_written_doi(text).lower().removeprefix(_OWN_DOI))
    if not found and (code := _BIBCODE.fullmatch(text.rsplit("/", maxsplit=1)[-1])):
        found = _ID.fullmatch(f"{code[1]}.{code[2]}")
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


def arxiv_year(key: PaperKey) -> int | None:
    """The year in which a paper got its arXiv id; None where its key is another one."""
    if not key.startswith("arxiv:"):
        return None
    return _month(key.removeprefix("arxiv:").rpartition("/")[2]) // 100


def _month(old: str) -> int:
    """Year and month; the old numbers began in 1991."""
    century = 190000 if old[:2] >= "91" else 200000
    return century + int(old[:4])


# --- DOIs -----------------------------------------------------------------------------------------

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+", re.ASCII)
_NAMED = re.compile(r"(?:urn:doi:|info:doi/|doi(?:\s*[:\uff1a=]\s*|\s+))+", re.IGNORECASE | re.ASCII)
_ADDRESS = re.compile(
    r"(?:https?://)?(?P<host>(?:[a-z0-9-]+\.)+[a-z]{2,})(?::\d+)?/(?P<rest>\S+)", re.IGNORECASE | re.ASCII
)
_RESOLVERS = re.compile(r"(?:.+\.)?doi\.org|doi-org\..+|(?:doi|dx|link)\..+")
"""Hosts that have DOIs right behind them: the resolver, it behind a library's proxy, and publishers' own."""
_MARK = re.compile(
    r"""(?:^|/)
        (?: doi(?:finder)? (?:/[a-z-]+)? | articles? | chapter | book | protocol | referenceworkentry | content(?:/pdf)?
          | abstract | pdf | works | dois | paper )
        / (?: doi: | https?://(?:dx\.)?doi\.org/ )? (?=10\.\d)""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
"""What stands before a DOI in the path of a page about it."""
_ASKED_FOR = re.compile(r"[?&](?:doi|id)=(10\.\d{4,9}/[^&#\s]+)", re.IGNORECASE | re.ASCII)
_ENDING = re.compile(
    r"""(?: / (?: full(?:text|pdf)? | e?pdf | abstract | html | meta | summary | references | metrics | figures )
          | \. (?: pdf | html? | epub ) )+ $""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
"""What a publisher's page has behind the DOI."""
_NUMBERED = re.compile(r"(article(?:-\w+)?/doi/10\.[^/]+/.+?)/\d{5,}(?:/.*)?$", re.IGNORECASE | re.ASCII)
"""Some have a number of their own there, and the title."""
_NATURE = re.compile(r"articles/([a-z0-9-]+)(?:\.pdf|/.*)?", re.IGNORECASE | re.ASCII)
_EARLY = re.compile(
    r"content/(?:\w+/)?early/(\d{4})/(\d\d)/\d\d/((?:\d{4}\.\d\d\.\d\d\.)?\d{6,8})(?:[v.].*)?",
    re.IGNORECASE | re.ASCII,
)
_OPENRXIV = re.compile(
    r"(10\.(?:1101|64898)/(?:\d{4}\.\d\d\.\d\d\.)?\d{6,8}) (?:v\d{1,3})? (?:\.(?:full|abstract|article|source|supp)\S*)?",
    re.VERBOSE | re.ASCII,
)
"""A DOI of bioRxiv or medRxiv; a version behind it is none of its own."""
_LONGEST = 2_000
"""Characters that are looked at: an address is no longer, and brackets that do not close take long."""
_PAIRS = {")": "(", "]": "[", ">": "<", "}": "{"}


def doi(text: str) -> str | None:
    """The DOI that a text is, bare and in lower case (DOIs know no case), or None.

    Args:
        text: bare, with ``doi:`` before it, or the address of a resolver, or of a publisher's page that has the
            DOI in it; from others (IEEE, Elsevier) it cannot be told.

    Returns:
        None also for arXiv's own DOIs (``10.48550/arXiv.…``): those are arXiv ids.
    """
    found = _DOI.fullmatch(_written_doi(_bare(text[:_LONGEST])))
    if not found or arxiv_id(found[0]):
        return None
    bare = found[0].lower()
    while bare[-1] in ".,;:'\"" or (
        bare[-1] in _PAIRS and bare.count(bare[-1]) > bare.count(_PAIRS[bare[-1]])
    ):
        bare = bare[:-1]
    if own := _OPENRXIV.fullmatch(bare):
        bare = own[1]
    return None if bare.endswith("/") else bare


def doi_address(number: str) -> str:
    """The address that a DOI, bare, leads by."""
    return "https://doi.org/" + quote(number, safe="/:;()._-", errors="replace")


def _written_doi(text: str) -> str:
    """What may be a DOI in a text that is one or an address with one; "" if there is none."""
    text = _unnamed(text)
    if not (address := _ADDRESS.fullmatch(text)):
        return _unquoted(text)
    host, rest = address["host"].lower(), address["rest"]
    path = re.split(r"[?#]", rest, maxsplit=1)[0]  # in a DOI these would be percent-encoded
    if _RESOLVERS.fullmatch(host) and (found := _DOI.fullmatch(_unnamed(_unquoted(path)))):
        return found[0]
    return _of_page(host, _unquoted(path), rest)


def _unnamed(text: str) -> str:
    return text[named.end() :] if (named := _NAMED.match(text)) else text


def _of_page(host: str, path: str, rest: str) -> str:
    if mark := _MARK.search(path):
        path = _NUMBERED.sub(r"\1", path)
        return _ENDING.sub("", path[mark.end() :])
    if asked := _ASKED_FOR.search(rest):
        return _unquoted(asked[1])
    if _is_of(host, "nature.com") and (article := _NATURE.fullmatch(path)):
        return f"10.1038/{article[1]}"
    if (_is_of(host, "biorxiv.org") or _is_of(host, "medrxiv.org")) and (early := _EARLY.fullmatch(path)):
        # https://connect.biorxiv.org/news/2025/11/18/preprint_dois: a prefix of its own since December 2025.
        prefix = "10.1101" if (early[1], early[2]) < ("2025", "12") else "10.64898"
        return f"{prefix}/{early[3]}"
    return ""


def _is_of(host: str, site: str) -> bool:
    return host == site or host.endswith(f".{site}")


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


# --- any of these ---------------------------------------------------------------------------------


def best_key(*, arxiv: str, published: str, page: str) -> PaperKey:
    """The key of a paper by the best of what it is known by.

    Args:
        arxiv: its arXiv id, or "".
        published: a DOI, bare and in lower case, or "".
        page: the address of a page about it.
    """
    if arxiv:
        return PaperKey(f"arxiv:{arxiv}")
    return bounded_key(f"doi:{published}" if published else page_key(page) or f"url:{page}")


def paper_key(written: str) -> PaperKey | None:
    """The key that an id in any form, the address of a page, or a key itself stands for; None if it is none."""
    if key := arxiv_key(written):
        return key
    if found := doi(written):
        return bounded_key(f"doi:{found}")
    return page_key(_bare(written).removeprefix("url:"))


# --- how texts come -------------------------------------------------------------------------------

_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|#\d{1,5}|#x[0-9a-f]{1,4});", re.IGNORECASE)
_AROUND = {"(": ")", "[": "]", "<": ">", "{": "}", '"': '"', "'": "'", "\u201c": "\u201d"}


def _bare(text: str) -> str:
    """Without blanks, brackets and quotation marks around it, and without HTML's escapes."""
    text = _unescaped(text)
    start, end = 0, len(text)
    while True:  # by places: a text of nothing but quotation marks would be copied for each of them
        while start < end and text[start].isspace():
            start += 1
        while start < end and text[end - 1].isspace():
            end -= 1
        if end - start < 2 or _AROUND.get(text[start]) != text[end - 1]:
            return text[start:end]
        start, end = start + 1, end - 1


def _unescaped(text: str) -> str:
    while "&" in text and (plain := _ENTITY.sub(lambda found: html.unescape(found[0]), text)) != text:
        text = plain
    return text


def _unquoted(text: str) -> str:
    while "%" in text and (plain := _unescaped(unquote(text))) != text:
        text = plain
    return text
