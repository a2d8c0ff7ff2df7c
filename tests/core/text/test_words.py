from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from digest.core.text.words import (
    extract_words,
    find_forms,
    find_query_forms,
    iter_parts,
    normalize_word,
    tex_to_unicode,
)
from tests.support.cases import for_each_case

TEX = st.lists(
    st.sampled_from([*"ab1 _^{}$\\~`'%.-\"[]&", "\\frac", "\\hat", "\\alpha", "\\unknown", "https://"])
).map("".join)


@for_each_case(
    ("announced", "readable"),
    [
        ("No TeX  in\nthis", "No TeX in this"),
        ("50% of H$_2$O, H_2O and CO_{2}", "50% of H₂O, H₂O and CO₂"),
        ("n_TOF, $x_i$ and $L^p$", "n_TOF, x_i and L^p"),
        (
            r"Erd\H{o}s, G\"odel, \v{S}, S\o ren, \L ukasz, Andr\'e, na\"{\i}ve",
            "Erdős, Gödel, Š, Søren, Łukasz, André, naïve",
        ),
        (r"$x_{i j}$, Ca$^{2 +}$, C∗, f ∗ g", "xᵢⱼ, Ca²⁺, C*, f ∗ g"),
        (r"$10^{-3}$, 10^14, cm$^{-2}$, $^{12}$C, Ca$^{2+}$", "10⁻³, 10¹⁴, cm⁻², ¹²C, Ca²⁺"),
        (r"$M_\odot$, $M_{\odot}$, $30^\circ$C, $D^*$", "M⊙, M⊙, 30°C, D*"),
        (
            r"$T_{\rm eff}$, $T_\mathrm{max}$, $x_{ij}$, $2^{d/2}$, $L^{(2)}$",
            "Teff, Tmax, xᵢⱼ, 2^(d/2), L⁽²⁾",
        ),
        (
            r"$\mathbb{R}^d$, $\mathcal{O}(n \log n)$, ${\cal O}(1)$, $\mathfrak{g}$",
            "ℝ^d, 𝒪(n log n), 𝒪(1), 𝔤",
        ),
        (r"$\tilde{O}(\sqrt{T})$, $\frac{a}{b}$, $\frac12$, $\frac{1}{x+1}$", "Õ(√T), a/b, 1/2, 1/(x+1)"),
        (r"$\alpha$-divergence, $k$-means, $x\in B$, $\sim 5$", "α-divergence, k-means, x∈B, ∼ 5"),
        ("one--two --- ``three''", "one–two — “three”"),
        (r"Fig.~5 of ~50 \% \& more\\next, 10\,000", "Fig. 5 of ~50 % & more next, 10 000"),
        (r"cost $5 and $10, or \$7, or $k$ dollars", "cost $5 and $10, or $7, or k dollars"),
        (r"\emph{our} \textbf{method} {\it et al}", "our method et al"),
        (r"our \method achieves \unknown{many things}{twice}", "our method achieves many things twice"),
        (r"as shown \cite{knuth84}.", "as shown."),
        (
            r"here\footnote{Code: \url{https://example.org/a\_b_2}} and",
            "here Code: https://example.org/a_b_2 and",
        ),
        (r"\href{https://example.org/x_1}{our page}", "https://example.org/x_1 our page"),
        (r"broken $x_{ and \frac{ words", "broken x_(and words/)"),
        (r"a \"quote\" in it", 'a "quote" in it'),
        (r"in $\GL_n(\R)$ by \ours{}, \eg in \sys-Bench", "in GL_n(ℝ) by ours, e.g. in sys-Bench"),
        (r"$2^{0.255n}$, $C^{1,\alpha}$, B_(s)", "2^(0.255n), C^(1,α), B_(s)"),
        ("of {g_n, h_n} in {GPU}s and 22{,}879 cod{é}s", "of {g_n, h_n} in GPUs and 22,879 codés"),
        (r"$a\not=b$, $x \not\in A$, $A \backslash B$", "a≠b, x ∉ A, A ∖ B"),
        (r"\texorpdfstring{$\sqrt{s}$}{root s} \unicode{x2014} $5\kms$", "root s — 5 km/s"),
        (r"$K^+$, $e^-$ and $\sigma_8^2$", "K⁺, e⁻ and σ₈²"),
        ("A $DM relation", "A $DM relation"),
        ("CAPITALS!!! $$$ and $$x$$", "CAPITALS!!! $$$ and x"),
    ],
)
def test_tex_reads_as_print_does(announced: str, readable: str) -> None:
    assert tex_to_unicode(announced) == readable


@given(TEX | st.text())
def test_any_text_is_readable_on_one_line(announced: str) -> None:
    readable = tex_to_unicode(announced)
    assert readable == " ".join(readable.split())


@given(
    st.lists(
        st.sampled_from(
            ["$", "%", "{", "}", "_", "^", "~", "--", "``", "\\emph{", "\\ours", " ", "lost", "found"]
        )
    )
)
def test_no_word_is_lost_however_broken_the_tex_is(pieces: list[str]) -> None:
    announced = " ".join(pieces)
    letters = re.sub(r"\\(?:emph|ours)", "", announced)
    assert re.findall("lost|found", tex_to_unicode(announced)) == re.findall("lost|found", letters)


@for_each_case(
    "announced",
    [
        r"0\{0",
        r"0\}0",
        "0-{-",
        "'{'",
        r"$2^{0.2n}$",
        r"\$One",
        r"$A\backslash B$",
        r"$\{1, 2\}$ is",
        r"$L^{(p, q)}$",
    ],
)
def test_what_was_read_is_read_the_same_again(announced: str) -> None:
    readable = tex_to_unicode(announced)
    assert tex_to_unicode(readable) == readable


