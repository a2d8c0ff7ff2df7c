"""What readers type by habit: each line does what was meant, or is told how to write it."""

from __future__ import annotations

import pytest

from digest.core.language.parser import parse_with_hints
from digest.core.language.syntax.fields import FIELDS
from digest.core.language.syntax.foreign_syntax import describe_foreign_field
from digest.errors import QueryError
from tests.support.cases import for_each_case

DONE = """
# arXiv: the search form and the API
au:del_maestro AND ti:checkerboard               => author:"del maestro" AND title:checkerboard
ti:"quantum spin" ANDNOT cat:math.IT             => NOT category:cs.IT AND title:"quantum spin"
all:electron                                     => electron                       ; all: was ignored
all:"graph neural" AND all:survey                => "graph neural" AND survey      ; all: was ignored
abs:(diffusion OR flow) AND cat:cs.LG            => (abstract:diffusion OR abstract:flow) AND category:cs.LG
co:"accepted at ICML"                            => comment:"accepted at icml"
jr:"Phys. Rev. Lett."                            => journal:"phys rev lett"
cat:cs.*                                         => category:cs
cs.LG                                            => category:cs.LG                 ; cs.LG was read as category:cs.LG
au:"Del Maestro, A."                             => author:"Del Maestro, A."
# papers by what they are called
2401.00001                                       => id:arxiv:2401.00001            ; was read as id:
2401.00001v2                                     => id:arxiv:2401.00001            ; All versions of 2401.00001
arXiv:2401.00001                                 => id:arxiv:2401.00001            ; was read as id:
hep-th/9901001                                   => id:arxiv:hep-th/9901001        ; was read as id:
https://arxiv.org/abs/2401.00001                 => id:arxiv:2401.00001            ; was read as id:
arxiv.org/pdf/2401.00001.pdf                     => id:arxiv:2401.00001            ; was read as id:
10.1000/182                                      => id:doi:10.1000/182             ; was read as id:
https://doi.org/10.1016/S0140-6736(20)30183-5    => id:"doi:10.1016/s0140-6736(20)30183-5" ; was read as id:
DOI:10.1016/S0140-6736(20)30183-5                => id:"doi:10.1016/s0140-6736(20)30183-5"
# Google Scholar
"mixture of experts" -survey                     => "mixture of experts" AND NOT survey
author:"G Hinton" backpropagation                => author:"G Hinton" AND backpropagation
author:Hinton                                    => author:"Hinton"                ; Hinton alone matches everybody
“mixture of experts”                             => "mixture of experts"
multi-modal                                      => multi-modal
# persons by their pages
author:https://orcid.org/0000-0002-1825-0097     => author:orcid:0000-0002-1825-0097
author:0000-0002-1825-0097                       => author:orcid:0000-0002-1825-0097
# other languages of queries
graph && network                                 => graph AND network              ; && was ignored
graph & network                                  => graph AND network              ; & was ignored
+graph +network                                  => graph AND network
"graph network"~3                                => "graph network"~3
graph AND NOT (network OR survey)                => NOT (network OR survey) AND graph
graph?                                           => graph
#quantization                                    => quantization
# names with signs
A*                                               => ="A*"                          ; at least 3 letters
C*-algebra                                       => "c algebra" AND ="C*"          ; The * of C*
$C^\\ast$-algebra                                => "c algebra" AND ="C*"          ; The * of C*
K* meson                                         => ="K*" AND meson                ; searched as written
title:(A* OR D*)                                 => title:="A*" OR title:="D*"     ; The * of D*
"A* search"                                      => "a search" AND ="A*"           ; The * of A*
=A*                                              => ="A*"
qu*                                              => ="qu*"                         ; at least 3 letters
SU(2)                                            => "su 2"
f(R) gravity                                     => "f r" AND gravity
SL(2,Z)                                          => "sl 2 z"
SL(2, Z)-bundle                                  => "sl 2 z bundle"
GARCH(1,1)                                       => "garch 1 1"
title:(SU(2) OR U(1)xU(1))                       => title:"su 2" OR title:"u 1 xu 1"
graph(neural OR tree)                            => graph AND (neural OR tree)
=SU(2)                                           => ="SU(2)"
(2+1)-dimensional                                => "2 1 dimensional"
(∞,1)-categories                                 => "infinity 1 categories"
(2,1)-categories                                 => "2 1 categories"
C(1)-algebra                                     => "c 1 algebra"
(R)-limonene                                     => "r limonene"                   ; (R) -limonene, with a space
(n)-gon                                          => "n gon"                        ; (n) -gon, with a space
(n, k)-codes                                     => "n k codes"
∞ categories                                     => categories                     ; ∞ was ignored
(meth)acrylate                                   => "meth acrylate"
∞-categories                                     => categories                     ; ="∞-categories"
.NET                                             => net                            ; =".NET"
IT                                               => it                             ; write =IT
WHO                                              => who                            ; write =WHO
"US"                                             => us                             ; write =US
# from a keyboard for Chinese or Japanese
深度学习                                         => "深度学习"
量子*                                            => "量子"
（深度学习 OR graph）                            => "深度学习" OR graph
title：量子                                      => title:"量子"
"深度 学习"                                      => "深度学习"
# small words and signs between words
graph and network                                => graph AND network              ; The lower-case "and" was ignored
graph or network                                 => "or" AND graph AND network     ; The lower-case "or" was read as a word
graph not network                                => "not" AND graph AND network    ; The lower-case "not" was read as a word
graph and/or network                             => "and or" AND graph AND network ; write OR
graph, network                                   => graph AND network              ; A comma has no meaning
graph; network                                   => graph AND network              ; A comma has no meaning
graph/network                                    => "graph network"                ; was read as a phrase
graph—network                                    => "graph network"
'graph network'                                  => graph AND network              ; is not a quotation mark here
«graph network»                                  => graph AND network              ; is not a quotation mark here
"graph OR network"                               => "graph or network"             ; In quotes, OR is an ordinary word
"quantiz*"                                       => quantiz                        ; In quotes, * is text
@karpathy                                        => karpathy                       ; for a person, write author:
author:Yang Liu                                  => author:"Yang" AND liu          ; write author:"Yang Liu"
author:(Yang Liu, Wei Wang)                      => author:"Yang Liu, Wei Wang"    ; for two persons
institution:ETH Zurich                           => institution:eth AND zurich     ; write institution:"ETH Zurich"
from: one to all                                 => all AND from AND one AND to    ; from: was read as a word
kind:version                                     => kind:version                   ; This matches everything there
"""
"""What is typed, what it is read as, and what is said about it, if anything."""

