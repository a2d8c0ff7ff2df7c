from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from digest.model import Abstracts, Author, Confidence, EditionPart, EventKind
from digest.render.papers.links import Link, filter_web_address
from digest.render.papers.paper_view import ALONE, WHOLE, PaperSize, PaperStyle, PaperView, make_paper_view
from tests.render.samples import SITE, make_item, make_reason
from tests.support.cases import for_each_case


def shown(*args: object, **fields: object) -> PaperView:
    return make_paper_view(make_item(*args, **fields), SITE, WHOLE)  # type: ignore[arg-type]


def test_only_the_page_of_a_paper_shows_an_abstract_of_any_length() -> None:
    item = make_item(abstract="We go on and on. " * 600)

    alone, whole = (make_paper_view(item, SITE, style).abstract.text for style in (ALONE, WHOLE))

    assert alone == item.paper.abstract.strip()
    assert len(whole) <= 4_000


# --- marks ----------------------------------------------------------------------------------------


def test_the_words_that_fit_are_marked_where_they_stand() -> None:
    why = [make_reason("KV", title=["KV"], abstract=["KV cache"]), make_reason("cost", abstract=["costs"])]

    view = shown(7, reasons=why)

    assert view.title.html == "SplitZip 7: Lossless <b>KV</b> Compression"
    assert view.abstract.html == "We compress the <b>KV cache</b> number 7. It <b>costs</b> O(n)."
    assert view.abstract.text == "We compress the KV cache number 7. It costs O(n)."


def test_in_plain_text_an_asterisk_stands_on_either_side_of_the_words_that_fit() -> None:
    why = [make_reason("KV", title=["KV"], abstract=["KV cache"]), make_reason("cost", abstract=["costs"])]

    view = shown(7, reasons=why)

    assert view.title.starred == "SplitZip 7: Lossless *KV* Compression"
    assert view.abstract.starred == "We compress the *KV cache* number 7. It *costs* O(n)."
    assert shown(reasons=[make_reason(title=["GPU"])]).title.starred == view.title.text.replace("7", "1")


def test_a_word_within_another_is_not_marked() -> None:
    assert shown(title="RAGged RAG", reasons=[make_reason(title=["RAG"])]).title.html == "RAGged <b>RAG</b>"


def test_markup_of_a_title_is_text() -> None:
    view = shown(title="<script>KV</script> & <b>x", reasons=[make_reason(title=["KV"])])

    assert view.title.html == "&lt;script&gt;<b>KV</b>&lt;/script&gt; &amp; &lt;b&gt;x"
    assert isinstance(view.title.html, Markup)


def test_math_is_readable() -> None:
    assert shown(title=r"H$_2$O for \emph{Erd\H{o}s}").title.text == "H₂O for Erdős"


@given(st.text(max_size=60), st.lists(st.text(max_size=6), max_size=4))
def test_marks_never_change_a_text(title: str, words: list[str]) -> None:
    rich_text = shown(title=title, reasons=[make_reason(title=words)]).title

    assert rich_text.starred.replace("*", "") == rich_text.text.replace("*", "")
    assert Markup(rich_text.html.replace("<b>", "").replace("</b>", "")).unescape() == rich_text.text
    assert rich_text.html.count("<") == 2 * rich_text.html.count("<b>")


# --- people ---------------------------------------------------------------------------------------


def test_followed_authors_are_marked_also_where_the_list_is_folded() -> None:
    names = [f"Author {letter}" for letter in "ABCDEFGHIJKLMNOP"]

    view = shown(
        authors=tuple(Author(name=name) for name in names), reasons=[make_reason("N", author=["Author N"])]
    )

    assert view.authors.text == (
        "Author A, Author B, Author C, Author D, Author E, Author F, *Author N* and 9 more"
    )
    assert view.authors.html.endswith("<b>Author N</b> and 9 more")
    assert view.byline == "Author N and 15 more"


