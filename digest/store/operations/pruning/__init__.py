"""Pruning: which rows are older than the retention period, and their removal in small steps.

Rows that a later decision depends on stay, however old they are: deliveries that are not finished, the last
run of each slot that has digests or may fire again, the last edition of each digest, editions whose window reaches beyond their digest's own
``from_seq``, all editions of digests with a feed (whose archives never change), and listings from which
versions are inferred. The last row of each table stays, because a database may assign its number again.
"""
