"""The operator's pages, for the addresses in ``[operator] people``; nobody else can tell that they exist."""
