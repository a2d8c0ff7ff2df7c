"""Mail that came back: how it is read, and what it says of an address."""
