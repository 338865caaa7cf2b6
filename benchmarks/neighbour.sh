#!/usr/bin/env bash
# How long training and generation take beside other work, on the model that scripts/setup.sh gets: alone, next to a loop that never
# sleeps, and next to one of low priority, in turns. Usage: benchmarks/neighbour.sh [TURNS] [craft-train OPTION...], e.g.
# benchmarks/neighbour.sh 3 --threads 2 (a number of threads by hand turns off what keeps out of others' way). BUILT is the build
# (default build/release).
set -euo pipefail
cd "$(dirname "$0")/.."
turns=${1:-3}
shift || true
program="${BUILT:-build/release}/craft-train"
work=$(mktemp -d)
busy=""
trap '[ -z "$busy" ] || kill "$busy"; rm -rf "$work"' EXIT
"$program" constraints --texts share/texts/train.jsonl --domain c2 --count 24 --output "$work/instructions.jsonl" --overwrite --quiet
head -n 12 "$work/instructions.jsonl" > "$work/plans.jsonl"
"$program" trajectories --instructions "$work/instructions.jsonl" --out "$work/trajectories" --quiet
seconds() { # COMMAND...: its wall time
  local begin end
  begin=$(date +%s.%N)
  "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  end=$(date +%s.%N)
  echo "$end $begin" | awk '{ printf "%.2f", $1 - $2 }'
}
neighbour() { # none, spin or nice15
  case $1 in
    none) busy="" ;;
    spin) sh -c 'while :; do :; done' & busy=$! ;;
    nice15) nice -n 15 sh -c 'while :; do :; done' & busy=$! ;;
  esac
}
echo "neighbour training generation (seconds, $turns turns)"
for _ in $(seq "$turns"); do
  for kind in none spin nice15; do
    neighbour $kind
    rm -rf "$work/sft"
    training=$(seconds "$program" sft --model weights/smollm2-135m-instruct.gguf --data "$work/trajectories" --out "$work/sft" --batch-size 8 "$@")
    generation=$(seconds "$program" plan --model weights/smollm2-135m-instruct.gguf --adapter "$work/sft/adapter" --instructions "$work/plans.jsonl" \
      --output "$work/plans" --overwrite --max-new-tokens 160 "$@")
    [ -z "$busy" ] || { kill "$busy"; wait "$busy" 2>/dev/null || true; busy=""; }
    echo "$kind $training $generation"
  done
done | tee "$work/rows"
awk 'function median(list, n,   i, j, t) { for (i = 1; i <= n; ++i) for (j = i + 1; j <= n; ++j) if (list[j] < list[i]) { t = list[i]; list[i] = list[j]; list[j] = t }
       return list[int((n + 1) / 2)] }
     { ++n[$1]; a[$1, n[$1]] = $2; b[$1, n[$1]] = $3 }
     END { for (k in n) { for (i = 1; i <= n[k]; ++i) { x[i] = a[k, i]; y[i] = b[k, i] } t[k] = median(x, n[k]); g[k] = median(y, n[k]) }
           printf "medians beside none: spin %.2f and %.2f times, nice15 %.2f and %.2f times\n", t["spin"] / t["none"], g["spin"] / g["none"], t["nice15"] / t["none"], g["nice15"] / g["none"] }' "$work/rows"
