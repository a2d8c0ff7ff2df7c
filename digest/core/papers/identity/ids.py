"""IDs of papers: parsing of arXiv IDs, DOIs and addresses in any notation, and the key that each stands for.

Notations and ranges of arXiv IDs: https://info.arxiv.org/help/arxiv_identifier.html. Syntax of DOIs:
https://www.doi.org/doi-handbook/HTML/doi-name-syntax.html. How publishers' pages map to DOIs was derived from
recorded answers of Crossref, OpenAlex and feeds.
"""

from __future__ import annotations

import hashlib
import html
import re
from urllib.parse import quote, unquote, urlsplit

from digest.core.papers.taxonomy import is_known_category
from digest.model import PaperKey

# --- arXiv ----------------------------------------------------------------------------------------

_ARXIV_PREFIX = re.compile(
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
_ARXIV_ID = re.compile(
    r"""(?: ( \d{2} (?:0[1-9]|1[0-2]) ) \. ( \d{4,5} )
          | ( [a-z]+(?:-[a-z]+)? ) (?: \. [a-z-]{2,9} )? / ( \d{2} (?:0[1-9]|1[0-2]) \d{3} ) )
        (?: v ( [1-9]\d{0,2} ) )?
        (?: \.pdf | / )? [.,;]? (?: \s* (?: \[[\w.-]+\] | \([\w.-]+\) ) .* )? (?: [?\#] .* )?""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_ARXIV_DOI = "10.48550/arxiv."
_BIBCODE = re.compile(r"(?:19|20)\d\darxiv(\d{4})\.?(\d{4,5})[a-z]", re.IGNORECASE | re.ASCII)
"""A bibcode of NASA's ADS for an arXiv paper: year, number without its dot, and the author's initial."""


def parse_arxiv_id(text: str) -> tuple[str, int | None] | None:
    """Parse an arXiv ID in any notation.

    Args:
        text: ``2401.00001v2``, ``arXiv:2401.00001 [cs.LG]``, ``math.GT/0309136``, ``oai:arXiv.org:…``,
            ``10.48550/arXiv.2401.00001``, or the address of a page about the paper.

    Returns:
        The canonical ID without version and subject class (``math/0309136``), and the version, which is None
        if the text contains none; or None if the text is not an arXiv ID.
    """
    text = _strip_enclosing_marks(unquote(text) if "%" in text else text)
    prefix = _ARXIV_PREFIX.match(text)
    match = _ARXIV_ID.fullmatch(text, prefix.end() if prefix else 0)
    if not match and _ARXIV_DOI in text.lower():
        match = _ARXIV_ID.fullmatch(_extract_doi(text).lower().removeprefix(_ARXIV_DOI))
    if not match and (bibcode := _BIBCODE.fullmatch(text.rsplit("/", maxsplit=1)[-1])):
        match = _ARXIV_ID.fullmatch(f"{bibcode[1]}.{bibcode[2]}")
    if not match:
        return None
    month, number, archive, old_number, version = match.groups()
    if month:
        # Numbers have four digits from April 2007 to December 2014, and five since then.
        is_real = month >= "0704" and (len(number) == 4) == (month <= "1412")
        identifier = f"{month}.{number}"
    else:
        is_real = is_known_category(archive) and 199107 <= _parse_month(old_number) <= 200703
        identifier = f"{archive.lower()}/{old_number}"
    return (identifier, int(version) if version else None) if is_real else None


def parse_arxiv_key(text: str) -> PaperKey | None:
    """Return the key of the paper with an arXiv ID in any notation, or None."""
    arxiv_paper = parse_arxiv_id(text)
    return PaperKey(f"arxiv:{arxiv_paper[0]}") if arxiv_paper else None


def get_arxiv_year(key: PaperKey) -> int | None:
    """Return the year in which a paper got its arXiv ID; None for other keys."""
    month = get_arxiv_month(key)
    return month[0] if month else None


def get_arxiv_month(key: PaperKey) -> tuple[int, int] | None:
    """Return year and month in which a paper got its arXiv ID; None for other keys."""
    if not key.startswith("arxiv:"):
        return None
    return divmod(_parse_month(key.removeprefix("arxiv:").rpartition("/")[2]), 100)


def _parse_month(number: str) -> int:
    """Return year and month as a number (``200704``); the old numbers began in 1991."""
    century = 190000 if number[:2] >= "91" else 200000
    return century + int(number[:4])


# --- DOIs -----------------------------------------------------------------------------------------

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+", re.ASCII)
_DOI_PREFIX = re.compile(r"(?:urn:doi:|info:doi/|doi(?:\s*[:\uff1a=]\s*|\s+))+", re.IGNORECASE | re.ASCII)
_ADDRESS = re.compile(
    r"(?:https?://)?(?P<host>(?:[a-z0-9-]+\.)+[a-z]{2,})(?::\d+)?/(?P<rest>\S+)", re.IGNORECASE | re.ASCII
)
_RESOLVERS = re.compile(r"(?:.+\.)?doi\.org|doi-org\..+|(?:doi|dx|link)\..+")
"""Hosts whose path is a DOI: the resolver, also behind a library's proxy, and publishers' own resolvers."""
_DOI_PATH = re.compile(
    r"""(?:^|/)
        (?: doi(?:finder)? (?:/[a-z-]+)? | articles? | chapter | book | protocol | referenceworkentry | content(?:/pdf)?
          | abstract | pdf | works | dois | paper )
        / (?: doi: | https?://(?:dx\.)?doi\.org/ )? (?=10\.\d)""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
"""The part of a path before the DOI, on a page about a paper."""
_DOI_PARAMETER = re.compile(r"[?&](?:doi|id)=(10\.\d{4,9}/[^&#\s]+)", re.IGNORECASE | re.ASCII)
_PAGE_SUFFIX = re.compile(
    r"""(?: / (?: full(?:text|pdf)? | e?pdf | abstract | html | meta | summary | references | metrics | figures )
          | \. (?: pdf | html? | epub ) )+ $""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
"""The part of a path after the DOI, on a publisher's page."""
_ARTICLE_NUMBER = re.compile(
    r"(article(?:-\w+)?/doi/10\.[^/]+/.+?)/\d{5,}(?:/.*)?$", re.IGNORECASE | re.ASCII
)
"""A path that continues after the DOI with the publisher's own number and the title."""
_NATURE = re.compile(r"articles/([a-z0-9-]+)(?:\.pdf|/.*)?", re.IGNORECASE | re.ASCII)
_EARLY_RELEASE = re.compile(
    r"content/(?:\w+/)?early/(\d{4})/(\d\d)/\d\d/((?:\d{4}\.\d\d\.\d\d\.)?\d{6,8})(?:[v.].*)?",
    re.IGNORECASE | re.ASCII,
)
_OPENRXIV = re.compile(
    r"(10\.(?:1101|64898)/(?:\d{4}\.\d\d\.\d\d\.)?\d{6,8}) (?:v\d{1,3})? (?:\.(?:full|abstract|article|source|supp)\S*)?",
    re.VERBOSE | re.ASCII,
)
"""A DOI of bioRxiv or medRxiv; a version after it does not belong to the DOI."""
_MAX_TEXT_LENGTH = 2_000
"""Maximum number of characters that are examined; addresses are shorter, and unbalanced brackets are slow to match."""
_BRACKETS = {")": "(", "]": "[", ">": "<", "}": "{"}


def parse_doi(text: str) -> str | None:
    """Parse a DOI into its bare form in lower case (DOIs are case-insensitive).

    Args:
        text: a DOI, bare or with ``doi:`` before it, the address of a resolver, or of a publisher's page that
            contains the DOI. Other pages (IEEE, Elsevier) do not reveal it.

    Returns:
        None if the text is not a DOI, or one of arXiv's (``10.48550/arXiv.…``), which counts as an arXiv ID.
    """
    match = _DOI.fullmatch(_extract_doi(_strip_enclosing_marks(text[:_MAX_TEXT_LENGTH])))
    if not match or parse_arxiv_id(match[0]):
        return None
    doi_value = match[0].lower()
    while doi_value[-1] in ".,;:'\"" or (
        doi_value[-1] in _BRACKETS
        and doi_value.count(doi_value[-1]) > doi_value.count(_BRACKETS[doi_value[-1]])
    ):
        doi_value = doi_value[:-1]
    if openrxiv_match := _OPENRXIV.fullmatch(doi_value):
        doi_value = openrxiv_match[1]
    return None if doi_value.endswith("/") else doi_value


def build_doi_address(doi_value: str) -> str:
    """Return the address of the resolver for a bare DOI."""
    return "https://doi.org/" + quote(doi_value, safe="/:;()._-", errors="replace")


def _extract_doi(text: str) -> str:
    """Return the possible DOI in a text or address; "" if an address contains none."""
    text = _strip_doi_prefix(text)
    if not (address := _ADDRESS.fullmatch(text)):
        return _decode_percent(text)
    host, path_and_query = address["host"].lower(), address["rest"]
    path = re.split(r"[?#]", path_and_query, maxsplit=1)[0]  # in a DOI, these signs would be percent-encoded
    if _RESOLVERS.fullmatch(host) and (match := _DOI.fullmatch(_strip_doi_prefix(_decode_percent(path)))):
        return match[0]
    return _extract_page_doi(host, _decode_percent(path), path_and_query)


def _strip_doi_prefix(text: str) -> str:
    return text[prefix.end() :] if (prefix := _DOI_PREFIX.match(text)) else text


def _extract_page_doi(host: str, path: str, path_and_query: str) -> str:
    if path_match := _DOI_PATH.search(path):
        path = _ARTICLE_NUMBER.sub(r"\1", path)
        return _PAGE_SUFFIX.sub("", path[path_match.end() :])
    if parameter := _DOI_PARAMETER.search(path_and_query):
        return _decode_percent(parameter[1])
    if _is_host_of(host, "nature.com") and (article := _NATURE.fullmatch(path)):
        return f"10.1038/{article[1]}"
    if (_is_host_of(host, "biorxiv.org") or _is_host_of(host, "medrxiv.org")) and (
        early_release := _EARLY_RELEASE.fullmatch(path)
    ):
        # openRxiv has its own prefix since December 2025: https://connect.biorxiv.org/news/2025/11/18/preprint_dois.
        prefix = "10.1101" if (early_release[1], early_release[2]) < ("2025", "12") else "10.64898"
        return f"{prefix}/{early_release[3]}"
    return ""


def _is_host_of(host: str, site: str) -> bool:
    return host == site or host.endswith(f".{site}")


# --- pages ----------------------------------------------------------------------------------------

_MAX_KEY_LENGTH = 500
"""Maximum length of a key, in characters; an index of PostgreSQL takes no row of more than 2,704 bytes."""
_TRACKING = re.compile(r"(?:utm_[^=&]*|fbclid|gclid|mc_cid|mc_eid)(?:=|$)", re.IGNORECASE)


def make_page_key(address: str) -> PaperKey | None:
    """Return the key of a work that is only identified by its page, or None if the text is not a web address.

    Different spellings of an address give one key: case of the host, ``http`` for ``https``, the default port
    and parameters that track visitors (``utm_…``) are ignored. Fragments count, because some feeds have
    entries that are parts of one page.
    """
    try:
        parts = urlsplit(address.strip().replace(" ", "%20"))
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not host:
        return None
    host_and_port = f"{host}:{port}" if port not in {None, 80, 443} else host
    query = "&".join(
        parameter for parameter in parts.query.split("&") if parameter and not _TRACKING.match(parameter)
    )
    fragment = "" if _TRACKING.match(parts.fragment) else parts.fragment
    url = (
        f"https://{host_and_port}{parts.path or '/'}"
        + f"?{query}" * bool(query)
        + f"#{fragment}" * bool(fragment)
    )
    return limit_key(f"url:{url}")


def limit_key(key: str) -> PaperKey:
    """Return a key of limited length; the end of a long one is replaced by a hash."""
    if len(key) <= _MAX_KEY_LENGTH:
        return PaperKey(key)
    return PaperKey(
        f"{key[: _MAX_KEY_LENGTH - 65]}~{hashlib.sha256(key.encode('utf-8', 'replace')).hexdigest()}"
    )


# --- keys -----------------------------------------------------------------------------------------


def choose_key(*, arxiv: str, doi_value: str, page: str) -> PaperKey:
    """Return the key of a paper, made from the most reliable of its IDs.

    Args:
        arxiv: its arXiv ID, or "".
        doi_value: a DOI, bare and in lower case, or "".
        page: the address of a page about it.
    """
    if arxiv:
        return PaperKey(f"arxiv:{arxiv}")
    return limit_key(f"doi:{doi_value}" if doi_value else make_page_key(page) or f"url:{page}")


def parse_paper_key(text: str) -> PaperKey | None:
    """Return the key that an ID in any notation, the address of a page, or a key stands for; None for other texts."""
    if key := parse_arxiv_key(text):
        return key
    if doi_value := parse_doi(text):
        return limit_key(f"doi:{doi_value}")
    return make_page_key(_strip_enclosing_marks(text).removeprefix("url:"))


# --- decoding -------------------------------------------------------------------------------------

_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|#\d{1,5}|#x[0-9a-f]{1,4});", re.IGNORECASE)
_ENCLOSING_MARKS = {"(": ")", "[": "]", "<": ">", "{": "}", '"': '"', "'": "'", "\u201c": "\u201d"}


def _strip_enclosing_marks(text: str) -> str:
    """Remove surrounding white space, brackets and quotation marks, and decode HTML entities."""
    text = _decode_entities(text)
    start, end = 0, len(text)
    while True:  # by index, because slices would copy a long run of quotation marks once for each
        while start < end and text[start].isspace():
            start += 1
        while start < end and text[end - 1].isspace():
            end -= 1
        if end - start < 2 or _ENCLOSING_MARKS.get(text[start]) != text[end - 1]:
            return text[start:end]
        start, end = start + 1, end - 1


def _decode_entities(text: str) -> str:
    while "&" in text and (decoded := _ENTITY.sub(lambda match: html.unescape(match[0]), text)) != text:
        text = decoded
    return text


def _decode_percent(text: str) -> str:
    while "%" in text and (decoded := _decode_entities(unquote(text))) != text:
        text = decoded
    return text
