"""What the memory believed, who made it so, and how to go back."""
