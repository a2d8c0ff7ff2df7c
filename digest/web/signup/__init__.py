"""Sign-ups and sign-ins: the forms, the links, and the pages with one button."""
