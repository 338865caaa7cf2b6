#!/usr/bin/env bash
# Whether the sums of gradients run beside the backward pass: steps without, beside and behind it, in turns, by Gloo.
# benchmarks/overlap.sh [RANKS=2] [WIDTH=512] [LAYERS=4] [TURNS=7]
set -euo pipefail
cd "$(dirname "$0")/.."
ranks="${1:-2}"
scripts/build.sh release --target bench_overlap >&2
export WORLD_SIZE="$ranks" MASTER_ADDR=127.0.0.1 MASTER_PORT=$((20000 + RANDOM % 20000))
for rank in $(seq 0 $((ranks - 1))); do
  RANK=$rank LOCAL_RANK=$rank build/release/bench_overlap "${2:-512}" "${3:-4}" "${4:-7}" &
done
wait
