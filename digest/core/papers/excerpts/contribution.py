"""Choice of the sentence of an abstract that says what is new.

The score of a sentence is the sum of the weights of its features: what it does ("we propose", "results show"),
words that it has, how it begins, its length, and its place among the other sentences. ``WEIGHTS`` is the whole
model. ``python -m benchmarks contributions`` measures it, and ``python -m benchmarks.contributions`` prints weights
that are fitted to labelled abstracts of all fields. Abstracts in another language than English are ranked by title, length and place only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import repeat
from math import fsum

WEIGHTS: dict[str, float] = {
    # what the sentence says
    "we: propose": 0.7,
    "paper: propose": 1.4,
    "passive: propose": -0.8,
    "we: derive": 0.2,
    "paper: derive": 0.7,
    "passive: derive": -0.5,
    "results: derive": -1.4,
    "we: find": 0.6,
    "paper: find": 0.5,
    "passive: find": 0.7,
    "results: find": 0.4,
    "results: suggest": 0.2,
    "we: study": -1.2,
    "paper: study": 0.7,
    "results: study": -0.6,
    "we: use": 0.2,
    "passive: use": -0.6,
    "in this paper": 1.1,
    "here": 0.4,
    "a new method": 0.8,
    "finding that": 0.9,
    "main result": 1.6,
    "coined name": 0.6,
    # words
    "achievement": 0.5,
    "comparison": 0.4,
    "per cent": 0.6,
    "possibility": -0.6,
    "question word": -0.5,
    "evaluation": -0.8,
    "also": -1.5,
    # first words
    "starts with we": 0.5,
    "fills a gap": 0.6,
    "starts with background": -0.2,
    "starts with consequence": -0.5,
    "starts with it": -0.9,
    "starts with detail": -1.0,
    "starts with experiments": -1.3,
    # length: less than 70, 110, more than 200, 300 characters
    "very short": -1.3,
    "short": -0.8,
    "long": 0.5,
    "very long": 0.7,
    # place in the abstract; a cue is a proposal, a derivation, a finding or a study
    "second sentence": -0.4,
    "last third": -0.3,
    "last sentence": -0.9,
    "first cue": 0.6,
    "first proposal": 0.3,
    "first derivation": 0.3,
    "first finding": 0.2,
    "first study": 0.9,
    "opens with a cue": 0.5,
    "opens with a study": -0.9,
    "after a study": 0.8,
    "no cue so far": -1.1,
    "no cue after a cue": -0.6,
    # words in common with the title: a quarter, a half; and the name before its colon
    "like the title": 0.5,
    "much like the title": 0.6,
    "first with the name in the title": 1.4,
}
"""Weight of each feature of a sentence; see ``describe_sentences`` for what they mean."""

# --- classes of words -----------------------------------------------------------------------------

_REGULAR_VERBS = {
    "P": "propose introduce present develop design devise create release contribute offer invent formulate",
    "E": """prove establish derive construct obtain characterize characterise classify extend generalize generalise
        determine solve resolve provide formalize formalise verify compute calculate unify""",
    "F": """demonstrate reveal observe discover identify uncover detect measure confirm conclude quantify explain
        benchmark organize predict constrain reproduce estimate clarify argue""",
    "G": "indicate suggest highlight underscore emphasize support imply",
    "S": """investigate examine explore analyze consider discuss evaluate compare revisit address assess tackle
        describe focus aim ask""",
    "U": """use apply employ utilize utilise perform conduct train adapt adopt simulate combine integrate implement
        validate test illustrate collect fit exploit leverage incorporate follow assume choose select start""",
    "H": "achieve attain reach yield enable ensure surpass exceed allow outperform",
}
"""Verbs of proposal (P), derivation (E), finding (F), suggestion (G), study (S), use (U) and achievement (H)."""
_WORDS = {
    "P": "build builds built proposing introducing presenting developing designing put",
    "E": "proven give gives gave given initiate define defines establishing proving constructing deriving",
    "F": "find finds found show shows shown showing demonstrating revealing",
    "S": "analyse analyses analysed studied studying seek sought",
    "U": "make takes take",
    "H": "outperforming enabling achieving reaching yielding",
    "s": "study studies report reports reported review reviews reviewed survey surveys",
    "p": "paper work article manuscript letter thesis chapter note notes research proceedings tutorial",
    "N": """result results finding findings experiments evaluation evaluations simulation simulations analysis
        evidence measurements calculations observations""",
    "r": "contribution contributions idea insight insights theorem innovation",
    "k": """framework method methods approach algorithm algorithms model models benchmark dataset technique scheme
        system architecture mechanism strategy pipeline theory formula protocol paradigm methodology procedure
        toolkit tool library platform metric metrics network formalism construction estimator proof bound bounds
        formulation workflow taxonomy""",
    "w": "we i authors",
    "o": "our ours",
    "t": "this these current",
    "b": "is are was were be been being",
    "i": "in",
    "a": "a an",
    "h": "here herein",
    "T": "that",
    "q": "previous previously prior earlier recent recently existing",
    "m": "main central key core principal major",
    "C": """than more higher lower better increases increase decreases decrease reduces reduce reducing reduced larger
        faster improve improves improved improving improvement improvements significantly significant strongly
        substantially consistently robust""",
    "O": "state-of-the-art sota superior superiority effectiveness competitive baselines baseline",
    "d": "can may could might would will should",
    "W": "whether how why what question",
    "A": "also further additionally",
}
"""Other verb forms and words: nouns of papers (p, or s, which are verbs too), of results (N, r) and of methods (k);
grammar (w to T); and words of earlier work (q), importance (m), comparison (C), evaluation (O), possibility (d),
questions (W) and addition (A)."""
_FIRST_WORDS = {
    "starts with background": """while although despite recent recently existing traditional conventional many most
        current previous prior understanding accurate modern large over however but yet unfortunately
        nevertheless nonetheless""",
    "starts with detail": "specifically particularly concretely namely",
    "starts with it": "it its they their such",
    "starts with we": "we",
    "starts with experiments": "experiments numerical simulations empirically experimental extensive comprehensive",
    "starts with consequence": "as thus hence consequently therefore",
}
_BEFORE_SECOND_WORD = frozenset({"to", "we", "in"})
_SECOND_WORDS = {
    "fills a gap": "address bridge overcome tackle fill mitigate resolve close",
    "starts with detail": "particular particular,",
}
"""What a sentence does that begins with "to", "we" or "in" and one of these words."""
_DULL_TITLE_WORDS = frozenset(
    word
    for line in (
        "about against among analysis approach based between beyond case from into over study that their",
        "this through toward towards under using what when where which while with within without",
    )
    for word in line.split()
)


def _inflect(verbs: str) -> Iterator[str]:
    """Yield the forms of regular verbs: the base form, the third person and the past tense."""
    for verb in verbs.split():
        yield verb
        if verb.endswith("e"):
            yield from (f"{verb}s", f"{verb}d")
        elif verb.endswith("y"):
            yield from (f"{verb[:-1]}ies", f"{verb[:-1]}ied")
        elif verb.endswith(("sh", "ss", "ch")):
            yield from (f"{verb}es", f"{verb}ed")
        else:
            yield from (f"{verb}s", f"{verb}ed")


_PUNCTUATION = ("", ",", ".", ":", ";", ")")
# Words are looked up with the sign after them: that is twice as fast as to strip the signs from all words.
_CLASSES = {
    f"{word}{sign}": key
    for key, words in (
        *((key, words.split()) for key, words in _WORDS.items()),
        *((key, list(_inflect(verbs))) for key, verbs in _REGULAR_VERBS.items()),
    )
    for word in words
    for sign in _PUNCTUATION
}
_FIRST_WORD_FEATURES = {
    f"{word}{sign}": name
    for name, words in _FIRST_WORDS.items()
    for word in words.split()
    for sign in ("", ",", ":")
}
_SECOND_WORD_FEATURES = {word: name for name, words in _SECOND_WORDS.items() for word in words.split()}
_TITLE_WORD = re.compile(r"[^\W\d_][\w-]{3,}")

# --- patterns -------------------------------------------------------------------------------------

_STATEMENT = re.compile(
    r"([wpsNb])(?<!qp)(?:(?<=[to]s)|(?<!s))"  # a subject: we, a paper, this study, results; or the passive voice
    r"(?:(?<=b)[^abwpPEFGSUs]?|(?<!b)[^wpbqPEFGSUs]{0,4})"
    r"([PEFGSUs])"
)
"""Subject and verb in the string of the classes of the words of a sentence, in which "." is any other word.

