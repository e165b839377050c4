"""Caches of work per page. Deleting one only means that the work is done again."""
