"""For maintainers: oracles and golden files, benchmarks, platforms, generated files."""
