"""The operator's pages. They are English only, like the command line."""
