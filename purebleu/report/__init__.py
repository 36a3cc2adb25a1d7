"""Results as strings: functions from results to text, which the command line prints.

In reading order: `formats` (also names of systems), `tables` and `layouts` are what all outputs are made of;
`comparison` (also of language pairs and runs), `worth` and `gates` write results; `checks`, `agreement`, `audit`,
`views` and `alignments` write other findings. `paper` writes tables of LaTeX, `page` the page of HTML, and `compare`
has the functions for programs.
"""
