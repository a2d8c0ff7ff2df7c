"""``python -m digest`` is the command ``digest``."""

import signal

# Until the command can stop in order, Ctrl-C ends the process without a traceback of what was being imported.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from digest.cli import main

if __name__ == "__main__":
    main()