TOLD = """
# arXiv
submittedDate:[202401010000 TO 202412312359]     => Follows have no dates          @ submittedDate
id_list:2401.00001                               => Did you mean id:?              @ id_list
au:del_maestro+AND+ti:checkerboard               => URL-encoded         @ +AND+
ti:%22quantum+spin%22                            => URL-encoded         @ %22quantum
# Google Scholar and the web
intitle:graph                                    => Did you mean title:?           @ intitle
allintitle: graph network                        => Did you mean title:?           @ allintitle
inauthor:hinton                                  => Did you mean author:?          @ inauthor
intext:graph                                     => remove it                   @ intext
site:arxiv.org graph                             => write source:NAME              @ site
filetype:pdf graph                               => write source:NAME              @ filetype
graph after:2020                                 => Follows have no dates          @ after
graph year:2024                                  => Follows have no dates          @ year
https://example.org/blog                         => write id: before it            @ https
# PubMed, Scopus, Web of Science, IEEE, ADS
graph[Title]                                     => before its word         @ [Title]
"graph network"[MeSH Terms]                      => before its word         @ [MeSH
Smith J[au]                                      => before its word         @ [au]
TITLE-ABS-KEY(graph)                             => needs a colon           @ TITLE
TITLE(graph)                                     => needs a colon           @ TITLE
TS=(graph)                                       => needs a colon           @ TS
AU=Smith                                         => needs a colon           @ AU
"Document Title":graph                           => one word without quotes        @ :graph
graph NEAR/5 network                             => "first second"~5               @ NEAR
graph NEAR network                               => "first second"~5               @ NEAR
graph ADJ3 network                               => "first second"~5               @ ADJ3
graph W/5 network                                => "first second"~5               @ W/5
author:"^Smith, J"                               => write author:"Given Family"    @ "^Smith
# GitHub and Semantic Scholar
label:bug graph                                  => Did you mean category:?        @ label
graph is:open                                    => Did you mean kind:?            @ is
language:python                                  => The fields are title:           @ language
venue:ICML                                       => Did you mean journal:?         @ venue
from:hinton                                      => For a person, write author:    @ from
orcid:0000-0002-1825-0097                        => author:orcid:                  @ orcid
ror:05a28rw58                                    => institution:ror:               @ ror
# Lucene, SQL, patterns
graph || network                                 => write OR                       @ ||
(graph | network)                                => write OR                       @ |
graph|network                                    => write OR                       @ |
!graph network                                   => Write -word                    @ !graph
graph ! network                                  => Write -word                    @ !
[graph OR network] survey                        => Use ( and )                    @ [graph
graph~                                           => after a phrase                 @ ~
graph~2                                          => after a phrase                 @ ~2
"graph network" ~3                               => after a phrase                 @ ~3
"graph network"~0                                => from 1 to 20                   @ ~0
"graph network"~99                               => from 1 to 20                   @ ~99
"graph network"~                                 => from 1 to 20                   @ ~
wom?n                                            => ? does not stand for a letter  @ ?n
/colou?r/                                        => Patterns are not supported;    @ /colou
*ization                                         => follow the beginning of a word @ *
quant*n                                          => follow the beginning of a word @ *n
"quantiz"*                                       => without quotes                 @ *
author:Liu*                                      => write initials                 @ *
SELECT * FROM papers                             => follow the beginning of a word @ *
title LIKE '%graph%'                             => remove the %                   @ '%graph
title = 'graph'                                  => directly before a word         @ = 'graph
title='graph'                                    => needs a colon           @ title=
title==graph                                     => needs a colon           @ title==
year>=2020                                       => needs a colon           @ year>
# dashes
"deep learning"-survey                           => excludes survey                @ -survey
(graph OR network)-survey                        => (graph OR network) survey searches for both @ -survey
(graph)-survey                                   => (graph) -survey, with a space  @ -survey
graph-"deep learning"                            => graph -"deep learning", with   @ -"deep
graph-(survey OR review)                         => excludes (survey OR review)    @ -(survey
title:"deep learning"–survey                     => is ambiguous next              @ –survey
="RAG"-survey                                    => is ambiguous next              @ -survey
="RAG"-"survey"                                  => excludes "survey"              @ -"survey
author:"J. Doe"-survey                           => author:"J. Doe" -survey, with  @ -survey
author:(J. Doe)-survey                           => author:(J. Doe) -survey, with  @ -survey
"deep learning"~3-survey                         => "deep learning"~3 -survey, with @ -survey
"deep learning"~3–survey                         => "deep learning"~3 survey searches @ –survey
"deep learning"~3survey                          => how many other words           @ ~3survey
graph*-survey                                    => graph* -survey, with a space   @ -survey
title:graph*-survey                              => graph* survey searches for both @ -survey
graph**-survey                                   => with at least 3 letters       @ **-survey
*-survey                                         => with at least 3 letters       @ *-survey
graph AND-survey                                 => AND -survey, with a space      @ -survey
graph OR-survey                                  => if OR-survey is text, put it in quotes @ -survey
graph ANDNOT-survey                              => ANDNOT survey, with a space    @ -survey
"graph"- network                                 => This - has no meaning here     @ - network
graph - network                                  => This - has no meaning here     @ - network
graph – network                                  => one plain hyphen               @ – network
graph −network                                   => one plain hyphen               @ −network
graph --network                                  => one plain hyphen               @ --network
title:-graph                                     => before the field               @ -graph
# what cannot be
-graph                                           => This query only excludes papers @ graph
graph OR -network                                => This query only excludes papers @ network
graph OR OR network                              => nothing before OR              @ OR network
graph AND OR network                             => nothing before OR              @ OR
AND network                                      => nothing before AND             @ AND
title:OR network                                 => title: needs a word            @ OR
title:author:Smith                               => cannot be inside another field @ author
author:(Yang Liu and Wei Wang)                   => There is a lower-case "and" in a name @ and
author:orcid:0000-0002-1825-0098                 => has a wrong digit              @ orcid
institution:ror:05a28rw59                        => has a wrong digit              @ ror
doi:graph                                        => This is not a DOI              @ graph
id:graph                                         => not the id of a                @ graph
kind:replaced                                    => new, grown, version            @ replaced
has:data                                         => accepts code                    @ data
"""
"""What is typed, what of the error says how to write it, and where the error is."""


