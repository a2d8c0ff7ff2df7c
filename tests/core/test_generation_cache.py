from __future__ import annotations

from digest.core.generation_cache import ComputedCache, GenerationCache


def test_the_last_things_are_kept_and_what_is_asked_for_stays() -> None:
    generation_cache: GenerationCache[int, str] = GenerationCache(3)
    for number in range(3):
        generation_cache.put(number, str(number))
    for number in range(3, 9):
        assert generation_cache.get(0) == "0", "asked for again and again"
        generation_cache.put(number, str(number))

    assert generation_cache.get(1) is None
    assert generation_cache.get_all([8, 0, 2, 7]) == ["8", "0", None, "7"]


def test_no_more_than_twice_as_many_are_kept() -> None:
    generation_cache: GenerationCache[int, int] = GenerationCache(10)
    for number in range(1000):
        generation_cache.put(number, number)

    assert 10 <= sum(generation_cache.get(number) is not None for number in range(980, 1000)) <= 20
    assert not any(generation_cache.get_all(range(980)))


def test_what_is_removed_is_gone_from_both_generations() -> None:
    generation_cache: GenerationCache[int, str] = GenerationCache(2)
    for number in range(4):
        generation_cache.put(number, str(number))
    for number in (0, 3, 99):
        generation_cache.remove(number)

    assert generation_cache.get_all(range(4)) == [None, "1", "2", None]


def test_what_is_computed_is_computed_once_while_it_is_asked_for() -> None:
    computed: list[int] = []

    def compute(number: int) -> str | None:
        computed.append(number)
        return str(number) if number else None

    cache = ComputedCache(compute, 3)
    for number in range(1, 20):
        assert cache.get_all([0, number, 0]) == [None, str(number), None]

    assert sorted(computed) == list(range(20))
    assert cache.get_all([1, 19]) == ["1", "19"], "what was dropped is computed again"
    assert len(cache) <= 3
