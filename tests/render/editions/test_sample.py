from __future__ import annotations

import jinja2

from digest.model import BatchState, EventKind, Part
from digest.render.delivery.mail import rendered
from digest.render.editions.sample import sample_edition
from tests.render.samples import NOW, SITE


def test_a_template_that_renders_the_sample_has_met_everything(environment: jinja2.Environment) -> None:
    sample = sample_edition(NOW)

    assert {item.event.kind for item in sample.items} == set(EventKind)
    assert {item.part for item in sample.items} == set(Part)
    assert {batch.state for batch in sample.batches} == set(BatchState)
    assert "withdrawn" in rendered(environment, sample, SITE).text
