"""How all properties are tried, unless a test needs something else: the same examples every time.

How long one of them takes does not matter: a machine may be busy, an interpreter slow.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("same examples", max_examples=100, deadline=None, derandomize=True, database=None,
                          suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
settings.load_profile("same examples")
