"""Measuring the product: the demo wiki made from facts, datasets, measures, reports.

Here belongs what judges the answers or gives them something to be judged on. Nothing in the
product imports it; only `definitions.py` and the entry points do.
"""
