"""Git underneath: objects, refs, the index and the working directory; the only package that imports pygit2."""
