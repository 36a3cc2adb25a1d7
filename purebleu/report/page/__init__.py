"""The page of a report: a single file of HTML, with the style sheets and scripts that go into it."""
