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
_NO_CODE = frozenset({"blog", "chat", "docs", "join", "learn", "papers", "posts", "pricing", "tasks"})
"""What begins a path on huggingface.co that is not a model, data set or space."""
_MOST = 5
"""Of each kind; a paper with more of them is a survey, and lists the works of others."""


def linked(paper: Paper) -> Paper:
    """The paper with what its abstract and comment tell of it.

    Returns:
        With the code and project addresses found there added to its own, up to five of each, and marked as
        withdrawn if they say so.
    """
    code, pages = list(paper.code_urls), list(paper.project_urls)
    for text in (paper.comment, paper.abstract):
        for is_code, address in _addresses(_from_first_sign(text)):
            _add(code if is_code else pages, address)
    withdrawn = paper.withdrawn or is_withdrawn(paper.title, paper.abstract, paper.comment)
    if (len(code), len(pages), withdrawn) == (len(paper.code_urls), len(paper.project_urls), paper.withdrawn):
        return paper
    return replace(paper, code_urls=tuple(code), project_urls=tuple(pages), withdrawn=withdrawn)


def _add(known: list[str], address: str) -> None:
    if len(known) < _MOST and address.lower() not in map(str.lower, known):
        known.append(address)


# --- finding --------------------------------------------------------------------------------------

_SIGNS = ("http", "www.")
_HOST = re.compile(r"\.(?:(?:com?|org|net|science)/|io\b|app\b|dev\b)")
"""The end of a host that keeps code or pages, for addresses typed without a scheme."""
_HOST_NAME = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?::\d+)?")
_TEX = re.compile(r"\{?\\([_%#&~])(?:\{\})?\}?|\{?\\text(underscore|asciitilde)(?:\{\})?\}?")
_MEANT = {"underscore": "_", "asciitilde": "~"}
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
_ITS_PAGE = re.compile(
    r"""(?: \b (?:project|our|paper|companion|accompanying) \s (?:\w+\s)? | (?:^|[.,;:|(!]) \s? )
        (?:project\s)? (?: web\s?(?:site|page) | home\s?page | site | page ) \b [^.;]{0,40} $""",
    re.VERBOSE | re.IGNORECASE,
)
_A_VENUE = re.compile(
    r"\b(?:conference|workshop|challenge|competition|meeting|symposium|accepted|presented|award)\b[^.;]*$",
    re.IGNORECASE,
)
_BEFORE = 70
"""Characters before an address that may say what it is."""


def _from_first_sign(text: str) -> str:
    """The text from a little before the first thing that looks like an address: most stand at the end."""
    low = text.lower()
    places = [place for sign in _SIGNS if (place := low.find(sign)) >= 0]
    if host := _HOST.search(low):
        places.append(host.start())
    if not places:
        return ""
    # A few letters are longer in lower case, and then the places are not those in the text.
    return text[max(0, min(places) - 2 * _BEFORE) :] if len(low) == len(text) else text


def _addresses(text: str) -> Iterator[tuple[bool, str]]:
    """Those of code (True) and of project pages (False), in their order."""
    if not text:
        return
    if "\\" in text:
        text = _TEX.sub(lambda found: found[1] or _MEANT[found[2]], text)
    for broken, repaired in _REPAIRS:
        text = broken.sub(repaired, text)
    for found in _ADDRESS.finditer(text):
        host, path = _host_and_path(found["rest"])
        if not _HOST_NAME.fullmatch(host):
            continue
        if _is_below(host, CODE_HOSTS) or host in CODE_HOSTS:
            if code := _code(host, path):
                yield True, code
        elif page := _page(
            host, path, found["scheme"], text[max(0, found.start() - _BEFORE) : found.start()]
        ):
            yield False, page


def _host_and_path(rest: str) -> tuple[str, str]:
    while rest and (rest[-1] in ".,:!?'*&=/#" or (rest[-1] == ")" and rest.count(")") > rest.count("("))):
        rest = rest[:-1]
    host, _, path = rest.partition("/")
    host = host.lower().removeprefix("www.")
    return {"hf.co": "huggingface.co"}.get(host, host), path


def _is_below(host: str, hosts: tuple[str, ...]) -> bool:
    return host.endswith(tuple(f".{known}" for known in hosts))


def _code(host: str, path: str) -> str:
    """An owner alone will do: papers print it when they have several repositories, or none yet."""
    path = re.split(r"[?#(]", path, maxsplit=1)[0].rstrip(".").rstrip("/").removesuffix(".git").strip("/")
    if host == "huggingface.co" and path.partition("/")[0] in _NO_CODE:
        return ""
    if path:
        return f"https://{host}/{path}"
    return f"https://{host}" if host.endswith(".sourceforge.net") else ""


def _page(host: str, path: str, scheme: str | None, before: str) -> str:
    """Anybody's pages where the text says so; at those that keep such pages, unless it is a conference's."""
    address = f"{host}/{path}".rstrip("/")
    if _is_below(host, _PAGE_HOSTS) or address.startswith("sites.google.com/"):
        return f"https://{address}" if _ITS_PAGE.search(before) or not _A_VENUE.search(before) else ""
    # Elsewhere https may not be there: the scheme is as typed.
    return f"{(scheme or 'https').lower()}://{address}" if "." in host and _ITS_PAGE.search(before) else ""
