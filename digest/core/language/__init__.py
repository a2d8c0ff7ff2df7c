"""The follow language: from what readers type to the one form of all that mean the same."""
