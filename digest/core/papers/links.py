r"""Extraction of addresses of code and project pages from abstracts and comments.

People type them without a scheme, followed by a full stop or bracket, in TeX (``\url{…}``, ``\_``), in
Markdown, and broken at the end of a line. arXiv's pages replace them by ``this https URL``, from which
nothing can be extracted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from digest.core.papers.withdrawal import is_withdrawn
from digest.model import Paper

CODE_HOSTS = (
    "github.com",
    "gitlab.com",
    "bitbucket.org",
    "codeberg.org",
    "sourceforge.net",
    "huggingface.co",
    "anonymous.4open.science",
)
"""Hosts of code; every address there counts as code, except project pages."""
_PAGE_HOSTS = ("github.io", "gitlab.io", "netlify.app", "vercel.app", "pages.dev")
"""Hosts of web pages, on which each owner has a subdomain."""
_NON_CODE_PATHS = frozenset({"blog", "chat", "docs", "join", "learn", "papers", "posts", "pricing", "tasks"})
"""First parts of a path on huggingface.co that does not lead to a model, data set or space."""
_MAX_LINKS = 5
"""Maximum number of links of each kind; a paper with more is a survey that lists the works of others."""


def add_paper_links(paper: Paper) -> Paper:
    """Return the paper with the addresses of code and project pages from its abstract and comment.

    There are at most five of each. The paper is also marked as withdrawn if its title, abstract or comment
    says so.
    """
    code, project_pages = list(paper.code_urls), list(paper.project_urls)
    for text in (paper.comment, paper.abstract):
        for is_code, address in _find_addresses(_cut_before_addresses(text)):
            _add_address(code if is_code else project_pages, address)
    withdrawn = paper.withdrawn or is_withdrawn(paper.title, paper.abstract, paper.comment)
    if (len(code), len(project_pages), withdrawn) == (
        len(paper.code_urls),
        len(paper.project_urls),
        paper.withdrawn,
    ):
        return paper
    return replace(paper, code_urls=tuple(code), project_urls=tuple(project_pages), withdrawn=withdrawn)


def _add_address(addresses: list[str], address: str) -> None:
    if len(addresses) < _MAX_LINKS and address.lower() not in map(str.lower, addresses):
        addresses.append(address)


# --- finding --------------------------------------------------------------------------------------

_ADDRESS_STARTS = ("http", "www.")
_HOST = re.compile(r"\.(?:(?:com?|org|net|science)/|io\b|app\b|dev\b)")
"""The end of a host of code or pages, for addresses without a scheme."""
_HOST_NAME = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?::\d+)?")
_TEX = re.compile(r"\{?\\([_%#&~])(?:\{\})?\}?|\{?\\text(underscore|asciitilde)(?:\{\})?\}?")
_TEX_CHARACTERS = {"underscore": "_", "asciitilde": "~"}
_REPAIRS = (
    (re.compile(r"(https?:)\s*//?\s*(?=[\w-]+\s?\.)", re.IGNORECASE), r"\1//"),
    (re.compile(r"\b(github|gitlab|huggingface)\.\s(com?)\s?/\s?", re.IGNORECASE), r"\1.\2/"),
    (re.compile(r"\b(github\.com|gitlab\.com|huggingface\.co)/\s(?=[\w.-]+/\w)", re.IGNORECASE), r"\1/"),
    (re.compile(r"\b(github\.com/[\w-]+/)\s(?=\w+[-_]\w)", re.IGNORECASE), r"\1"),
    (re.compile(r"\b(github\.com/[\w./-]{1,100}-)\s(?=\w)", re.IGNORECASE), r"\1"),
)
"""Patterns and replacements for addresses that were broken at the end of a line."""
_ADDRESS = re.compile(
    rf"""(?: (?P<scheme>https?)://
           | (?<![\w@./-]) (?= www\. | (?:{"|".join(map(re.escape, CODE_HOSTS))}|hf\.co|sites\.google\.com)/
                              | [\w-]+\.(?:{"|".join(map(re.escape, _PAGE_HOSTS))})\b ) )
        (?P<rest> (?: (?!https?://) [\w.~:/?#@!$&'()*+=%-] ){{1,500}} )""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_PROJECT_PAGE_WORDS = re.compile(
    r"""(?: \b (?:project|our|paper|companion|accompanying) \s (?:\w+\s)? | (?:^|[.,;:|(!]) \s? )
        (?:project\s)? (?: web\s?(?:site|page) | home\s?page | site | page ) \b [^.;]{0,40} $""",
    re.VERBOSE | re.IGNORECASE,
)
_VENUE_WORDS = re.compile(
    r"\b(?:conference|workshop|challenge|competition|meeting|symposium|accepted|presented|award)\b[^.;]*$",
    re.IGNORECASE,
)
_CONTEXT_LENGTH = 70
"""Length of the text before an address, in characters, that may say what it leads to."""


def _cut_before_addresses(text: str) -> str:
    """Return the text from shortly before the first possible address; most addresses are at the end."""
    lowercase_text = text.lower()
    positions = [
        position for address_start in _ADDRESS_STARTS if (position := lowercase_text.find(address_start)) >= 0
    ]
    if host := _HOST.search(lowercase_text):
        positions.append(host.start())
    if not positions:
        return ""
    # A few letters become longer in lower case; then the positions are not those in the text.
    return text[max(0, min(positions) - 2 * _CONTEXT_LENGTH) :] if len(lowercase_text) == len(text) else text


def _find_addresses(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the addresses in order, each after True for code or False for a project page."""
    if not text:
        return
    if "\\" in text:
        text = _TEX.sub(lambda match: match[1] or _TEX_CHARACTERS[match[2]], text)
    for broken, repaired in _REPAIRS:
        text = broken.sub(repaired, text)
    for match in _ADDRESS.finditer(text):
        host, path = _split_host_and_path(match["rest"])
        if not _HOST_NAME.fullmatch(host):
            continue
        if _is_below(host, CODE_HOSTS) or host in CODE_HOSTS:
            if code := _make_code_address(host, path):
                yield True, code
        elif page := _make_page_address(
            host, path, match["scheme"], text[max(0, match.start() - _CONTEXT_LENGTH) : match.start()]
        ):
            yield False, page


def _split_host_and_path(address: str) -> tuple[str, str]:
    while address and (
        address[-1] in ".,:!?'*&=/#" or (address[-1] == ")" and address.count(")") > address.count("("))
    ):
        address = address[:-1]
    host, _, path = address.partition("/")
    host = host.lower().removeprefix("www.")
    return {"hf.co": "huggingface.co"}.get(host, host), path


def _is_below(host: str, hosts: tuple[str, ...]) -> bool:
    return host.endswith(tuple(f".{site}" for site in hosts))


def _make_code_address(host: str, path: str) -> str:
    """Return the address of code, or "".

    An owner without a repository suffices: papers refer to it if they have several repositories, or none yet.
    """
    path = re.split(r"[?#(]", path, maxsplit=1)[0].rstrip(".").rstrip("/").removesuffix(".git")
    path = path.rstrip(".,:!?/").lstrip("/")  # what stood before the suffix may end a sentence, too
    if host == "huggingface.co" and path.partition("/")[0] in _NON_CODE_PATHS:
        return ""
    if path:
        return f"https://{host}/{path}"
    return f"https://{host}" if host.endswith(".sourceforge.net") else ""


def _make_page_address(host: str, path: str, scheme: str | None, context: str) -> str:
    """Return the address of a project page, or "".

    On hosts of web pages, every address counts unless its context names a venue; on other hosts, only those
    count that the context calls a project page.
    """
    address = f"{host}/{path}".rstrip("/")
    if _is_below(host, _PAGE_HOSTS) or address.startswith("sites.google.com/"):
        return (
            f"https://{address}"
            if _PROJECT_PAGE_WORDS.search(context) or not _VENUE_WORDS.search(context)
            else ""
        )
    # Other hosts may not support https, so the scheme is kept as typed.
    return (
        f"{(scheme or 'https').lower()}://{address}"
        if "." in host and _PROJECT_PAGE_WORDS.search(context)
        else ""
    )
