"""Hills, a lake and a jetty after sunset."""
