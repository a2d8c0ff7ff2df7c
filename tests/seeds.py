"""The seed of what tests leave to chance."""

from __future__ import annotations

import os
import random


def seed() -> int:
    """The seed of this run, shown where a test fails: ``DIGEST_TEST_SEED``, else in CI always one, else a new one.

    Whether a change may land is not left to chance: new seeds are tried at the desk and by ``.ci/long``.
    """
    chosen = os.environ.get("DIGEST_TEST_SEED") or ("1" if os.environ.get("CI") else "")
    found = int(chosen) if chosen else random.SystemRandom().getrandbits(32)
    print(f"DIGEST_TEST_SEED={found}")  # noqa: T201 - shown where it fails
    return found
