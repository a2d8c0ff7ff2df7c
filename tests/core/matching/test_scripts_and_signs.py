"""Spellings of one thing in text and query find each other: charges, Greek letters, raised and lowered letters."""

from __future__ import annotations

from itertools import permutations

from digest.core.language.parser import parse
from digest.core.matching.evaluate import evaluate
from digest.core.papers.document import build_document
from digest.model import Paper, PaperKey
from tests.support.cases import for_each_case


def fits(query: str, title: str) -> bool:
    paper = Paper(key=PaperKey("url:x"), title=f"Of {title} and others", url="")
    return evaluate(parse(query), build_document(paper)) is not None


@for_each_case(
    "spellings",
    [
        ["Ca2+", "Ca²⁺", "Ca$^{2+}$", "Ca^{2+}"],
        ["Ca2+", "Ca(2+)", "Ca(2)(+)", "Ca$^{2+}$"],
        ["Ca2+-dependent", "Ca(2+)-dependent", "Ca$^{2+}$-dependent"],
        ["Fe3+/Fe2+", "Fe(3+)/Fe(2+)", "Fe$^{3+}$/Fe$^{2+}$"],
        ["CD4+", "CD4$^+$", "CD4⁺", "CD4(+)"],
        ["CD4+T cells", "CD4$^+$T cells", "CD4⁺T cells", "CD4(+)T cells", "CD4+ T cells", "CD4$^+$ T cells"],
        ["CD4+CD25+ cells", "CD4$^+$CD25$^+$ cells", "CD4(+)CD25(+) cells", "CD4(+) CD25(+) cells"],
        ["PD-1+CD8+", "PD-1$^+$CD8$^+$"],
        ["Na+", "Na$^+$", "Na$^{+}$", "Na(+)"],
        ["H+", "H⁺", "H(+)"],
        ["NAD+/NADH", "NAD(+)/NADH", "NAD$^+$/NADH"],
        ["e+e- collisions", "$e^+e^-$ collisions", "e⁺e⁻ collisions", "e+e− collisions", "e+ e- collisions"],
        ["μ+μ-", r"$\mu^+\mu^-$", "mu+mu-"],
        ["SO4(2-)", "SO$_4^{2-}$", "SO4$^{2-}$", "SO₄²⁻"],
        ["C++11", "C++ 11", "C++-11"],
        ["ΛCDM", "LambdaCDM", "Lambda-CDM", r"$\Lambda$CDM", r"$\Lambda$-CDM"],
        ["TGF-β", "TGF-beta", "TGFβ", r"TGF-$\beta$"],
        ["α-synuclein", "alpha-synuclein", "alphasynuclein"],
        ["β-VAE", "beta-VAE", r"$\beta$-VAE"],
        [r"$\sigma_8$", "sigma8", "σ₈", "sigma_8", "σ8"],
        ["L^p", "$L^{p}$", "$L^p$", "Lp"],
        ["T_c", r"$T_{\rm c}$", "Tc", "$T_c$", r"$T_{\mathrm{c}}$"],
        ["SU(2)", "$SU(2)$", r"$\mathrm{SU}(2)$"],
        ["SL(2,Z)", "SL(2, Z)", "$SL(2,Z)$", "$SL(2, Z)$"],
        ["GARCH(1,1)", "GARCH(1, 1)", "GARCH$(1,1)$"],
        ["(∞,1)-categories", "(∞, 1)-categories", r"$(\infty,1)$-categories", r"$(\infty, 1)$-category"],
        ["(2,1)-categories", "(2, 1)-category", "$(2,1)$-categories"],
        ["f(R)", "$f(R)$"],
        ["10¹⁴", "10^14", "$10^{14}$", "10$^{14}$"],
        ["10⁻³", "10^-3", "$10^{-3}$"],
        ["x²", "x^2", "$x^{2}$", "x2"],
        ["90s", "90's", "90’s"],
        ["1990s", "1990's"],
        ["mid-90s", "mid-90's"],
        [
            "A*",
            "$A^*$",
            r"$A^\ast$",
            r"$A^{*}$",
            "A∗",
            "A＊",
            r"A$^\star$",
            r"$A^{\star}$",
            "A⋆",
            "A★",
            "A$^*$",
        ],
        ["Sgr A*", r"Sgr A$^\star$", "Sgr A★"],
        ["K*0", "$K^{*0}$", r"$K^{\ast 0}$", r"$K^{\star0}$"],
    ],
)
def test_spellings_of_one_thing_find_each_other(spellings: list[str]) -> None:
    missed = [(query, title) for query, title in permutations(spellings, 2) if not fits(query, title)]

    assert missed == []


