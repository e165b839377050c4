"""Writes the search index of a generation. Reading it is `zp_pipeline.shared.search`.

Pure functions over the tables of the earlier steps; knows nothing of generations and Dagster.
"""

CODE_VERSION = "1"
