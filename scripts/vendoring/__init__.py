"""The modules of `vendor.py`: the parts of a copy, its imports, and copies that are one file."""
