"""The page of a report: a single HTML file that contains its style sheets and scripts."""
