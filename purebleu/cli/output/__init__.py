"""From results to text, pages and files."""
