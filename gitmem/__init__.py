"""gitmem: a git-native memory workspace for language-model agents and for the people who audit them."""
