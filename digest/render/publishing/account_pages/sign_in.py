"""The page with the form by which readers sign in."""

from __future__ import annotations

import jinja2

from digest.core.publishing.addresses import format_page_address
from digest.render.branding import Branding
from digest.render.environment import fill
from digest.render.publishing.public_pages.links import SIGN_IN_PATH, PublicSite, make_public_links
from digest.render.publishing.public_pages.signup_form import make_signin_form


def render_sign_in(environment: jinja2.Environment, branding: Branding, site: PublicSite) -> bytes:
    """Render the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    _ = branding.locale.gettext
    if site.has_signup:
        hint = _(
            "This is for readers who have subscribed on this site. To subscribe, choose a digest or a search."
        )
    elif site.has_accounts:
        hint = _("This is for readers of this site. New readers come by invitation: a mail with a link.")
    else:
        hint = _("This is for the operators of this site.")
    variables = {
        "site": branding,
        "public": make_public_links(site, lambda name: format_page_address(SIGN_IN_PATH, name)),
        "form": make_signin_form(site, branding.locale),
        "signup_hint": hint,
    }
    return fill(environment, "web/sign_in.html", variables).encode()
