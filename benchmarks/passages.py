"""Cuts long texts into passages for `constraints`, like those of docs/performance/constraints.md.

    python3 benchmarks/passages.py FOLDER 500 > speeches.jsonl

Every .txt file of FOLDER holds a paragraph a line. Paragraphs are joined until there are 600 words; a passage of fewer than 355 or
more than 995 is left out. The first COUNT passages are printed, files in the order of their names.
"""

import json
import pathlib
import sys

folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
for file in sorted(folder.glob("*.txt")):
    passages, paragraphs, words = [], [], 0
    lines = [" ".join(line.split()) for line in file.read_text(encoding="utf-8", errors="replace").splitlines()]
    for line in [line for line in lines if line] + [None]:
        if line is not None:
            paragraphs.append(line)
            words += len(line.split())
        if words >= 600 or line is None:
            if 355 <= words <= 995:
                passages.append("\n".join(paragraphs))
            paragraphs, words = [], 0
    for i, text in enumerate(passages):
        if count > 0:
            print(json.dumps({"id": f"{file.stem}-{i:02}", "text": text}, ensure_ascii=False))
            count -= 1
