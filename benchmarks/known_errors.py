#!/usr/bin/env python3
"""How well `craft-train gec inspect` finds the place of known errors, and how often it marks correct sentences.

Usage: benchmarks/known_errors.py PAIRS.jsonl [--program build/release/craft-train] [--show]

A line of PAIRS: {"source", "target"}, words with at most one error and the correct sentence; equal texts are a correct
sentence. A place is found where a mark stands within one word of a word that the correction changes.
"""
import argparse
import difflib
import json
import re
import subprocess
import tempfile
import time


def words(text):
    return [(m.group(), m.start(), m.end()) for m in re.finditer(r"\S+", text)]


def places(source, target):
    """Words of the source that the correction changes; of missing words those on both sides."""
    a, b = words(source), words(target)
    found = set()
    for kind, i, j, _, _ in difflib.SequenceMatcher(None, [w[0] for w in a], [w[0] for w in b], autojunk=False).get_opcodes():
        if kind == "insert":
            found |= {i - 1, i}
        elif kind != "equal":
            found |= set(range(i, j))
    return found


def kind_of(source, target):
    more = len(target.split()) - len(source.split())
    return "correct" if source == target else "missing" if more > 0 else "redundant" if more < 0 else "substituted"


def marked(source, mark):
    inside = [k for k, (_, start, end) in enumerate(words(source)) if start < max(mark["end"], mark["start"] + 1) and end > mark["start"]]
    if not inside:  # a gap at the end
        inside = [len(words(source))]
    return set(inside) | ({inside[0] - 1} if mark["kind"] == "missing" else set())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pairs")
    parser.add_argument("--program", default="build/release/craft-train")
    parser.add_argument("--show", action="store_true", help="print the errors that are not found and the correct sentences that are marked")
    options = parser.parse_args()
    with open(options.pairs, encoding="utf-8") as file:
        pairs = [json.loads(line) for line in file if line.strip()]
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/in.jsonl", "w", encoding="utf-8") as file:
            for number, pair in enumerate(pairs):
                file.write(json.dumps({"id": str(number), "text": pair["source"]}) + "\n")
        begin = time.time()
        subprocess.run([options.program, "gec", "inspect", "--input", folder + "/in.jsonl", "--tool", "error_parsing", "--format", "json",
                        "--output", folder + "/out.jsonl", "--quiet"], check=True)
        seconds = time.time() - begin
        with open(folder + "/out.jsonl", encoding="utf-8") as file:
            answers = [json.loads(line)["error_parsing"] for line in file]
    totals = {}
    for pair, answer in zip(pairs, answers, strict=True):
        kind = kind_of(pair["source"], pair["target"])
        true = places(pair["source"], pair["target"])
        at = [marked(pair["source"], mark) for mark in answer["marks"]]
        hit = [any(abs(a - t) <= 1 for a in one for t in true) for one in at]
        row = totals.setdefault(kind, {"sentences": 0, "marked": 0, "found": 0, "kind": 0, "marks": 0})
        row["sentences"] += 1
        row["marked"] += bool(at)
        row["found"] += any(hit)
        row["kind"] += any(h and mark["kind"] == kind for h, mark in zip(hit, answer["marks"]))
        row["marks"] += len(at)
        if options.show and (bool(at) if kind == "correct" else not any(hit)):
            said = "; ".join(f'{m["evidence"]}:{m["kind"]} "{m["words"]}" -> {m["suggestions"][:1]}' for m in answer["marks"])
            print(f'{kind[:4]} | {pair["source"]} | {pair["target"] if kind != "correct" else ""} | {said} | left out {answer["left_out"]}')
    for kind, row in sorted(totals.items()):
        n = row["sentences"]
        print(f'{kind:12} {n:5} sentences, marked {row["marked"] / n:.1%}, place found {row["found"] / n:.1%}, with the right kind '
              f'{row["kind"] / n:.1%}, {row["marks"] / n:.2f} marks each')
    wrong = [row for kind, row in totals.items() if kind != "correct"]
    if wrong:
        print(f'all errors   {sum(r["sentences"] for r in wrong):5} sentences, place found '
              f'{sum(r["found"] for r in wrong) / sum(r["sentences"] for r in wrong):.1%}')
    print(f"{len(pairs) / seconds:.1f} sentences/s")


main()
