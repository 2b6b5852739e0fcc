"""What is known about one state of the memory: the ``Facts`` protocol, its plain implementation, and trust."""