def lines(table: str) -> list[tuple[str, str, str]]:
    """The rows of a table: typed, what comes of it, and what is behind the sign for more, ``;`` or ``@``."""
    sign = " ; " if table is DONE else " @ "
    rows = []
    for line in table.splitlines():
        if line and not line.startswith("# "):
            typed, _, answer = line.partition(" => ")
            result, _, more = answer.partition(sign)
            rows.append((typed.strip(), result.strip(), more.strip()))
    return rows


def test_the_tables_have_at_least_sixty_queries() -> None:
    assert len({typed for table in (DONE, TOLD) for typed, _, _ in lines(table)}) >= 60


@for_each_case(("typed", "means", "message"), lines(DONE))
def test_what_is_typed_by_habit_does_what_was_meant(typed: str, means: str, message: str) -> None:
    parsed_query = parse_with_hints(typed)
    assert str(parsed_query.query) == means
    if message:
        assert any(message in hint for hint in parsed_query.hints), parsed_query.hints
    else:
        assert not parsed_query.hints


@for_each_case(("typed", "text", "place"), lines(TOLD))
def test_what_is_written_otherwise_here_is_told_with_its_place(typed: str, text: str, place: str) -> None:
    with pytest.raises(QueryError) as error:
        parse_with_hints(typed)
    assert text in error.value.args[0]
    assert typed[error.value.position :].startswith(place), str(error.value)
    assert "\n" not in error.value.args[0]
    assert error.value.args[0].endswith(".")


@for_each_case("name", ["intitle", "inauthor", "venue", "refs", "affiliation", "label", "is", "rn"])
def test_a_field_of_another_search_box_is_told_ours(name: str) -> None:
    foreign_field = describe_foreign_field(name)
    assert foreign_field
    assert foreign_field.removesuffix(":?").rpartition(" ")[2] in FIELDS
