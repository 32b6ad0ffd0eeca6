"""Knowledge bases that several people share on a Chroma server."""
