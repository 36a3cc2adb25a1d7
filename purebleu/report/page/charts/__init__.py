"""Charts as SVG: `drawing` (elements, axes), `bars` (bars, dots, intervals, figures), `plots` (densities, points)."""
