"""Workers: the processes that hold leases, and the hints that tell them of work."""
