"""The syntax of the follow language: tokens, fields, grammar, and hints for users of other search languages."""