@for_each_case(
    ("names", "followed", "authors", "byline"),
    [
        ("", "", "", ""),
        ("A", "", "A", "A"),
        ("AB", "", "A, B", "A and B"),
        ("ABC", "", "A, B, C", "A … C"),
        ("ABC", "B", "A, *B*, C", "B and 2 more"),
        ("ABC", "CB", "A, *B*, *C*", "B and 2 more"),
        ("ABCD", "", "A, B, C, D", "A … D"),
        ("ABCDE", "", "A, B, C and 2 more", "A … E"),
        ("ABCDE", "E", "A, B, C, *E* and 1 more", "E and 4 more"),
        ("ABCDE", "DE", "A, B, C, *D*, *E*", "D and 4 more"),
    ],
)
def test_few_authors_have_room_in_a_line_but_followed_ones_always(
    names: str, followed: str, authors: str, byline: str
) -> None:
    item = make_item(authors=tuple(map(make_author, names)), reasons=[make_reason(author=list(followed))])

    compact = make_paper_view(item, SITE, PaperStyle(PaperSize.COMPACT, Abstracts.KEY))

    assert compact.authors.text == compact.authors.starred == authors
    assert compact.authors.html.replace("<b>", "*").replace("</b>", "*") == authors
    assert compact.byline == byline


def make_author(name: str) -> Author:
    return Author(name=name, affiliations=(f"University of {name}",))


def test_names_are_without_tex() -> None:
    authors = (Author(name=r"Andr\'e <Li>"),)
    view = shown(authors=authors, reasons=[make_reason("x", author=[r"Andr\'e <Li>"])])

    assert view.authors.text == "*André <Li>*"
    assert view.authors.html == "<b>André &lt;Li&gt;</b>"
    assert view.byline == "André <Li>"


def test_affiliations_stand_once_and_few_of_them() -> None:
    many = tuple(Author(name="A", affiliations=("X", f"U{n}")) for n in range(6))

    assert shown(authors=many).affiliations == "X; U0; U1; U2; 3 more"
    assert shown().affiliations == ""


def test_where_authors_have_no_affiliation_the_paper_may_have_organizations() -> None:
    both = {"organizations": ("Made Up  Labs", "Other")}

    assert shown(**both).affiliations == "Made Up Labs; Other"
    assert shown(authors=(Author(name="A", affiliations=("X",)),), **both).affiliations == "X"


# --- room -----------------------------------------------------------------------------------------

NEW = "In this paper, we propose SplitZip, a framework that makes caches 20% smaller."
ABSTRACT = f"Caches are large. {NEW} It costs time. It ends with rain."


@for_each_case(
    ("size", "abstract", "affiliations"),
    [
        (PaperSize.FULL, f"{NEW} … It ends with rain.", "University of A"),
        (PaperSize.FEATURED, f"{NEW} … It ends with rain.", "University of A"),
        (PaperSize.COMPACT, NEW, ""),
        (PaperSize.LINE, "", "University of A"),
    ],
)
def test_a_paper_shows_as_much_as_it_has_room_for(size: PaperSize, abstract: str, affiliations: str) -> None:
    item = make_item(
        abstract=ABSTRACT, authors=(make_author("A"),), reasons=[make_reason("rain", abstract=["rain"])]
    )

    view = make_paper_view(item, SITE, PaperStyle(size, Abstracts.KEY))

    assert view.size is size
    assert view.abstract.text == abstract
    assert view.affiliations == affiliations


def test_the_sentence_of_a_match_is_shown_only_if_title_and_authors_do_not_show_the_match() -> None:
    in_title = make_reason("KV cache", title=["KV"], abstract=["rain"])
    style = PaperStyle(PaperSize.FEATURED, Abstracts.FIRST)

    item = make_item(abstract=ABSTRACT, reasons=[in_title])

    assert make_paper_view(item, SITE, style).abstract.text == f"Caches are large. {NEW}"


