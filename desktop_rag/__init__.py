"""Desktop RAG: questions answered from one's own documents, offline, each answer at its place."""

import os
import sys

# The official builds of ONNX Runtime report to Microsoft unless this is set before they load.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# After a product in several threads OpenBLAS keeps them waiting at work for some 25 ms: that takes
# a core from what comes next, the reader, which then needs a sixth more time. What is searched or
# compared here takes one thread a few milliseconds.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Two thirds of httpx is its own command line, with a terminal's colours: it does without when that
# is not installed. A process that never makes a request imports httpx, too.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