@for_each_case(
    ("query", "others"),
    [
        ("Ca2+", ["Ca2", "Ca", "Ca 2"]),
        ("CD4+", ["CD4", "CD8+"]),
        ("a+", ["a+b", "$a+b$", "$z^{a+b}$"]),
        ("1+", ["1+1", "(1+1)-dimensional", "$z^{1+n}$"]),
        ("CO2+", ["CO2+H2"]),
        ("RGB+", ["RGB+D"]),
        ("C+", ["C++11", "C++"]),
        ("f0+", ["f(0+)"]),
        ("ΛCDM", ["CDM", "lambda calculus"]),
        ("sigma8", ["sigma", "sigma 88"]),
        ("Lp", ["L", "p-L"]),
        ("SU(2)", ["SU(3) of 2", "2 SU", "SU(n), 2"]),
        ("SL(2,Z)", ["Z, SL(2)", "SL(2,R)"]),
        ("GARCH(1,1)", ["GARCH", "1,1 GARCH"]),
        ("f(R) gravity", ["gravity of R, f", "f(T) gravity"]),
        (
            "(∞,1)-categories",
            ["categories 1", "categories", "(2,1)-categories", "1-categories", "∞-categories"],
        ),
        ("(∞,1)-categories", ["(∞,1)-functors of (2,1)-categories", "(1,∞)-categories", "(∞,2)-categories"]),
        ("(2,1)-categories", ["(∞,1)-categories", "(2,2)-categories", "(1,2)-categories"]),
        ("A*", ["A", "a*b", "B*"]),
        ("C*-algebra", ["C-algebra", "C* and an algebra", "algebra C*"]),
        ("90", ["90s", "1990", "90's"]),
        ("90s", ["90"]),
        ("90's", ["90", "1990s"]),
        ("1014", ["10¹⁴", "$10^{14}$", "10^14"]),
        ("10¹⁴", ["1014", "10 and 14"]),
        ("CO", ["CO₂"]),
        ("Dice", ["die", "dying"]),
        ("Ax", ["axes"]),
        ("深度学习", ["深度", "学习深度", "深度的学习"]),
    ],
)
def test_what_is_another_thing_is_not_found(query: str, others: list[str]) -> None:
    assert [title for title in others if fits(query, title)] == []


@for_each_case(
    ("query", "title"),
    [
        ("C*-algebra", "C*-algebras"),
        ("C*-algebra", r"$C^\ast$-algebras"),
        ("C∗-algebra", "C*-algebra"),
        ("f ∗ g", "g ∗ f"),
        ("Ca2+", "Ca$^{2 +}$"),
        ("∞-categories", "(∞,1)-categories"),
        ("∞-categories", "∞-category"),
        ("∞ categories", "∞-categories"),
        ("K* meson", "K*(892) mesons"),
        ('"A* search"', "an A* search"),
        ("深度学习", "基于深度学习的方法"),
        ("量子*", "量子计算"),
        ("LLM", "基于LLM的方法"),
        ("学習データ", "機械学習データ"),
        ("한국어", "한국어를"),
        ("n_TOF", "n TOF"),
        ("axis", "axes"),
        ("GPT-4", "GPT-4's answers"),
        ("10¹⁴", "10¹⁴-fold"),
    ],
)
def test_what_is_the_same_thing_is_found(query: str, title: str) -> None:
    assert fits(query, title)
