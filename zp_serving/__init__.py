"""The service: answers questions over HTTP and on the command line from the published generation.

Of the pipeline it imports `zp_pipeline.shared` only, and it writes nothing to the store.
"""
