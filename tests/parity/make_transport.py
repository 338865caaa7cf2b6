"""Writes plans of unbalanced transport as POT computes them (tests/metrics/stored/transport.jsonl).

Usage: make_transport.py OUTPUT. Needs POT 0.9.7 (PyPI).
"""

import json
import sys

import numpy as np
import ot


def main():
    draw = np.random.default_rng(5)
    with open(sys.argv[1], "w") as out:
        for case in range(12):
            n, m = int(draw.integers(1, 9)), int(draw.integers(1, 9))
            cost = draw.random((n, m))
            rows, columns = (np.ones(n), np.ones(m)) if case % 2 else (draw.random(n) * 3 + 0.1, draw.random(m) * 3 + 0.1)
            tau = float(draw.choice([0.05, 0.3, 0.88, 5.0]))
            plan = ot.unbalanced.sinkhorn_stabilized_unbalanced(
                rows, columns, cost, reg=0.1, reg_m=tau, reg_type="entropy", stopThr=1e-13, numItermax=200000)
            row = {"a": rows, "b": columns, "cost": cost.ravel(), "tau": tau, "plan": np.asarray(plan).ravel()}
            row = {key: value if key == "tau" else [round(float(x), 12) for x in value] for key, value in row.items()}
            out.write(json.dumps(row) + "\n")


main()
