"""A lighthouse, a sailing boat and the sea; the horizon is 4 degrees off level."""
