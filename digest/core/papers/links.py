r"""The addresses of a paper's code and of its own pages, as people type them into abstracts and comments.

They come without a scheme, with a full stop or bracket behind, in TeX (``\url{…}``, ``\_``), in Markdown, and
broken at the end of a line. arXiv's pages print ``this https URL`` for them, which is nothing to go by.
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
"""Who keeps code; an address there is code, project pages are not."""
_PAGE_HOSTS = ("github.io", "gitlab.io", "netlify.app", "vercel.app", "pages.dev")
"""Who keeps pages, each owner's below a name of its own."""
_NON_CODE_PATHS = frozenset({"blog", "chat", "docs", "join", "learn", "papers", "posts", "pricing", "tasks"})
"""What begins a path on huggingface.co that is not a model, data set or space."""
_MAX_LINKS = 5
"""Of each kind; a paper with more of them is a survey, and lists the works of others."""


def add_paper_links(paper: Paper) -> Paper:
    """The paper with what its abstract and comment tell of it.

    Returns:
        With the code and project addresses found there added to its own, up to five of each, and marked as
        withdrawn if they say so.
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
"""The end of a host that keeps code or pages, for addresses typed without a scheme."""
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
"""Addresses that were broken at the end of a line."""
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
"""Characters before an address that may say what it is."""


def _cut_before_addresses(text: str) -> str:
    """The text from a little before the first thing that looks like an address: most stand at the end."""
    lowercase_text = text.lower()
    positions = [
        position for address_start in _ADDRESS_STARTS if (position := lowercase_text.find(address_start)) >= 0
    ]
    if host := _HOST.search(lowercase_text):
        positions.append(host.start())
    if not positions:
        return ""
    # A few letters are longer in lower case, and then the places are not those in the text.
    return text[max(0, min(positions) - 2 * _CONTEXT_LENGTH) :] if len(lowercase_text) == len(text) else text


def _find_addresses(text: str) -> Iterator[tuple[bool, str]]:
    """Those of code (True) and of project pages (False), in their order."""
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
    """An owner alone will do: papers print it when they have several repositories, or none yet."""
    path = re.split(r"[?#(]", path, maxsplit=1)[0].rstrip(".").rstrip("/").removesuffix(".git").strip("/")
    if host == "huggingface.co" and path.partition("/")[0] in _NON_CODE_PATHS:
        return ""
    if path:
        return f"https://{host}/{path}"
    return f"https://{host}" if host.endswith(".sourceforge.net") else ""


def _make_page_address(host: str, path: str, scheme: str | None, context: str) -> str:
    """Anybody's pages where the text says so; at those that keep such pages, unless it is a conference's."""
    address = f"{host}/{path}".rstrip("/")
    if _is_below(host, _PAGE_HOSTS) or address.startswith("sites.google.com/"):
        return (
            f"https://{address}"
            if _PROJECT_PAGE_WORDS.search(context) or not _VENUE_WORDS.search(context)
            else ""
        )
    # Elsewhere https may not be there: the scheme is as typed.
    return (
        f"{(scheme or 'https').lower()}://{address}"
        if "." in host and _PROJECT_PAGE_WORDS.search(context)
        else ""
    )
