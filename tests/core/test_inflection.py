from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.inflection import bases

FITS = """
    embed embedding, embed embeddings, embed embedded, embedding embeddings, LLM LLMs, GPU GPUs, gpu gpus, VM VMs,
    MoE MoEs, LoRA LoRAs, H100 H100s, 1990 1990s, transformer transformers, metric metrics, topic topics,
    heuristic heuristics, statistic statistics, base bases, basis bases, axis axes, matrix matrices,
    vertex vertices, index indices, index indexes, analysis analyses, hypothesis hypotheses, synthesis syntheses,
    crisis crises, datum data, criterion criteria, phenomenon phenomena, spectrum spectra, maximum maxima,
    nucleus nuclei, radius radii, corpus corpora, formula formulae, automaton automata, polyhedron polyhedra,
    child children, woman women, mouse mice, leaf leaves, life lives, half halves, shelf shelves,
    study studies, study studied, study studying, movie movies, query queries, tie ties, tie tied, tie tying,
    class classes, box boxes, batch batches, cache caches, cache cached, cache caching, search searches,
    push pushes, hero heroes, shoe shoes, echo echoes, lens lenses, bias biases, bias biased, virus viruses,
    focus focused, phase phases, case cases, use uses, use used, use using, close closing, parse parsing,
    increase increasing, size sizes, freeze freezes, quiz quizzes, plan planned, plan planning, tag tagging,
    control controlled, control controlling, model modelling, model modeled, add adding, call calling,
    process processing, pass passed, rate rated, rate ratings, time timing, code coding, scale scaled, tune tuning,
    quote quoted, require required, square squared, route routing, guide guided, create creating, edit editing,
    generate generating, evaluate evaluated, define defined, reason reasoning, explore exploring,
    cluster clustering, filter filtered, capture capturing, sample sampling, schedule scheduling, enable enabled,
    image imaging, manage managing, merge merged, change changing, challenge challenging, bring bringing,
    solve solving, reduce reduced, mimic mimicking, trek trekking, look looking, break breaking, make making,
    play played, show shows, show showing, fix fixed, learn learning, learn learned, train trained, test testing, waste wasted,
    paste pasted, smooth smoothing, breathe breathing, graph graphs, Newton Newton's, model models', dog dog’s,
    agree agreed, guarantee guaranteed, see seeing, go goes, unite united, sync synced, wave waves, curve curves
"""
NEVER = """
    transformer transform, transformers transform, generative generation, generative generate, GPS GP,
    physics physic, robotics robotic, semantics semantic, dynamics dynamic, optics optic, genomics genomic,
    economics economic, thermodynamics thermodynamic, in information, optimal optimize, optimizer optimize,
    optimization optimize, network net, learner learn, learnable learn, robust robustness, graphic graph,
    graphical graph, neural neuron, rat rating, car caring, star staring, plan planed, hop hoping, past pasted,
    tast tasted, Chang changing, CAS cases, US uses, us uses, gas ga, lens len, bias bia, virus viru, status statu,
    analysis analysi, class clas, process proces, loss los, this thi, thus thu, always alway, news new, series serie,
    species specie, evening even, ceiling ceil, wedding wed, inning in, outing out, herring her, thing th, king k,
    embed emb, need ne, speed spe, seed se, unit united, breath breathing, rout routed, suite suited, to toes,
    string str, spring spr, sing singed, basis base, matrices matrice, ACL ACLED, DoS do, QoS qo, AIDS aid, IS i,
    data date, media medi, led light, model modal, policy police, univers universe, universal universe
"""


def pairs(table: str) -> list[tuple[str, str]]:
    return [(first, second) for first, second in (pair.split() for pair in table.split(","))]


@pytest.mark.parametrize(("word", "inflected"), pairs(FITS))
def test_a_word_finds_its_inflected_forms_and_they_find_it(word: str, inflected: str) -> None:
    assert bases(word) & bases(inflected)


@pytest.mark.parametrize(("word", "other"), pairs(NEVER))
def test_a_word_never_finds_another_word_of_its_family_or_one_spelled_alike(word: str, other: str) -> None:
    assert not bases(word) & bases(other)


def test_bases_is_base_and_basis() -> None:
    assert bases("bases") == {"bases", "base", "basis"}


def test_a_word_in_capitals_is_only_itself() -> None:
    assert bases("GPS") == {"gps"}
    assert bases("gps") == {"gps", "gp"}


@given(st.text(max_size=30))
def test_every_word_is_its_own_base_or_that_of_its_possessive(word: str) -> None:
    found = bases(word)
    assert found
    if not word.lower().endswith(("'s", "\u2019s", "'", "\u2019")):
        assert word.lower() in found


@given(st.from_regex("[a-z]{3,12}(ing|ed|s|es|ies|ings|ics)?", fullmatch=True))
def test_a_base_is_at_least_two_letters_long_and_never_longer_than_the_word_by_more_than_two(
    word: str,
) -> None:
    assert all(2 <= len(base) <= len(word) + 2 for base in bases(word))
