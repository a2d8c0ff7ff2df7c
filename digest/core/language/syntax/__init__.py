"""The syntax of the follow language: tokens, fields and grammar, and hints for who writes another one."""