@for_each_case("piece", ["{", "}", "$", "\\hat", "x_{", "\\frac{", '\\"{', "https://", "`", "\\", "_", "^"])
def test_hostile_tex_is_read_too(piece: str) -> None:
    tex_to_unicode(piece * 20_000)


def found(text: str) -> list[str]:
    return [text[word.start : word.end] for word in extract_words(text)]


def test_words_are_letters_digits_and_marks_and_know_their_place() -> None:
    text = "GPT-4's 3.5, n_TOF (AC/DC): C++!"
    assert [part.printed for part in iter_parts(text)] == ["GPT", "4's", "3.5", "n", "TOF", "AC", "DC", "C++"]
    assert all(text[part.start : part.end] == part.printed for part in iter_parts(text))


def test_compounds_are_words_split_and_joined_in_every_run_of_parts() -> None:
    assert found("end-to-end") == ["end", "to", "end-to", "end", "end-to-end", "to-end"]
    joined = {form for word in extract_words("end-to-end") if word.span > 1 for form in word.forms}
    assert joined == {"endto", "endtoend", "toend"}


@for_each_case(
    ("text", "printed", "joined"),
    [
        ("ΛCDM", ["Λ", "CDM"], {"lambdacdm"}),
        ("TGF-β1", ["TGF", "β", "1"], {"tgfbeta", "tgfbeta1", "beta1"}),
        ("σ₈", ["σ", "₈"], {"sigma8"}),
        ("γγ", ["γ", "γ"], {"gammagamma"}),
        ("L^p and T_c", ["L", "p", "and", "T", "c"], {"lp", "tc"}),
        ("__init__", ["init"], set()),
        ("基于LLM的", ["基", "于", "LLM", "的"], set()),
        ("深-度", ["深", "度"], set()),
        ("α学", ["α", "学"], set()),
        ("C++语言", ["C++", "语", "言"], set()),
        ("GPT－4", ["GPT", "4"], {"gpt4"}),
    ],
)
def test_greek_letters_and_raised_ones_are_joined_and_characters_stand_alone(
    text: str, printed: list[str], joined: set[str]
) -> None:
    assert [part.printed for part in iter_parts(text)] == printed
    assert {form for word in extract_words(text) if word.span > 1 for form in word.forms} == joined


def test_two_digits_are_never_joined() -> None:
    assert found("GPT-3.5-4") == ["GPT", "3.5", "GPT-3.5", "4"]


def test_only_a_hyphen_joins() -> None:
    for text in ("one–two", "one--two", "one - two", "one/two", "one -two", "one.two", "one−two"):
        assert all(word.span == 1 for word in extract_words(text)), text


@for_each_case(
    ("request", "printed"),
    [
        ("Godel", "Gödel"),
        ("Goedel", "Gödel"),
        ("Gödel", "Godel"),
        ("Erdos", "Erdős"),
        ("naive", "naïve"),
        ("lodz", "Łódź"),
        ("strasse", "Straße"),
        ("h2o", "H₂O"),
        ("office", "oﬃce"),
        ("r2", "R²"),
        ("newton", "Newton's"),
        ("newton", "Newton’s"),
        ("C++", "c++"),
        ("C", "C++"),
        ("multimodal", "multi\u00admodal"),
        ("Ca2+", "Ca²⁺"),
        ("Ca2", "Ca²⁺"),
        ("Na+", "Na⁺"),
        ("Na+", "Na＋"),
        ("CD4+", "CD4⁺"),
        ("pi+", "π⁺"),
        ("3.5", "３．５"),
        ("beta", "β"),
        ("Beta", "Β"),
        ("sigma", "ς"),
        ("mu", "µ"),
        ("omega", "Ω"),
        ("epsilon", "ϵ"),
        ("alpha", "ά"),
        ("alpha", "𝛂"),
        ("delta", "∆"),
        ("ガ", "ｶﾞ"),
        ("一", "㈠"),
    ],
)
def test_a_word_is_found_in_any_spelling_of_it(request: str, printed: str) -> None:
    assert find_query_forms(request) & find_forms(printed)


def test_a_sign_at_the_end_of_a_word_asked_for_must_be_there() -> None:
    assert not find_query_forms("Ca2+") & find_forms("Ca2")
    assert not find_query_forms("ガ") & find_forms("カ")
    assert not find_query_forms("C++") & find_forms("C")
    assert not find_query_forms("C#") & find_forms("C++")


def test_canonical_spelling_keeps_capitals_only_where_they_say_something() -> None:
    assert [normalize_word(word) for word in ("LLM", "LLMs", "GPS", "Erdős", "GÖDEL", "Newton's")] == [
        "llm",
        "llms",
        "GPS",
        "erdos",
        "gödel",
        "newton",
    ]


@given(st.text())
def test_canonical_spelling_is_stable_and_asks_for_the_same(text: str) -> None:
    for part in iter_parts(text):
        spelled = normalize_word(part.printed)
        assert normalize_word(spelled) == spelled
        if spelled:
            assert find_query_forms(spelled) == find_query_forms(part.printed)
            assert [normalize_word(again.printed) for again in iter_parts(spelled)] == [spelled]


@given(st.text())
def test_every_word_has_forms_and_stands_where_it_says(text: str) -> None:
    for word in extract_words(text):
        assert word.forms
        assert 0 <= word.start < word.end <= len(text)
