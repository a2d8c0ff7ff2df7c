"""One paper: what mails, pages and feeds show of it."""
