#!/usr/bin/env bash
# SARI and BLEU beside EASSE and sacreBLEU, one after the other on one core; both print the same figures.
# benchmarks/metrics.sh PYTHON FILE [ITEMS=100000] [TURNS=3]   FILE: rows of `eval metric`, all with as many references;
# PYTHON has sacrebleu and easse (benchmarks/metrics.py)
set -euo pipefail
cd "$(dirname "$0")/.."
python="${1:?a Python with sacrebleu and easse}" file="${2:?rows of eval metric}" items="${3:-100000}" turns="${4:-3}"
scripts/build.sh release --target bench_metrics
for turn in $(seq "$turns"); do
  for metric in sari bleu; do
    echo "turn $turn  ours    $(build/release/bench_metrics "$file" "$items" $metric)"
    echo "turn $turn  theirs  $("$python" benchmarks/metrics.py "$file" "$items" $metric)"
  done
done
