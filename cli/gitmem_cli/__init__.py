"""The `gitmem` command: options, one library call, a rendering."""
