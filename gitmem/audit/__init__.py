"""Looking for what is wrong with memory as it stands, or as it came about."""
