"""The part of the API that belongs to one reader, by a token of theirs."""
