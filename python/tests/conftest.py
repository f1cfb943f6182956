"""What has to hold before any test is imported."""

import os
import signal

# scikit-learn leaves out some of its checks unless scipy follows the standard of arrays, which it decides when imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

# A shell that starts programs in the background has them ignore Ctrl-C, which some tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)
