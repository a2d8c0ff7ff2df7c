"""The demo: a cycle without network, on real listings that ship with the project."""
