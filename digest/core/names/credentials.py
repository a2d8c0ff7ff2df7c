"""Titles, degrees, honours and memberships that are printed around a name and are not part of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

# fmt: off
TITLES = frozenset({"dame", "dr", "prof", "professor", "mr", "mrs", "ms", "sir"})
DEGREES = frozenset({
    "bds", "beng", "bsc", "cbe", "dbe", "dds", "dmd", "dnb", "dnp", "dphil", "dpt", "drph", "dsc", "dvm", "edd", "esq", "facc", "facm",
    "facp", "facs", "faha", "fba", "fieee", "fmedsci", "frcp", "frcpath", "frcpc", "frcs", "frcsc", "freng", "frs", "frsa",
    "frsb", "frsc", "frse", "frss", "kbe", "mba", "mbbs", "mbchb", "mbe", "md", "meng", "mph", "mphil", "mrcp", "msc", "msce", "msn", "obe",
    "pharmd", "phd", "psyd", "qc", "scd",
})
# Without a comma, the additional ones are initials or family names: Ma, Do, the KC of Nepal.
DEGREES_AFTER_COMMA = DEGREES | {
    "ab", "aprn", "ba", "bpharm", "bs", "bsn", "ccc-slp", "cm", "cnm", "crna", "do", "dr", "faan", "facog", "fesc", "fracp", "fracs", "jd",
    "kc", "lcsw", "llb", "llm", "llp", "ma", "mbbch", "mds", "mha", "mhs", "mhsc", "mpas", "mpp", "mres", "ms", "mscr", "msph", "msw", "nd", "np", "ocd",
    "od", "ofm", "op", "osb", "otr", "pa-c", "pe", "pt", "rd", "rn", "rph", "sb", "sj", "sm",
}
_DOTTED_TITLES = frozenset({"assoc", "asst", "dipl", "doz", "eng", "ing", "ir", "mag", "priv", "rev", "univ"})
"""Titles that need a dot and a whole name after it: in ``Ing Doe`` and ``Ir. Doe`` they may be given names."""
_RANKS = frozenset({"adjunct", "adj", "assistant", "associate", "emeritus", "pd", "privatdozent"})
"""Words that belong to the title after them."""
_FACULTIES = frozenset({
    "agr", "biol", "c", "chem", "dent", "e", "eng", "h", "hab", "habil", "hc", "hum", "ing", "ir", "iur", "jur", "math", "med",
    "mont", "mult", "nat", "oec", "paed", "pharm", "phil", "phys", "pol", "psych", "publ", "rer", "sc", "soc", "techn", "theol",
    "vet",
})
"""Words in small letters that belong to the title before them: ``Dr. rer. nat.``, ``Prof. h. c.``."""
_CAPITALIZED_FACULTIES = frozenset({"biol", "chem", "eng", "inform", "ing", "math", "phys", "psych"})
"""Words with a capital and a dot that belong to the title before them: ``Dr.-Ing.``, ``Dipl.-Phys.``."""
# fmt: on
_SOCIETY = "(?:IEEE|ACM|AIAA|ASME|IET|Optica|OSA|SIAM|SPIE)"
_GRADE = "(?i:(?:(?:graduate|student|senior|life|associate|affiliate|founding|professional|distinguished) ){0,2}(?:member|fellow))"
_MEMBERSHIP = re.compile(rf"{_SOCIETY}|(?:{_SOCIETY} )?{_GRADE}|{_GRADE} (?:of the )?{_SOCIETY}")
_MAX_DEGREE_WORDS = 4
_LOWERCASE_DEGREES = frozenset({"dphil", "esq", "phd"})


def is_membership(text: str) -> bool:
    """Whether a text after a comma is a grade of membership or a society: ``Senior Member``, ``IEEE``."""
    return _MEMBERSHIP.fullmatch(text) is not None


def strip_titles(words: list[str]) -> list[str]:
    """Return the words of a name without the titles before it; at least one word remains."""
    is_cased = any(not word.islower() for word in words)
    start = 0
    while start < len(words) - 1 and _is_of_title(words, start, is_cased=is_cased):
        start += 1
    return words[start:]


def _is_of_title(words: Sequence[str], index: int, *, is_cased: bool) -> bool:
    """Whether a word belongs to the titles, provided that all words before it do."""
    word = words[index]
    plain = word.lower().rstrip(".")
    if plain in TITLES:
        return True
    if plain in _RANKS:
        return words[index + 1].lower().rstrip(".") in TITLES
    is_dotted = word.endswith(".")
    if index and plain in _FACULTIES and is_cased and word.islower() and (is_dotted or len(plain) > 1):
        return True
    if index and plain in _CAPITALIZED_FACULTIES and is_dotted:
        return True
    return plain in _DOTTED_TITLES and is_dotted and len(words) - index > 2


def is_title(words: Sequence[str]) -> bool:
    """Whether words after a comma are nothing but a title, such as ``Dr.-Ing.``."""
    first, *others = [word.lower().rstrip(".") for word in words]
    is_first_title = first in TITLES or (first in _DOTTED_TITLES and words[0].endswith("."))
    return is_first_title and all(other in _FACULTIES | _CAPITALIZED_FACULTIES for other in others)


def cut_degrees(words: list[str], degrees: AbstractSet[str], *, min_words: int) -> list[str]:
    """Return the words of a name without degrees and honours at its end.

    Args:
        words: as printed, with their dots.
        degrees: in lower case, without dots.
        min_words: minimum number of words that remain.
    """
    while size := _count_degree_words(words, degrees):
        remaining = words[:-size]
        # After another initial, the letters are initials, too: ``Tran A. M. D.``
        if len(remaining) < min_words or (remaining and len(remaining[-1].rstrip(".")) == 1):
            break
        words = remaining
    return words


def _count_degree_words(words: list[str], degrees: AbstractSet[str]) -> int:
    """Count the last words that form one degree; a degree with dots has been split into its letters."""
    for size in range(min(len(words), _MAX_DEGREE_WORDS), 0, -1):
        *abbreviated, last = tail = words[-size:]
        degree = "".join(tail).replace(".", "").lower()
        if degree not in degrees:
            continue
        # A capitalized word may be a name: Md for Mohammed, Mba.
        is_name = not abbreviated and last.istitle() and degree not in _LOWERCASE_DEGREES
        if not is_name and (all(word[-1] == "." for word in abbreviated) or degree in _LOWERCASE_DEGREES):
            return size
    return 0
