from __future__ import annotations

from digest.core.generation_cache import GenerationCache


def test_the_last_things_are_kept_and_what_is_asked_for_stays() -> None:
    kept: GenerationCache[int, str] = GenerationCache(3)
    for number in range(3):
        kept.put(number, str(number))
    for number in range(3, 9):
        assert kept.get(0) == "0", "asked for again and again"
        kept.put(number, str(number))

    assert kept.get(1) is None
    assert kept.get_all([8, 0, 2, 7]) == ["8", "0", None, "7"]


def test_no_more_than_twice_as_many_are_kept() -> None:
    kept: GenerationCache[int, int] = GenerationCache(10)
    for number in range(1000):
        kept.put(number, number)

    assert 10 <= sum(kept.get(number) is not None for number in range(980, 1000)) <= 20
    assert not any(kept.get_all(range(980)))
