"""Texts in and out of the jobs: Parquet, JSON lines or ATF in, blocks of them to work on, Parquet out.

A block has a number, and its rows go into one file named by it, which takes its place only when it is whole. A block that is
made twice, as when a machine is lost in the middle, is the same file again: nothing is lost and nothing is doubled.
"""

import hashlib
import json
import os
import re

import pyarrow
import pyarrow.parquet

TEXT = re.compile(r'^&(\S+)')


def read(path):
    """The texts of a file as (id, text), in order; by its ending Parquet, JSON lines, or else ATF, where `&P123456` begins a text."""
    if path.endswith('.parquet'):
        rows = pyarrow.parquet.read_table(path, columns=['id', 'text']).to_pylist()
        return [(row['id'], row['text']) for row in rows]
    with open(path, encoding='utf-8') as file:
        if path.endswith(('.jsonl', '.ndjson')):
            rows = [json.loads(line) for line in file if line.strip()]
            return [(str(row['id']), row['text']) for row in rows]
        texts = []
        for line in file:
            begins = TEXT.match(line)
            if begins or not texts:
                texts.append((begins[1] if begins else os.path.basename(path), ''))
            texts[-1] = (texts[-1][0], texts[-1][1] + line)
        return texts


def all_texts(paths):
    """The texts of all files as (id, text, file); two of one id are an error, for the rows could not be told apart."""
    found, seen = [], {}
    for path in paths:
        for name, text in read(path):
            if name in seen:
                raise SystemExit(f'{path} has a text {name}, and so has {seen[name]}; give texts of different files different ids.')
            seen[name] = path
            found.append((name, text, path))
    return found


def blocks(texts, size):
    """The texts cut into blocks of so many, each with its number."""
    return [(number, texts[first:first + size]) for number, first in enumerate(range(0, len(texts), size))]


def file_of(out, number):
    """The file of a block."""
    return os.path.join(out, f'part-{number:06}.parquet')


def write(out, number, rows, provenance):
    """Writes the rows of a block with what made them, at once and for good."""
    os.makedirs(out, exist_ok=True)
    described = {b'tuppum': json.dumps(provenance, sort_keys=True, ensure_ascii=False).encode()}
    table = pyarrow.Table.from_pylist(rows, schema=SCHEMA.with_metadata(described))
    beside = f'{file_of(out, number)}.{os.uname().nodename}-{os.getpid()}.unfinished'
    pyarrow.parquet.write_table(table, beside, compression='zstd')
    os.replace(beside, file_of(out, number))


def gather(out):
    """All rows of a finished job, in the order of the texts."""
    names = sorted(name for name in os.listdir(out) if name.endswith('.parquet'))
    return pyarrow.concat_tables([pyarrow.parquet.read_table(os.path.join(out, name)) for name in names])


def checksum(text):
    return hashlib.sha256(text.encode()).hexdigest()


def of_folder(folder):
    """One checksum for all files of a model's folder."""
    whole = hashlib.sha256()
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            with open(path, 'rb') as file:
                whole.update(f'{name}\0{hashlib.file_digest(file, "sha256").hexdigest()}\n'.encode())
    return whole.hexdigest()


# What is a list or a record of many fields is JSON, as the command prints it.
SCHEMA = pyarrow.schema([
    ('id', pyarrow.string()),
    ('text', pyarrow.string()),
    ('restored', pyarrow.string()),  # the best filling of all gaps together: readings with their signs' numbers
    ('gaps', pyarrow.string()),
    ('glosses', pyarrow.string()),
    ('translation', pyarrow.list_(pyarrow.string())),
    ('translations', pyarrow.string()),
    ('problem', pyarrow.string()),  # why one of these is missing
    ('source_file', pyarrow.string()),
    ('text_sha256', pyarrow.string()),
])
