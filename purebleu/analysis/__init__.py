"""Where systems differ: segment by segment, by kinds of segments, and by what they get right."""
