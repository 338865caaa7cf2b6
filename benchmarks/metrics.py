"""The peers of metrics.cpp: EASSE's SARI and sacreBLEU, in one thread.

    python metrics.py FILE [ITEMS] [sari|bleu...]

EASSE is not on PyPI: PYTHONPATH may name a clone of it, whose sari.py also needs sacremoses. Start-up and reading are not counted.
"""
import json
import sys
import time


def items_of(file, count):
    with open(file, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    items = []
    for i in range(count):
        row, number = rows[i % len(rows)], f" {i // len(rows)}"
        items.append((row["source"] + number, row["prediction"] + number, [reference + number for reference in row["references"]]))
    return items


def sari(items):
    from easse.sari import corpus_sari
    columns = [list(column) for column in zip(*(references for _, _, references in items))]
    return lambda: corpus_sari([source for source, _, _ in items], [prediction for _, prediction, _ in items], columns)


def bleu(items):
    from sacrebleu.metrics import BLEU
    columns = [list(column) for column in zip(*(references for _, _, references in items))]
    return lambda: BLEU().corpus_score([prediction for _, prediction, _ in items], columns).score


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    items = items_of(sys.argv[1], count)
    for name in sys.argv[3:] or ["sari", "bleu"]:
        measure = {"sari": sari, "bleu": bleu}[name](items)
        start = time.process_time()
        figure = measure()
        seconds = time.process_time() - start
        print(f"{name} {seconds:.3f} s, {1e6 * seconds / count:.1f} us an item, {figure:.10g}")


main()
