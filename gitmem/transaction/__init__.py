"""The one way in: a request becomes a validated, published commit, or nothing changes (section 3)."""