@for_each_case("size", list(PaperSize))
def test_a_reader_who_wants_no_abstracts_sees_none(size: PaperSize) -> None:
    assert make_paper_view(make_item(), SITE, PaperStyle(size, Abstracts.NONE)).abstract.text == ""


def test_the_whole_abstract_has_room_in_a_compact_paper_if_the_reader_wants_it() -> None:
    item = make_item(abstract=ABSTRACT.replace(" It", "\n It"))

    view = make_paper_view(item, SITE, PaperStyle(PaperSize.COMPACT, Abstracts.FULL), number="7")

    assert view.abstract.text == ABSTRACT
    assert view.number == "7"


# --- what stands beside ---------------------------------------------------------------------------


def test_source_day_and_version_are_told() -> None:
    assert shown().about == "cs.DC, cs.LG · arXiv, 12 Jun"
    assert shown(1, EditionPart.VERSIONS).about == "cs.DC, cs.LG · arXiv, 12 Jun · version 3"


@for_each_case(
    ("kind", "fields", "about"),
    [
        (EventKind.GROWN, {}, "arXiv, 12 Jun · announced before, now with more details"),
        # Nobody told its number.
        (EventKind.VERSION, {"replaced_as": 0}, "arXiv, 12 Jun · new version"),
        (EventKind.PICKED, {"source": "hf"}, "picked on Hugging Face, 12 Jun"),
        (
            EventKind.PUBLISHED,
            {"journal_ref": "J. Made  Up 1"},
            "now published: J. Made Up 1 · arXiv, 12 Jun",
        ),
        (EventKind.PUBLISHED, {"doi": "10.1/x"}, "now published · arXiv, 12 Jun"),
        (
            EventKind.CODE,
            {"code_urls": ("https://www.github.com/a/b/", "https://x.y/")},
            "code found: github.com/a/b · arXiv, 12 Jun",
        ),
        (EventKind.CODE, {}, "code found · arXiv, 12 Jun"),
        (EventKind.TRENDING, {"source": "hf"}, "trending on Hugging Face, 12 Jun"),
    ],
)
def test_a_card_says_what_happened_to_the_paper(
    kind: EventKind, fields: dict[str, object], about: str
) -> None:
    assert shown(kind=kind, **fields).about == f"cs.DC, cs.LG · {about}"


def test_where_a_paper_was_published_is_said_once() -> None:
    known_values = {"journal_ref": "J. Made Up 1", "comment": "12 pages"}

    assert shown(**known_values).notes == ("J. Made Up 1", "12 pages")
    assert shown(kind=EventKind.PUBLISHED, **known_values).notes == ("12 pages",)


def test_a_withdrawn_paper_is_marked_first_of_all() -> None:
    view = shown(1, EditionPart.VERSIONS, withdrawn=True)

    assert view.about == "withdrawn · cs.DC, cs.LG · arXiv, 12 Jun · version 3"
    assert view.band == "version 3, withdrawn"


@for_each_case(
    ("part", "kind", "band"),
    [
        (EditionPart.SURELY, EventKind.NEW, ""),
        (EditionPart.SURELY, EventKind.GROWN, ""),
        (EditionPart.MAYBE, EventKind.NEW, "maybe"),
        (EditionPart.MAYBE, EventKind.PICKED, "maybe, picked"),
        (EditionPart.PICKED, EventKind.PICKED, "picked"),
        (EditionPart.VERSIONS, EventKind.PUBLISHED, "published"),
        (EditionPart.VERSIONS, EventKind.CODE, "code"),
        (EditionPart.VERSIONS, EventKind.TRENDING, "trending"),
    ],
)
def test_a_short_line_says_what_is_not_plainly_new(part: EditionPart, kind: EventKind, band: str) -> None:
    assert shown(1, part, kind=kind).band == band


