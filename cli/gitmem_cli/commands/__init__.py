"""One module per command; ``gitmem_cli.table`` says which module holds which."""
