"""The report's page: one file of HTML, and the files that it is made of."""
