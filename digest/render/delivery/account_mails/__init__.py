"""Mails about the account of a reader: links to confirm, to sign in and to change the address."""
