"""Cut the sample corpus of the Train page from CDLI's Old Assyrian segments: python sample_pairs.py DATA OUT.tsv

Segments of at most 200 bytes on either side, at most six a tablet, in the order of the corpus, until there are 60. The source is the
edition's, with its brackets, joined from the file of lines."""
import csv, sys
data, out = sys.argv[1:3]
def rows(name): return list(csv.DictReader(open(f'{data}/cdli/parallel/{name}.tsv', encoding='utf-8'), delimiter='\t', quoting=csv.QUOTE_NONE))
lines = rows('cdli_akk_en_lines'); first = {(r['text_id'], r['line']): i for i, r in reversed(list(enumerate(lines)))}
chosen, taken = [], {}
for r in rows('cdli_akk_en_segments'):
    if 'Old Assyrian' not in r['period'] or 'Seals' in r['name'] or 'Bullae' in r['name']: continue
    i = first[r['text_id'], r['line']]; joined = lines[i:i + int(r['lines'])]
    source = ' '.join(l['source_marked'] for l in joined)
    short = len(source.encode()) <= 200 and 8 <= len(r['target'].encode()) <= 200
    whole = all(l['text_id'] == r['text_id'] for l in joined) and ' '.join(l['source'] for l in joined) == r['source']
    if short and whole and taken.get(r['text_id'], 0) < 6: taken[r['text_id']] = taken.get(r['text_id'], 0) + 1; chosen.append((r['text_id'], source, r['target']))
chosen = chosen[:60]
with open(out, 'w', encoding='utf-8') as f:
    f.write('text_id\tsource\ttarget\n'); f.writelines('\t'.join(row) + '\n' for row in chosen)
print(len(chosen), 'pairs from', len({t for t, _, _ in chosen}), 'tablets')
