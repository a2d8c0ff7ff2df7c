"""``python -m digest`` is the command ``digest``."""

from digest.cli import main

main()
