"""From a request and a snapshot to the staged tree: patches, file changes, record operations, normalization."""
