from __future__ import annotations

import jinja2
import pytest

from digest.render.environment import make_environment


@pytest.fixture(scope="session")
def environment() -> jinja2.Environment:
    return make_environment()
