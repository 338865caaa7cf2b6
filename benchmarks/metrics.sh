#!/usr/bin/env bash
# Metrics beside what they repeat, one after the other on one core; both print the same figures.
# benchmarks/metrics.sh PYTHON FILE [ITEMS=100000] [TURNS=3] [METRICS="sari bleu"]   FILE: rows of `eval metric`, all with as many
# references; METRICS: some of sari, bleu, gleu, rouge; PYTHON has what they are compared with (benchmarks/metrics.py)
set -euo pipefail
cd "$(dirname "$0")/.."
python="${1:?a Python with the peers of metrics.py}" file="${2:?rows of eval metric}" items="${3:-100000}" turns="${4:-3}" metrics="${5:-sari bleu}"
scripts/build.sh release --target bench_metrics
for turn in $(seq "$turns"); do
  for metric in $metrics; do
    echo "turn $turn  ours    $(build/release/bench_metrics "$file" "$items" $metric)"
    echo "turn $turn  theirs  $("$python" benchmarks/metrics.py "$file" "$items" $metric)"
  done
done
