"""Results as a complete table of LaTeX for a paper: with caption, marks of significance, and signatures."""
