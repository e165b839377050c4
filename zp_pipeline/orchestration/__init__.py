"""Everything that knows Dagster: assets, checks, the job, the sensor, and their assembly.

Assets are glue over `zp_pipeline.builds` and `zp_pipeline.publication`; work is done there.
"""
