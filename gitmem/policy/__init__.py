"""Pure decisions about trust, visibility and authority."""
