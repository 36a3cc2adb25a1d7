"""Functions that turn results into text for the command line, and functions that compare systems in programs.

Read `formats` and `tables` first, because all outputs use them. `comparison` writes the scores of systems, `worth`
writes differences, and `gates` writes verdicts. `checks`, `agreement`, `audit`, `views` and `alignments` write the
results of other commands. `paper` writes LaTeX tables for papers, and `page` writes the HTML page of a report. Programs
call the functions of `compare`.
"""
