"""Conformance suites and test doubles, beside the interfaces they serve: public, for backends and hosts."""
