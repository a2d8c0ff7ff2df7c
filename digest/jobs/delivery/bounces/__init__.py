"""Bounces and complaints: they become reports, and reports decide whether mail still goes to an address.

A report comes from a server's reply, the mailbox or a provider. It is matched with its message, counted once,
and changes the status of the address. All three routes count in the same way, so a bounce that arrives by two
of them counts once. A report that is not about our messages is ignored, and so is everything that says
nothing about an address.
"""
