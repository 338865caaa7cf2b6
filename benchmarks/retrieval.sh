#!/usr/bin/env bash
# How long it takes to index made-up sentence pairs, and to find examples among them.
# Usage: benchmarks/retrieval.sh [PAIRS=30000] [ENCODER=weights/minilm|none] [CRAFT_TRAIN=build/release/craft-train]
# The queries run by build/release/bench_retrieval (ninja -C build/release bench_retrieval) on one core.
set -euo pipefail
pairs=${1:-30000} encoder=${2:-weights/minilm} program=${3:-build/release/craft-train}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$(dirname "$0")/make_sentence_pairs.py" "$pairs" >"$work/pairs.jsonl"
python3 "$(dirname "$0")/make_sentence_pairs.py" 300 7 >"$work/queries.jsonl"
with=()
[ "$encoder" = none ] || with=(--encoder "$encoder")
wc -lw "$work/pairs.jsonl"
time "$program" gec index --pairs "$work/pairs.jsonl" --out "$work/examples.sqlite" "${with[@]}"
ls -l "$work/examples.sqlite"
taskset -c 0 "$(dirname "$program")/bench_retrieval" "$work/examples.sqlite" "$work/queries.jsonl" "$([ "$encoder" = none ] || echo "$encoder")"
