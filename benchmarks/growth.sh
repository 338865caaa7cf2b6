#!/usr/bin/env bash
# How the cost of training grows with the prompt's length, the number of branches and the vocabulary: three tables.
# benchmarks/growth.sh [--device cpu|cuda[:N]] [--dtype float32|bfloat16] [--threads N=2] [--width W=256] [--layers L=4] [--turns N=3]
set -euo pipefail
cd "$(dirname "$0")/.."
device=cpu dtype=float32 threads=2 width=256 layers=4 turns=3
while [ $# -gt 0 ]; do
  case "$1" in
    --device | --dtype | --threads | --width | --layers | --turns) printf -v "${1#--}" %s "${2:?a value behind $1}" ;;
    *) echo "growth.sh: expected --device, --dtype, --threads, --width, --layers or --turns, got '$1'" >&2 && exit 2 ;;
  esac
  shift 2
done
preset=release
case "$device" in cuda*) preset=cuda ;; esac
scripts/build.sh "$preset" --target bench_growth >&2
"build/$preset/bench_growth" "$device" "$dtype" "$threads" "$width" "$layers" "$turns"