The subject is a set of characters because that is three times as fast as alternatives."""
_SUBJECTS = {"w": "we", "p": "paper", "s": "paper", "N": "results", "b": "passive"}
_VERBS = {"P": "propose", "E": "derive", "F": "find", "G": "suggest", "S": "study", "s": "study", "U": "use"}
_STATEMENT_NAMES = {
    (subject, verb): f"{_SUBJECTS[subject]}: {_VERBS[verb]}" for subject in _SUBJECTS for verb in _VERBS
}
_SINGLE_WORDS = (
    ("C", "comparison"),
    ("d", "possibility"),
    ("A", "also"),
    ("W", "question word"),
    ("H", "achievement"),
    ("O", "evaluation"),
)
_PHRASES = (
    ("in this paper", "i", re.compile(r"i[to].{0,2}[ps]")),
    ("a new method", "k", re.compile(r"[PE][^FSU]{0,2}a.{0,5}k")),
    ("finding that", "T", re.compile(r"[FEG].{0,3}T")),
    ("main result", "m", re.compile(r"m.?[Nr]")),
    ("earlier work", "q", re.compile(r"i.?[oq]?q.{0,2}[psSk]|q.?[ps]")),
)
"""Patterns of classes, each with a class without which it cannot match."""
_COINED_NAME = re.compile(r"[a-z]-?[A-Z]|[A-Z]{2}|[A-Z][a-z]+-?[A-Z0-9]")
_CUES = {
    "proposal": "we: propose, paper: propose, passive: propose",
    "derivation": "we: derive, paper: derive, passive: derive",
    "finding": "we: find, paper: find, results: find, results: suggest",
    "study": "we: study, paper: study, in this paper, here",
}
_CUE_OF = {name: cue for cue, names in _CUES.items() for name in names.split(", ")}


# --- features -------------------------------------------------------------------------------------


def find_contribution(sentences: Sequence[str], title: str = "") -> int:
    """Return the index of the sentence that says best what is new.

    Args:
        sentences: the sentences of an abstract, at least one; with or without TeX.
        title: the title of the paper; "" if it is unknown. With it the choice is better.
    """
    return rank_sentences(sentences, title)[0]


def rank_sentences(sentences: Sequence[str], title: str = "") -> list[int]:
    """Return the indices of the sentences of an abstract, those that say best what is new first.

    Args:
        sentences: the sentences of an abstract; with or without TeX.
        title: the title of the paper; "" if it is unknown.
    """
    # Features come in another order in each process. An ordinary sum depends on it in its last digit, so a tie between
    # two sentences would be broken in another way.
    scores = [
        fsum(map(WEIGHTS.get, features, repeat(0.0))) for features in describe_sentences(sentences, title)
    ]
    return sorted(range(len(scores)), key=lambda index: -scores[index])


def describe_sentences(sentences: Sequence[str], title: str = "") -> list[set[str]]:
    """Return the names of the features of each sentence. Those without a weight only serve to find others.

    Args:
        sentences: the sentences of an abstract.
        title: the title of the paper, or "".
    """
    title_words = set(_TITLE_WORD.findall(title.lower())) - _DULL_TITLE_WORDS
    printed_title_words = {f"{word}{sign}" for word in title_words for sign in _PUNCTUATION}
    name = title.partition(":")[0] if ":" in title else ""
    name = name if len(name.split()) <= 2 else ""
    past_cues: set[str] = set()
    described = []
    for index, sentence in enumerate(sentences):
        words = sentence.lower().replace("the present ", "this ").split()
        features = _find_wording(words)
        _add_form(features, sentence)
        _add_place(features, index, len(sentences))
        _add_cues(features, past_cues, is_first=not index)
        if title_words:
            shared = len(printed_title_words.intersection(words)) / len(title_words)
            if shared >= 0.25:
                features.add("like the title")
            if shared >= 0.5:
                features.add("much like the title")
        if name and name in sentence:
            features.add("first with the name in the title")
            name = ""
        described.append(features)
    return described


def _find_wording(words: Sequence[str]) -> set[str]:
    """Return the features of the words of a sentence, which are in lower case."""
    code = "".join(map(_CLASSES.get, words, repeat(".")))
    features = {_STATEMENT_NAMES[pair] for pair in _STATEMENT.findall(code)}
    for key, name in _SINGLE_WORDS:
        if key in code:
            features.add(name)
    for name, key, pattern in _PHRASES:
        if key in code and pattern.search(code):
            features.add(name)
    if "h" in code[:2]:
        features.add("here")
    if len(words) > 1:
        if words[0] in _FIRST_WORD_FEATURES:
            features.add(_FIRST_WORD_FEATURES[words[0]])
        if words[1] in _SECOND_WORD_FEATURES and words[0] in _BEFORE_SECOND_WORD:
            features.add(_SECOND_WORD_FEATURES[words[1]])
    return features


def _add_form(features: set[str], sentence: str) -> None:
    """Add the features of the length of a sentence, of numbers and of names."""
    length = len(sentence)
    if length < 110:
        features.add("very short" if length < 70 else "short")
    elif length > 200:
        features.add("very long" if length > 300 else "long")
    if "%" in sentence or "×" in sentence or "percent" in sentence:
        features.add("per cent")
    if ("we: propose" in features or "paper: propose" in features) and _COINED_NAME.search(sentence):
        features.add("coined name")
    if "et al" in sentence:
        features.add("earlier work")


def _add_place(features: set[str], index: int, count: int) -> None:
    if index == 1:
        features.add("second sentence")
    if index == count - 1 and count > 2:
        features.add("last sentence")
    if index >= 0.66 * (count - 1) and index:
        features.add("last third")


def _add_cues(features: set[str], past_cues: set[str], *, is_first: bool) -> None:
    """Add what a sentence announces, compared with the sentences before it, and remember it for those after it.

    A cue is a statement about this paper: a proposal, a derivation, a finding or a study.
    """
    cues = {_CUE_OF[name] for name in features if name in _CUE_OF}
    if (
        cues
        and ("starts with background" in features or "earlier work" in features)
        and features.isdisjoint(("in this paper", "we: propose"))
    ):
        cues.clear()
    if not cues:
        features.add("no cue after a cue" if past_cues else "no cue so far")
    elif not past_cues:
        features.add("first cue")
    if is_first and cues:
        features.add("opens with a study" if cues == {"study"} else "opens with a cue")
    if "study" in past_cues:
        features.add("after a study")
    for cue in cues - past_cues:
        features.add(f"first {cue}")
        past_cues.add(cue)
