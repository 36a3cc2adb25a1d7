"""For developers: every result against the oracles', on real data and on generated lines."""
