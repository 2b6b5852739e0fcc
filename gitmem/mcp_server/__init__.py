"""The memory over the Model Context Protocol: its tools, its core and its topics, for one tier (extra ``mcp``)."""
