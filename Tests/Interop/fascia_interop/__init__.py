"""An independent implementation of the Fascia Link, written from spec/link.md alone."""