def test_code_and_project_pages_are_linked_to_wherever_they_are_known() -> None:
    code = ("https://github.com/a/b", "javascript:alert(1)", *(f"https://code.example/{n}" for n in range(9)))
    view = shown(code_urls=code, project_urls=("https://a.example/",))

    assert [(link.label, link.href) for link in view.links] == [
        ("PDF", "https://arxiv.org/pdf/2606.00001"),
        ("Code", "https://github.com/a/b"),
        ("Code 2", "https://code.example/0"),
        ("Code 3", "https://code.example/1"),
        ("Project", "https://a.example/"),
    ]


def test_every_follow_is_named_the_surest_first() -> None:
    view = shown(
        reasons=[
            make_reason("W. Xiao?", Confidence.MAYBE),
            make_reason('"KV <cache>"', Confidence.SURELY, abstract=["KV cache"]),
        ]
    )

    assert view.why.text == 'Because you follow: "KV <cache>"; W. Xiao? (maybe)'
    assert view.why.html == 'Because you follow <i>"KV &lt;cache&gt;"</i> · <i>W. Xiao?</i> (maybe)'


def test_a_follow_that_only_may_fit_says_so_beside_one_that_does() -> None:
    sure = make_reason("large language model", Confidence.LIKELY, title=["SplitZip"])
    view = shown(reasons=[make_reason("Wencong Xiao", Confidence.MAYBE, author=["W. Xiao"]), sure])

    assert view.why.text == "Because you follow: large language model; Wencong Xiao (maybe; here: W. Xiao)"
    assert view.reasons.text == "large language model; Wencong Xiao (maybe; here: W. Xiao)"
    assert view.reasons.html == "<i>large language model</i> · <i>Wencong Xiao</i> (maybe; here: W. Xiao)"


def test_a_maybe_says_what_is_printed() -> None:
    view = shown(1, EditionPart.MAYBE, [make_reason("Wencong Xiao", Confidence.MAYBE, author=["W. Xiao"])])

    assert view.why.text == "Maybe, because you follow: Wencong Xiao (here: W. Xiao)"
    assert view.reasons.text == "Wencong Xiao (maybe; here: W. Xiao)"


def test_words_found_outside_title_and_abstract_are_said() -> None:
    comment = "Code: https://github.com/x/y"
    view = shown(
        comment=comment, reasons=[make_reason("has:code", comment=["github.com"], category=["cs.DC"])]
    )

    assert view.why.text == "Because you follow: has:code (here: github.com)"
    assert view.notes == (comment,)


def test_only_web_addresses_become_links() -> None:
    view = shown(url="javascript:alert(1)", pdf_url="data:text/html,x", doi='10.1/a"><b>')

    assert view.url == ""
    assert view.links == (Link(label="DOI", href="https://doi.org/10.1/a%22%3E%3Cb%3E"),)
    assert [
        filter_web_address(url) for url in ("https://a/b", "HTTP://a", "http://", "https://[", "//a")
    ] == [
        "https://a/b",
        "HTTP://a",
        "",
        "",
        "",
    ]


@for_each_case(
    "url, label",
    [
        ("http://creativecommons.org/licenses/by/4.0/", "CC BY 4.0"),
        ("https://creativecommons.org/licenses/by/4.0/legalcode", "CC BY 4.0"),
        ("https://www.creativecommons.org/licenses/by-nc-sa/3.0", "CC BY-NC-SA 3.0"),
        ("http://creativecommons.org/licenses/by-nd/4.0/", "CC BY-ND 4.0"),
        ("http://creativecommons.org/publicdomain/zero/1.0/", "CC0 1.0"),
        ("http://arxiv.org/licenses/nonexclusive-distrib/1.0/", ""),
        ("javascript:alert('creativecommons.org/licenses/by/4.0/')", ""),
        ("https://creativecommons.org/licenses/by/4.0/\nText", ""),
        ("", ""),
    ],
)
def test_a_licence_of_creative_commons_is_named(url: str, label: str) -> None:
    assert shown(license_url=url).license == Link(label=label, href=url if label else "")
