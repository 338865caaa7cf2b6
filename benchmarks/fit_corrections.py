"""Fits share/gec/correction_thresholds.json to what bench_correction_gains wrote: thresholds by kind for the best F0.5.

usage: fit_corrections.py [--write FILE] GAINS.jsonl...
Coordinate ascent from the same start, over a grid; a kind that has fewer than --least proposals that mend something keeps a
threshold of --cautious. Chosen are, as in gec/rules/correction_plan.cpp, the proposals that pass by most and do not touch.
"""
import argparse
import collections
import json

GRID = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9, 10, 12]


def reach(text, begin, end):
    while begin > 0 and text[begin - 1 : begin] == b" ":
        begin -= 1
    while begin > 0 and text[begin - 1 : begin] != b" ":
        begin -= 1
    while end < len(text) and text[end : end + 1] == b" ":
        end += 1
    while end < len(text) and text[end : end + 1] != b" ":
        end += 1
    return begin, end


def chosen(row, thresholds):
    ranked = []
    for p in row["proposals"]:
        over = 1e9 if p["sure"] else p["gain"] + p["evidence"] - thresholds[p["kind"]]
        if over > 0:
            ranked.append((-over, len(ranked), p))
    taken = []
    for _, _, p in sorted(ranked, key=lambda one: one[:2]):
        end = max(p["end"], p["begin"] + 1)
        if all(p["begin"] >= q["reach"][1] or q["reach"][0] >= end for q in taken):
            taken.append(p)
    return taken


def counts(row, thresholds):
    right = wrong = 0
    for p in chosen(row, thresholds):
        if p["mends"] > 0:
            right += 1
        else:
            wrong += 1
    return right, wrong


def f_half(right, wrong, gold):
    precision = right / (right + wrong) if right + wrong else 1.0
    recall = right / gold if gold else 1.0
    f = 1.25 * precision * recall / (0.25 * precision + recall) if precision + recall else 0.0
    return precision, recall, f


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
    parser.add_argument("--write")
    parser.add_argument("--start", type=float, default=4)
    parser.add_argument("--least", type=int, default=4)
    parser.add_argument("--cautious", type=float, default=6)
    parser.add_argument("--price", type=float, default=1.0, help="what a wrong correction counts against a right one")
    parser.add_argument("--show", action="store_true", help="the wrong corrections")
    parser.add_argument("--thresholds", help="judges these instead of fitting")
    options = parser.parse_args()
    rows = []
    for name in options.files:
        with open(name, encoding="utf-8") as file:
            rows += [json.loads(line) for line in file]
    kinds = collections.Counter()
    mending = collections.Counter()
    for row in rows:
        text = row["source"].encode()
        for p in row["proposals"]:
            p["reach"] = reach(text, p["begin"], p["end"])
            p["gain"] = -1e9 if p["gain"] is None else p["gain"]
            kinds[p["kind"]] += 1
            mending[p["kind"]] += p["mends"] > 0
    gold = sum(row["edits"] for row in rows)
    names = [
        "agreement", "verb_form", "tense", "missing_verb", "infinitive", "noun_number", "determiner", "article_missing",
        "article_redundant", "article_choice", "preposition_missing", "preposition_redundant", "preposition_choice", "spelling",
        "word_choice", "phrase", "doubled", "joined", "word_class", "pronoun", "capital", "comma_missing", "comma_redundant",
        "final_stop", "apostrophe", "order", "observed",
    ]
    thresholds = dict.fromkeys(names, options.start)
    by_kind = collections.defaultdict(list)
    for i, row in enumerate(rows):
        for kind in {p["kind"] for p in row["proposals"]}:
            by_kind[kind].append(i)
    if options.thresholds:
        with open(options.thresholds, encoding="utf-8") as file:
            thresholds = json.load(file)
    else:
        for kind in names:
            if mending[kind] < options.least:
                thresholds[kind] = options.cautious
        of_row = [counts(row, thresholds) for row in rows]
        for _ in range(4):
            before = dict(thresholds)
            for kind in names:
                if mending[kind] < options.least:
                    continue
                base_right = sum(of_row[i][0] for i in range(len(rows)))
                base_wrong = sum(of_row[i][1] for i in range(len(rows)))
                best = None
                for value in GRID:
                    trial = {**thresholds, kind: value}
                    new = {i: counts(rows[i], trial) for i in by_kind[kind]}
                    right = base_right + sum(new[i][0] - of_row[i][0] for i in new)
                    wrong = base_wrong + sum(new[i][1] - of_row[i][1] for i in new)
                    f = f_half(right, wrong * options.price, gold)[2]
                    if best is None or f > best[0] + 1e-9:
                        best = (f, value, new)
                thresholds[kind] = best[1]
                for i, pair in best[2].items():
                    of_row[i] = pair
            if thresholds == before:
                break
    right = sum(counts(row, thresholds)[0] for row in rows)
    wrong = sum(counts(row, thresholds)[1] for row in rows)
    per = collections.defaultdict(lambda: [0, 0])
    touched = correct = 0
    for row in rows:
        picked = chosen(row, thresholds)
        correct += row["edits"] == 0
        touched += row["edits"] == 0 and bool(picked)
        for p in picked:
            per[p["kind"]][p["mends"] <= 0] += 1
            if options.show and p["mends"] <= 0:
                print(f"{p['kind']:22} {p['gain'] + p['evidence']:6.1f}  {p['from']!r} -> {p['to']!r} in: {row['source']}")
    precision, recall, f = f_half(right, wrong, gold)
    print(f"{len(rows)} sentences, {gold} edits: right {right}, wrong {wrong}; P {precision:.3f} R {recall:.3f} F0.5 {f:.3f}; "
          f"correct sentences changed: {touched} of {correct}")
    for kind in names:
        print(f"{kind:22} threshold {thresholds[kind]:5.1f}  right {per[kind][0]:4d} wrong {per[kind][1]:4d}  "
              f"proposed {kinds[kind]:5d}, mending {mending[kind]:4d}")
    if options.write:
        with open(options.write, "w", encoding="utf-8") as file:
            json.dump({kind: thresholds[kind] for kind in names}, file, indent=2)
            file.write("\n")


main()
