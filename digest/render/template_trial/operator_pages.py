"""Trial of the template of the operator's pages, with a sample content that has all parts."""

from __future__ import annotations

from digest.render.locale_bundle import LocaleBundle
from digest.render.papers.links import Link
from digest.render.publishing.operator_pages.content import (
    OperatorBlock,
    OperatorButton,
    OperatorContent,
    OperatorField,
    OperatorForm,
    OperatorRow,
    OperatorTable,
)
from digest.render.publishing.operator_pages.operator_page import DELIVERIES_PATH, render_operator_page
from digest.render.publishing.public_pages.links import PublicSite


def try_operator_pages(locale_bundle: LocaleBundle, site: PublicSite) -> None:
    """Try a page with all parts, and one without any."""
    for content in (_make_sample(), OperatorContent(title="Runs", section="/operator/runs", blocks=())):
        render_operator_page(locale_bundle.environment, locale_bundle.branding, site, content, "sample")


def _make_sample() -> OperatorContent:
    button = OperatorButton(
        label="Lift",
        action="/operator/suppressions",
        fields=(("do", "lift"),),
        spoken="Lift the suppression of ada@example.org",
        is_primary=True,
    )
    link = Link(label="End digest 7…", href="/operator/subscribers/3?ask=end&digest=7")
    row = OperatorRow(
        title="Run 12 of 2026-06-12",
        href="/operator/runs/12",
        details=("held",),
        is_problem=True,
        buttons=(button,),
        links=(link,),
    )
    state = OperatorField("state", "State", "refused", (("", "any"), ("refused", "refused")))
    number = OperatorField("run", "Run", "12", is_number=True, is_required=True)
    search = OperatorForm(DELIVERIES_PATH, (state, number), "Filter", "filter")
    block = OperatorBlock(
        heading="Selected deliveries",
        lines=("The command `digest deliveries list` lists more.",),
        rows=(row, OperatorRow("No cycle has ended yet")),
        table=OperatorTable(("State", "Deliveries"), (("refused", "40"),)),
        forms=(search,),
        buttons=(button._replace(spoken="", is_primary=False),),
        links=(link,),
    )
    return OperatorContent(
        title="Deliveries",
        section=DELIVERIES_PATH,
        message="Done.",
        blocks=(block, OperatorBlock(empty="There are no bounces.")),
        pages=(Link(label="Older →", href=f"{DELIVERIES_PATH}?before=3"),),
    )
