"""From a finished build to the served generation: the gate, publishing, roll-back and retention.

All of it runs under the build lock, and none of it knows Dagster.
"""
