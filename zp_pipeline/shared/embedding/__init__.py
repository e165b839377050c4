"""The model as both sides know it: its manifest, fingerprint, token counts and query encoder.

Imports no torch. Making the assets and encoding passages: `zp_pipeline.embedding`.
"""
