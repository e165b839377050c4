"""Text as both sides see it: normalisation, tokens of the models, and the words of search."""
