"""Results as a table of LaTeX that a paper takes as it is: with caption, marks of significance, and signatures."""
