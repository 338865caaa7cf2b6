#!/usr/bin/env bash
# Methods of revision side by side: constraints met by gold, quality, cost. Each method is one run, which goes on where it was stopped.
# benchmarks/methods.sh SET PLANNER REVISER "METHOD..." OUT [ROWS=0]
#   SET  search (the sealed set), or a file of instructions with their gold calls; a row of each domain in turn
#   ROWS of each domain; 0: all
set -euo pipefail
cd "$(dirname "$0")/.."
set=${1:?a set} planner=${2:?a planner} reviser=${3:?a reviser} methods=${4:?methods} out=${5:?a folder} rows=${6:-0}
program=build/release/craft-train
mkdir -p "$out"
if [ "$set" = search ]; then
  "$program" constraints --sealed search --output "$out/all.jsonl" --overwrite --quiet
else
  cp "$set" "$out/all.jsonl"
fi
python3 benchmarks/methods.py take "$out/all.jsonl" "$rows" >"$out/items.jsonl"
for method in $methods; do
  revised="$out/$method.jsonl"
  with=(--planner "$planner")
  case "$method" in direct | cot) with=() ;; esac
  [ -f "$revised" ] || "$program" revise --method "$method" "${with[@]}" --reviser "$reviser" --dtype bfloat16 \
    --max-new-tokens 256 --set reviser_sampling.max_new_tokens=512 --perplexity-model weights/smollm2-135m-instruct.gguf \
    --input "$out/items.jsonl" --output "$revised" --overwrite 2>>"$out/log"
  "$program" eval cord --items "$out/items.jsonl" --outputs "$revised" --output "$out/$method.cord.json" --overwrite --quiet
  case "$method" in
    direct | cot) ;;
    *) "$program" eval tools --items "$out/items.jsonl" --calls "$revised" --output "$out/$method.tools.json" --overwrite --quiet ;;
  esac
done
python3 benchmarks/methods.py table "$out" $methods
