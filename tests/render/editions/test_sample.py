from __future__ import annotations

import jinja2

from digest.model import BatchState, EditionPart, EventKind
from digest.render.delivery.mail import render_mail
from digest.render.editions.sample import make_sample_edition
from tests.render.samples import NOW, SITE


def test_a_template_that_renders_the_sample_has_met_everything(environment: jinja2.Environment) -> None:
    sample = make_sample_edition(NOW)

    assert {item.event.kind for item in sample.items} == set(EventKind)
    assert {item.part for item in sample.items} == set(EditionPart)
    assert {batch.state for batch in sample.batches} == set(BatchState)
    assert "withdrawn" in render_mail(environment, sample, SITE).text
