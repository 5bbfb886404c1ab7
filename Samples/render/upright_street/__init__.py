"""An old street on a wet evening, stored lying on its side."""
