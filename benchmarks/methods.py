"""Rows of a set, and the table of methods.sh: means by method, and differences to `search` with paired bootstrap intervals."""
import json
import random
import sys


def read_rows(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def take(path, rows):
    seen = {}
    for row in read_rows(path):
        domain = row.get("domain") or row["id"].split("-")[0]  # CORD's rows say it in their ids alone
        seen[domain] = seen.get(domain, 0) + 1
        if rows == 0 or seen[domain] <= rows:
            print(json.dumps(row))


def mean(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


def interval(differences, draws=10000):
    draw = random.Random(1)
    count = len(differences)
    means = sorted(sum(draw.choices(differences, k=count)) / count for _ in range(draws))
    return means[draws * 25 // 1000], means[draws * 975 // 1000]


def shown(value, digits=3):
    return "-" if value is None else f"{value:.{digits}f}"


class Method:
    def __init__(self, folder, name):
        self.rows = {row["id"]: row for row in read_rows(f"{folder}/{name}.jsonl")}
        with open(f"{folder}/{name}.jsonl.manifest.json") as file:
            self.manifest = json.load(file)
        with open(f"{folder}/{name}.cord.json") as file:
            self.s_c = {item["id"]: item["accuracy"] for item in json.load(file)["items"]}
        self.s_r = {key: row["scores"]["s_r"] for key, row in self.rows.items()}
        self.r_c = {key: row["scores"]["r_c"] for key, row in self.rows.items()}
        self.right = None
        if name not in ("direct", "cot"):
            with open(f"{folder}/{name}.tools.json") as file:
                self.right = {item["id"] for item in json.load(file)["items"] if item["exact_match"]}

    def cost(self):
        cost = self.manifest["revised"]["cost"]
        rounds = sum(len(row["trace"].get("rounds", [])) for row in self.rows.values())
        if "search" in next(iter(self.rows.values()))["trace"]:
            rounds = sum(row["trace"]["search"]["iterations"] for row in self.rows.values())
        return [rounds, self.manifest["wall_seconds"], cost["input_tokens"], cost["output_tokens"]]


def table(folder, names):
    methods = {name: Method(folder, name) for name in names}
    right = next((method.right for method in methods.values() if method.right is not None), set())
    base = methods["iter"].cost() if "iter" in methods else None
    print(f"{len(next(iter(methods.values())).rows)} texts, calls all right for {len(right)}")
    print("method   S_c    S_c, calls right  R_c    S_r    times iter: iterations  seconds  input  output   seconds")
    for name, method in methods.items():
        cost = method.cost()
        factors = [f"{a / b:.2f}" if b else "-" for a, b in zip(cost, base)] if base else ["-"] * 4
        print(
            f"{name:<8} {shown(mean(method.s_c.values()))}  {shown(mean([method.s_c[key] for key in right])):<16}"
            f"  {shown(mean(method.r_c.values()))}  {shown(mean(method.s_r.values()), 1):<5}"
            f"              {factors[0]:<10}  {factors[1]:<7}  {factors[2]:<5}  {factors[3]:<7}  {cost[1]:.0f}"
        )
    if "search" not in methods:
        return
    print("\nsearch less    S_c (95 % interval)         calls right                 S_r")
    for name, method in methods.items():
        if name == "search":
            continue
        cells = []
        for of, keys in (("s_c", method.rows), ("s_c", right), ("s_r", method.rows)):
            ours, theirs = getattr(methods["search"], of), getattr(method, of)
            pairs = [ours[key] - theirs[key] for key in keys if ours[key] is not None and theirs[key] is not None]
            if not pairs:
                cells.append("-")
                continue
            low, high = interval(pairs)
            cells.append(f"{mean(pairs):+.3f} ({low:+.3f} to {high:+.3f})")
        print(f"{name:<13}  {cells[0]:<26}  {cells[1]:<26}  {cells[2]}")


if __name__ == "__main__":
    if sys.argv[1] == "take":
        take(sys.argv[2], int(sys.argv[3]))
    else:
        table(sys.argv[2], sys.argv[3:])
