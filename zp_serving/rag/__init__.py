"""Finding passages in the served generation. HTTP and command line both end up here."""
