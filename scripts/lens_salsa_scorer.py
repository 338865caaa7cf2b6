#!/usr/bin/env python3
"""LENS-SALSA as a scorer that craft-train asks: how good a simplification is, without references.

    pip install lens-metric
    craft-train simplify pairs --config configs/simplify/pairs-lens-salsa.json --policy rewriting --input C.jsonl --output P.jsonl

Reads {"id","source","prediction"} per line and writes {"id","score","scorer"} per line, in the same order (docs/scorers.md). The
weights, davidheineman/lens-salsa, come from the Hugging Face cache, or are downloaded by the package when it first needs them.
"""
import argparse
import contextlib
import importlib.metadata
import json
import sys

MODEL = "davidheineman/lens-salsa"


def parse_arguments():
    parser = argparse.ArgumentParser(description="LENS-SALSA over JSON Lines")
    parser.add_argument("--device", type=int, help="number of a GPU; without it, the CPU")
    parser.add_argument("--batch-size", type=int, default=8)
    return parser.parse_args()


def version():
    try:
        return importlib.metadata.version("lens-metric")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def chunks(lines, size):
    """Answers come after each chunk: silence for long would count as a scorer that hangs."""
    rows = []
    for line in lines:
        if line.strip():
            rows.append(json.loads(line))
        if len(rows) == size:
            yield rows
            rows = []
    if rows:
        yield rows


def main():
    options = parse_arguments()
    answers = sys.stdout
    for stream in (sys.stdin, answers):
        stream.reconfigure(encoding="utf-8")
    # What the package prints on its way is no answer.
    with contextlib.redirect_stdout(sys.stderr):
        try:
            import lens
        except ImportError:
            sys.exit("lens_salsa_scorer.py: expected the package lens-metric, got none (pip install lens-metric)")
        model = lens.LENS_SALSA(lens.download_model(MODEL))
        devices = None if options.device is None else [options.device]
        name = f"lens-metric {version()}: {MODEL}"
        for rows in chunks(sys.stdin, 8 * options.batch_size):
            scores, _ = model.score([row["source"] for row in rows], [row["prediction"] for row in rows],
                                    batch_size=options.batch_size, devices=devices)
            for row, score in zip(rows, scores, strict=True):
                print(json.dumps({"id": row["id"], "score": float(score), "scorer": name}), file=answers, flush=True)


if __name__ == "__main__":
    main()
