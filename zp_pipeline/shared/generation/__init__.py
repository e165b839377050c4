"""The store: immutable artifacts, manifests of generations, and the pointer to the served one.

Knows nothing of what the artifacts mean; the steps write them, the gate judges them.
"""
