"""Meta-evaluation of metrics: how well their scores agree with those that people gave, and what WMT makes of them."""
