"""What gitmem promises about time, measured as ratios in one run (``make bench``)."""
