"""For maintainers: test the package on other interpreters and machines, in other projects, and with build back ends."""
