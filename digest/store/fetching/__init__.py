"""What was asked, when, and what came: the ledger, its listings, and the limits of hosts."""
