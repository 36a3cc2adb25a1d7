"""Functions that turn results into text for the command line; functions that compare systems in programs.

In reading order: all outputs use `formats` (also for names of systems), `tables` and `layouts`. `comparison` (also of
language pairs and runs), `worth` and `gates` write results. `checks`, `agreement`, `audit`, `views` and `alignments`
write the results of other commands. `paper` writes LaTeX tables, `page` writes the HTML page of a report, and `compare`
has the functions for programs.
"""
