"""digest tells researchers what is new.

It pulls new paper listings, matches them with what each reader follows, and sends everyone one digest
on their own schedule. ``docs/internals.md`` tells the way of a paper from source to mailbox.
"""

__version__ = "0.1.0"
