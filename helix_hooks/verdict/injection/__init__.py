"""Search for text that tries to steer a reviewer."""
