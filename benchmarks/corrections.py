#!/usr/bin/env python3
"""What corrections are worth: GLEU and its rise over the source, precision, recall and F0.5 of edits, how many correct sentences changed.

Usage: benchmarks/corrections.py SOURCE HYPOTHESIS REFERENCE... [--program build/release/craft-train] [--types] [--json FILE]

All files have a tokenised sentence a line; of HYPOTHESIS NAME=FILE names it, and several, apart by commas, are compared. Figures are those of
`eval metric gleu`, `eval edits` and `eval errant`.
"""
import argparse
import json
import subprocess
import tempfile


def lines(name):
    with open(name, encoding="utf-8") as file:
        return file.read().split("\n")[:-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source")
    parser.add_argument("hypotheses")
    parser.add_argument("references", nargs="+")
    parser.add_argument("--program", default="build/release/craft-train")
    parser.add_argument("--json", help="a file for the same figures as {name: {...}}")
    parser.add_argument("--types", action="store_true", help="also by the type of error")
    options = parser.parse_args()
    source, references = lines(options.source), [lines(name) for name in options.references]

    def run(*arguments):
        subprocess.run([options.program, *arguments, "--overwrite", "--quiet"], check=True)

    with tempfile.TemporaryDirectory() as folder:

        def m2(texts, name):
            run("eval", "edits", "--source", options.source, *(part for text in texts for part in ("--hypothesis", text)), "--output", folder + name)

        def gleu(texts):
            with open(folder + "/rows.jsonl", "w", encoding="utf-8") as file:
                for number, text in enumerate(texts):
                    file.write(json.dumps({"id": str(number), "source": source[number], "prediction": text, "references": [r[number] for r in references]}) + "\n")
            run("eval", "metric", "gleu", "--input", folder + "/rows.jsonl", "--output", folder + "/gleu.json")
            with open(folder + "/gleu.json", encoding="utf-8") as file:
                return json.load(file)["corpus"]["gleu"] * 100

        m2(options.references, "/gold.m2")
        of_source = gleu(source)
        table = {"source": {"gleu": of_source}}
        print(f"{'':12} GLEU    over source  precision  recall  F0.5    changed  of the correct")
        print(f"{'source':12} {of_source:5.2f}")
        for one in options.hypotheses.split(","):
            name, _, file_name = one.rpartition("=")
            texts = lines(file_name)
            m2([file_name], "/hypothesis.m2")
            run("eval", "errant", "--hypothesis", folder + "/hypothesis.m2", "--gold", folder + "/gold.m2", "--output", folder + "/errant.json")
            with open(folder + "/errant.json", encoding="utf-8") as file:
                errant = json.load(file)
            corpus, of_texts = errant["corpus"], gleu(texts)
            correct = [i for i, text in enumerate(source) if all(reference[i] == text for reference in references)]
            changed = sum(texts[i] != source[i] for i in correct)
            print(f"{name or 'hypothesis':12} {of_texts:5.2f}   {of_texts - of_source:+.2f}        {corpus['precision']:.3f}      {corpus['recall']:.3f}"
                  f"   {corpus['f0.5']:.3f}   {sum(a != b for a, b in zip(texts, source, strict=True))} of {len(texts)}"
                  f"   {changed} of {len(correct)}")
            table[name or "hypothesis"] = {
                "gleu": of_texts, "precision": corpus["precision"], "recall": corpus["recall"], "f0.5": corpus["f0.5"], "texts": len(texts),
                "changed": sum(a != b for a, b in zip(texts, source, strict=True)), "correct": len(correct), "correct_changed": changed}
            if options.types:
                for kind, counts in sorted(errant["by_type"].items(), key=lambda item: -item[1]["tp"] - item[1]["fn"]):
                    print(f"    {kind:14} right {counts['tp']:4} wrong {counts['fp']:4} missed {counts['fn']:4}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(table, file, indent=2)
            file.write("\n")


main()
