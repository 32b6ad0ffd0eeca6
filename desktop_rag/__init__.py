"""Desktop RAG: questions answered from one's own documents, offline, each answer at its place."""

import os

# The official builds of ONNX Runtime report to Microsoft unless this is set before they load.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
