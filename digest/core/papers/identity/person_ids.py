"""IDs of persons and institutions: parsing of any notation into one canonical value.

The check digit of an ORCID iD is that of ISO 7064, MOD 11-2 (https://support.orcid.org, "Structure of the
ORCID Identifier"). The two of a ROR ID are those of MOD 97-10 over Crockford's base 32
(https://ror.readme.io/docs/identifier).
"""

from __future__ import annotations

import re

PersonId = tuple[str, str]
"""Scheme and value."""
_HTTP = r"(?:https?://)?(?:www\.|api\.)?"
_PATTERNS = {
    "orcid": re.compile(
        rf"(?:{_HTTP}orcid\.org/)? (\d{{4}})-?(\d{{4}})-?(\d{{4}})-?(\d{{3}}[\dxX]) /?", re.VERBOSE | re.ASCII
    ),
    "openalex": re.compile(
        rf"(?:{_HTTP}openalex\.org/(?:authors/|people/)?)? ([Aa][1-9]\d{{3,11}}) /?", re.VERBOSE | re.ASCII
    ),
    "s2": re.compile(
        rf"(?:{_HTTP}semanticscholar\.org/(?:graph/v1/)?author/(?:[^/?#]+/)?)? ([1-9]\d{{2,11}}) /?(?:[?#].*)?",
        re.VERBOSE | re.ASCII,
    ),
    "dblp": re.compile(
        rf"""(?: {_HTTP}dblp\.(?:org|uni-trier\.de|dagstuhl\.de)/(?:rec/)?pid/ | pid/ )?
             ( (?:\d{{1,3}}|[a-z]) / [A-Za-z0-9]+ (?:-\d{{1,4}})? ) (?:\.(?:html|xml|bib|rdf|nt|ris))?""",
        re.VERBOSE | re.ASCII,
    ),
    "arxiv": re.compile(
        rf"(?:{_HTTP}arxiv\.org/a/)? ([A-Za-z-]+(?:_[A-Za-z-]+)*_[1-9]\d{{0,3}}) (?:\.(?:atom2?|json))?",
        re.VERBOSE | re.ASCII,
    ),
    "hf": re.compile(
        rf"(?:{_HTTP}(?:huggingface\.co|hf\.co)/)? @? ([A-Za-z0-9](?:[A-Za-z0-9_-]{{0,94}}[A-Za-z0-9])?) /?",
        re.VERBOSE | re.ASCII,
    ),
}
_HOSTS = re.compile(
    r"(?:https?://)?(?:www\.|api\.)?(?:(orcid)\.org|(openalex)\.org|(semanticscholar)\.org|(dblp)\."
    r"|(arxiv)\.org/a/|(huggingface)\.co|(hf)\.co)",
    re.IGNORECASE,
)
_SCHEME_BY_HOST = {"semanticscholar": "s2", "huggingface": "hf"}

SCHEMES = tuple(_PATTERNS)
"""Schemes of IDs of persons: ORCID, OpenAlex, Semantic Scholar, DBLP, arXiv, Hugging Face."""
EXAMPLES = {
    "orcid": "0000-0002-1825-0097",
    "openalex": "A5023888391",
    "s2": "1741101",
    "dblp": "65/9612",
    "arxiv": "warner_s_1",
    "hf": "a-user-name",
}


def parse_person_id(scheme: str, text: str) -> str | None:
    """Return the canonical form of a person's ID, or None if the text is not an ID of this scheme.

    Args:
        scheme: one of ``SCHEMES``.
        text: the bare ID, or the address of its page; an ORCID iD needs a valid check digit.
    """
    match = _PATTERNS[scheme].fullmatch(text.strip())
    if not match:
        return None
    match scheme:
        case "orcid":
            value = "-".join(match.groups()).upper()
            return value if _is_valid_orcid(value.replace("-", "")) else None
        case "openalex":
            return match[1].upper()
        case "arxiv":
            return match[1].lower()
        case _:
            return match[1]


def parse_person_reference(text: str) -> PersonId | None:
    """Return scheme and value of a person's ID that names its scheme: ``orcid:0000-…``, or the address of its page."""
    scheme, value = split_scheme(text)
    person_value = parse_person_id(scheme, value) if scheme else None
    return (scheme, person_value) if person_value else None


def split_scheme(text: str) -> tuple[str, str]:
    """Return the scheme that a text names, and the unvalidated ID; the scheme is "" if it names none."""
    text = text.strip()
    scheme, colon, value = text.partition(":")
    if colon and scheme.lower() in _PATTERNS:
        return scheme.lower(), value
    if host_match := _HOSTS.match(text):
        name = next(filter(None, host_match.groups())).lower()
        return _SCHEME_BY_HOST.get(name, name), text
    return "", text


def _is_valid_orcid(digits: str) -> bool:
    checksum = 0
    for digit in digits[:-1]:
        checksum = (checksum + int(digit)) * 2
    return "0123456789X"[(12 - checksum % 11) % 11] == digits[-1]


# --- institutions ---------------------------------------------------------------------------------

_ROR = re.compile(
    rf"(?:{_HTTP}ror\.org/|ror:)? (0[a-hj-km-np-tv-z0-9]{{6}}\d{{2}}) /?", re.VERBOSE | re.IGNORECASE
)
_BASE_32 = "0123456789abcdefghjkmnpqrstvwxyz"


def parse_ror_id(text: str) -> str | None:
    """Return the bare ROR ID of an institution, or None if the text is none; the check digits must be valid."""
    match = _ROR.fullmatch(text.strip())
    if not match:
        return None
    value = match[1].lower()
    number = 0
    for character in value[:7]:
        number = number * 32 + _BASE_32.index(character)
    return value if 98 - number * 100 % 97 == int(value[7:]) else None
