"""The same as benchmarks/english.cpp with spaCy: OMP_NUM_THREADS=1 python english.py FILE [REPEATS], text by text and in batches."""
import sys
import time

import spacy


def main():
    start = time.process_time()
    nlp = spacy.load("weights/en_core_web_sm")
    print(f"load {time.process_time() - start:.3f} s")
    with open(sys.argv[1], encoding="utf-8", newline="\n") as file:
        lines = [line.rstrip("\n") for line in file]
    for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 3):
        start = time.process_time()
        tokens = sum(len(nlp(line)) for line in lines)
        middle = time.process_time()
        batched = sum(len(doc) for doc in nlp.pipe(lines, batch_size=256))
        end = time.process_time()
        print(f"{tokens / (middle - start):.0f} tokens/s, in batches {batched / (end - middle):.0f}, {tokens} tokens")


if __name__ == "__main__":
    main()
