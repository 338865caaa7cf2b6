"""Writes what spaCy says of texts, a line each, as tests/english compares it.

Usage: make_english.py PACKAGE_FOLDER OUTPUT FILE...: each line of the files once as a raw text and once split at white space.
Needs spaCy 3.8; PACKAGE_FOLDER is the one with config.cfg (weights/en_core_web_sm).
"""

import json
import sys

import spacy
from spacy.tokens import Doc


def row(doc, text, words):
    tokens = [
        [t.text, t.idx, bool(t.whitespace_), t.norm_, t.lemma_, t.tag_, t.pos_, str(t.morph), t.dep_, t.head.i,
         t.is_sent_start is True, t.ent_type_, t.ent_iob_]
        for t in doc
    ]
    return json.dumps({"text": text, "words": words, "tokens": tokens}, ensure_ascii=False)


def main():
    folder, output, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    nlp = spacy.load(folder)
    with open(output, "w", encoding="utf-8") as out:
        for name in files:
            with open(name, encoding="utf-8", newline="\n") as lines:
                for line in lines:
                    text = line.rstrip("\n")
                    if name.endswith(".json"):  # a text as a JSON string: one with line breaks
                        text = json.loads(text)
                    out.write(row(nlp(text), text, None) + "\n")
                    words = text.split()
                    if words:
                        out.write(row(nlp(Doc(nlp.vocab, words=words)), text, words) + "\n")


if __name__ == "__main__":
    main()
