"""Tests of the client against the real server."""
