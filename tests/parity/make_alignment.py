"""Writes what word alignment by unbalanced optimal transport gives with transformers and numpy alone.

    python make_alignment.py ENCODER OUTPUT

ENCODER is a folder with a BERT (share/examples/encoder, weights/minilm). OUTPUT holds a row for each layer and pair of texts:
{"layer","source","candidate","links","plan"}: words' indices, and the scaled plan row by row, of the pairs of the layer
together, since the mean of all their tokens is taken off. The arithmetic is that of Arase et al. 2023; the transport is the
plain iteration of factors in float64 (POT's sinkhorn_unbalanced; tests/metrics/stored/transport.jsonl holds POT's own).
"""
import json
import sys

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer

TAU, EPSILON, THRESHOLD, DISTORTION = 0.88, 0.1, 0.40, 0.2
PAIRS = [
    ("The committee utilised three methods .", "The group used three ways ."),
    ("Although it was late , the old river rose over the road .", "The river rose . It was late ."),
    ("a b", "a"),
    ("Rain", "The rain fell in the night"),
    ("Dr Lowe , who ran the clinic , retired in May after a long illness .", "Dr Lowe ran the clinic . He retired in May ."),
    ("The bridge was repaired by the council last year .", "Last year the council repaired the bridge ."),
]


def scaled(x):
    return (x - x.min() + 1e-10) / (x.max() - x.min() + 1e-10)


def places(n):
    return np.arange(n) / (n - 1)


def plan_of(first, second):
    unit = [x / np.linalg.norm(x, axis=1, keepdims=True) for x in (first, second)]
    likeness = (unit[0] @ unit[1].T + 1) / 2
    n, m = likeness.shape
    if n > 1 and m > 1:
        likeness = likeness * (1 - (places(n)[:, None] - places(m)[None, :]) ** 2 * DISTORTION)
    kernel = np.exp(-(1 - scaled(likeness)) / EPSILON)
    u, v, power = np.ones(n), np.ones(m), TAU / (TAU + EPSILON)
    for _ in range(1000):
        before = u, v
        u = (1 / (kernel @ v)) ** power
        v = (1 / (kernel.T @ u)) ** power
        if max(np.abs(np.log(u / before[0])).max(), np.abs(np.log(v / before[1])).max()) < 1e-6:
            break
    return scaled(u[:, None] * kernel * v[None, :])


def states_of(tokenizer, model, layer, source, candidate):
    """All tokens' states, and those of each word of both texts."""
    words = [text.lower().split() for text in (source, candidate)]
    read = tokenizer(*words, is_split_into_words=True, return_tensors="pt")
    with torch.no_grad():
        states = model(**read, output_hidden_states=True).hidden_states[layer][0].double().numpy()
    owners = list(zip(read.sequence_ids(0), read.word_ids(0)))
    return states, [[[i for i, owner in enumerate(owners) if owner == (text, word)] for word in range(len(words[text]))]
                    for text in (0, 1)]


def main():
    tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
    model = AutoModel.from_pretrained(sys.argv[1], dtype=torch.float32, attn_implementation="eager").eval()
    with open(sys.argv[2], "w") as out:
        for layer in (-3, -2, -1):
            read = [states_of(tokenizer, model, layer, *pair) for pair in PAIRS]
            mean = np.concatenate([states for states, _ in read]).mean(axis=0)
            for (states, words), (source, candidate) in zip(read, PAIRS):
                vectors = [np.stack([states[tokens].mean(axis=0) for tokens in text]) - mean for text in words]
                plan = plan_of(*vectors)
                row = {"layer": layer, "source": source, "candidate": candidate,
                       "links": np.argwhere(plan > THRESHOLD).tolist(), "plan": [round(x, 6) for x in plan.ravel().tolist()]}
                out.write(json.dumps(row) + "\n")


main()
