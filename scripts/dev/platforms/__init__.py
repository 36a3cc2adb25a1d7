"""For developers: the package on other interpreters, machines, hosts and back ends."""
