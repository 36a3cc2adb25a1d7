"""Tests of the manual and of README."""
