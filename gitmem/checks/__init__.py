"""The rules a change must keep, one module a rule, and the gate that runs them."""
