"""What the pipeline and the service agree on. Imports no dagster, no fastapi and no torch."""
