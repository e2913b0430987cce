"""See `flowly`."""
