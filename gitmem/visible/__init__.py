"""The memory as somebody else than its owner sees it: what they may not see does not exist for them.

Readers of every kind ask facts, trees and documents. For a reader who may see only a part these three are narrowed
before anybody asks, so that no reader can forget to. What is hidden is blank: whatever stays keeps its place, so that
lines and offsets are those of the files.
"""
