"""Renders the sample photos in Samples/; see Samples/README.md."""
