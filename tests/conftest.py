"""Settings for all tests: hypothesis draws the same examples every time, without a deadline; Ctrl-C is not ignored."""

import signal

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")

# in the background, as under nohup, Ctrl-C is ignored, also by the processes that tests start to see what it does
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
