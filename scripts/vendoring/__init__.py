"""The modules of `vendor.py`: they select the parts of a copy, remove unused code, and make single files."""
