#!/usr/bin/env python3
"""An example of a scorer that craft-train asks: a program that reads JSON Lines and answers each line with one.

    craft-train eval metric lens --input M.jsonl --scorer 'python3 scripts/external_scorer_example.py'
    craft-train trajectories ... --scorers 'external:python3 scripts/external_scorer_example.py'

Reads {"id","source","prediction","references"} per line and writes {"id","score","scorer","scale"}: here the share of the
source's different words that the prediction keeps. With --entities it reads {"id","text"} and writes {"id","entities"}:
here words with a capital within a sentence. Put a model in the place of these two functions. Needs the standard library
alone; docs/scorers.md says what a scorer must keep to.
"""
import json
import re
import sys

# A real scorer loads its model here, once: craft-train keeps the command alive from call to call.
NAME, LOWEST, HIGHEST = "kept-words 1.0", 0, 1


def words(text):
    return set(re.findall(r"\w+", text.lower()))


def score(row):
    source = words(row["source"])
    return len(source & words(row["prediction"])) / len(source) if source else 1.0


def entities(row):
    """Capitals behind another word, as they stand in the text; each once."""
    found = re.findall(r"(?<=[\w,;] )[A-Z]\w*(?: [A-Z]\w*)*", row["text"])
    return list(dict.fromkeys(found))


def answer(row, finds_entities):
    if finds_entities:
        return {"id": row["id"], "entities": entities(row)}
    return {"id": row["id"], "score": score(row), "scorer": NAME, "scale": [LOWEST, HIGHEST]}


def main():
    finds_entities = sys.argv[1:] == ["--entities"]
    if sys.argv[1:] and not finds_entities:
        sys.exit("usage: external_scorer_example.py [--entities]")
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8")
    for line in sys.stdin:
        if line.strip():
            # In the order of the requests, and at once: an answer that waits in a buffer counts as silence.
            print(json.dumps(answer(json.loads(line), finds_entities), ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
