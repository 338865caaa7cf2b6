#!/usr/bin/env bash
# All metrics beside what they repeat, one after the other, each alone on one core, without start-up and reading; then
# `eval metric` by two threads beside one. Both sides print the same figures. What other work the machine does counts against both.
#
#   benchmarks/metrics.sh PYTHON ROWS [TURNS=3] [METRICS="sari bleu gleu rouge rouge_rs m2 errant threads"]
#
# ROWS: rows of `eval metric`, all with as many references (JFLEG's four for GLEU). PYTHON has sacrebleu, rouge-score,
# rouge-score-rs and errant; PYTHONPATH names a clone of EASSE and a folder with jfleg's gleu.py (benchmarks/metrics.py), M2SCORER the
# scripts of nusnlp/m2scorer put through 2to3 (benchmarks/edits.py). What is not there is said and left out.
set -euo pipefail
cd "$(dirname "$0")/.."
python="${1:?a Python with the peers of metrics.py}" rows="${2:?rows of eval metric}" turns="${3:-3}"
metrics="${4:-sari bleu gleu rouge rouge_rs m2 errant threads}"
scripts/build.sh release --target bench_metrics --target bench_edits
bin=build/release folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
"$python" benchmarks/edits.py --make "$folder"
on_one_core() { taskset -c 0 "$@" 2>"$folder/error"; }

# Seconds of one run, or nothing where the peer is not there.
seconds() {
  on_one_core "$@" >"$folder/out" || { tail -n 1 "$folder/error" >&2; return 0; }
  cat "$folder/out" >&2
  sed -E "s/^[a-z_0-9]+:? ([0-9.]+) s.*/\1/" "$folder/out" | sort -g | head -n 1
}
ours() {
  case "$1" in
    m2) seconds "$bin/bench_edits" m2 "$folder/hypothesis.txt" "$folder/gold.m2" ;;
    errant) seconds "$bin/bench_edits" errant "$folder/system.m2" "$folder/gold.m2" ;;
    rouge_rs) seconds "$bin/bench_metrics" "$rows" 2000 rouge ;;
    *) seconds "$bin/bench_metrics" "$rows" 2000 "$1" ;;
  esac
}
theirs() {
  case "$1" in
    m2) seconds "$python" benchmarks/edits.py m2 "${M2SCORER:-.}" "$folder/hypothesis.txt" "$folder/gold.m2" ;;
    errant) seconds "$python" benchmarks/edits.py errant "$folder/system.m2" "$folder/gold.m2" ;;
    *) RAYON_NUM_THREADS=1 seconds "$python" benchmarks/metrics.py "$rows" 2000 "$1" ;;
  esac
}

for turn in $(seq "$turns"); do
  for metric in $metrics; do
    [ "$metric" = threads ] && continue
    echo "turn $turn, $metric, ours and theirs" >&2
    echo "$metric ours $(ours "$metric")" >>"$folder/seconds"
    echo "$metric theirs $(theirs "$metric")" >>"$folder/seconds"
  done
done
echo "| best of $turns, seconds | craft-train | the reference | times as fast |"
echo "|---|---|---|---|"
for metric in $metrics; do
  [ "$metric" = threads ] && continue
  awk -v metric="$metric" '$1 == metric && $3 != "" { if (!($2 in best) || $3 < best[$2]) best[$2] = $3 }
    END { if ("ours" in best && "theirs" in best) printf "| %s | %.4f | %.4f | %.1f |\n", metric, best["ours"], best["theirs"], best["theirs"] / best["ours"]
          else printf "| %s | %s | not there | |\n", metric, best["ours"] }' "$folder/seconds"
done
case " $metrics " in *" threads "*) "$bin/bench_metrics" --threads "$rows" 20000 sari bleu gleu rouge ;; esac
