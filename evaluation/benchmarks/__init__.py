"""Committed benchmarks, one command each. They print figures of one run, to be compared as ratios."""
