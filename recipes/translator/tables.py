"""Reading tables."""

import csv
import lzma


def rows(path):
    """The rows of a table whose first line names its columns, as dictionaries."""
    opened = lzma.open(path, 'rt', encoding='utf-8') if path.endswith('.xz') else open(path, encoding='utf-8')
    with opened as lines:
        yield from csv.DictReader(lines, delimiter='\t', quoting=csv.QUOTE_NONE)
