"""Model assets and embeddings of chunks: everything about the model that needs torch.

Heavy libraries (torch, sentence_transformers) are imported inside functions, so that listing the
pipeline costs nothing. What serving needs as well is in `zp_pipeline.shared.embedding`.
"""
