"""Committed benchmarks, one command each. Each prints figures of one run, to compare as ratios."""
