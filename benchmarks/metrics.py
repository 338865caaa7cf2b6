"""The peers of metrics.cpp: EASSE's SARI and sacreBLEU, in one thread.

    python metrics.py FILE [ITEMS] [sari|bleu|gleu|rouge|rouge_rs...]

EASSE 0.2.4 does not install beside sacreBLEU 2 as it asks for an older one; PYTHONPATH may name a clone of it. gleu is jfleg's eval/gleu.py
put through 2to3, in a folder of PYTHONPATH (with filter() and prints as Python 3 wants them); rouge is rouge-score, and rouge_rs
rouge-score-rs (PyPI), the same in Rust. Start-up and reading are not counted.
"""
import importlib
import json
import os
import sys
import tempfile
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


def gleu(items):
    import gleu as script
    texts = tempfile.mkdtemp()

    def written(name, lines):
        path = os.path.join(texts, name)
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line.replace("\n", " ") + "\n" for line in lines)
        return path
    source = written("source", (item[0] for item in items))
    prediction = written("prediction", (item[1] for item in items))
    references = [written(f"reference{r}", (item[2][r] for item in items)) for r in range(len(items[0][2]))]

    def measure():
        calculator = script.GLEU(4)
        calculator.load_sources(source)
        calculator.load_references(references)
        scores = calculator.run_iterations(num_iterations=500, source=source, hypothesis=prediction, per_sent=False)
        return float(list(scores)[-1][0])
    return measure


def rouge(items, package="rouge_score"):
    RougeScorer = importlib.import_module(package + ".rouge_scorer").RougeScorer
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"])
    return lambda: sum(scorer.score_multi(references, prediction)["rouge1"].fmeasure for _, prediction, references in items) / len(items)


def rouge_rs(items):
    return rouge(items, "rouge_score_rs")


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    items = items_of(sys.argv[1], count)
    for name in sys.argv[3:] or ["sari", "bleu"]:
        measure = {"sari": sari, "bleu": bleu, "gleu": gleu, "rouge": rouge, "rouge_rs": rouge_rs}[name](items)
        start = time.process_time()
        figure = measure()
        seconds = time.process_time() - start
        print(f"{name} {seconds:.3f} s, {1e6 * seconds / count:.1f} us an item, {figure:.10g}")


main()
