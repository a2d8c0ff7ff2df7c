"""Sign-ups: the form, the link, and the page with one button."""
