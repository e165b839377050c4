"""Searching one generation: filters, arms and fusion. The gate and the service use the same."""
