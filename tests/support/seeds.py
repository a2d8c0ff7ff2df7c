"""The seed of what tests leave to chance."""

from __future__ import annotations

import os
import random


def get_seed() -> int:
    """The seed of this run, shown where a test fails: ``DIGEST_TEST_SEED``, else a new one.

    ``.ci/run`` sets it: whether a change may land is not left to chance.
    """
    count = int(os.environ.get("DIGEST_TEST_SEED") or random.SystemRandom().getrandbits(32))
    print(f"DIGEST_TEST_SEED={count}")  # noqa: T201
    return count
