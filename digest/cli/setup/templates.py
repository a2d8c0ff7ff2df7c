"""What `digest check` reports about templates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from digest.app import App


def check_templates(app: App) -> Iterator[tuple[str, bool, str]]:
    """Report each custom template that is broken or uses old names; one line if none is broken."""
    from digest.config.values import list_languages
    from digest.render.locale_bundle import make_locale_bundle
    from digest.render.template_trial.every_template import try_templates

    folder = app.settings.templates
    if folder is None:  # the shipped templates are tested before a release
        yield "templates", True, ""
        return
    trial = try_templates(
        lambda language: make_locale_bundle(language, app.branding, folder, None),
        list_languages(folder),
        app.clock(),
    )
    for text in trial.errors:
        yield "templates", False, f"{text}; until you fix it, the shipped template is used"
    for old_name in trial.old_names:
        yield "templates", True, str(old_name)
    if not trial.errors:
        yield "templates", True, "; ".join(trial.unused)
