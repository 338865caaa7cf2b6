#!/usr/bin/env bash
# Loading and greedy generation beside transformers, on a random Llama of 0.85 billion parameters (1.7 GB, bfloat16, shards).
# benchmarks/models.sh PYTHON [TURNS=3]   PYTHON has torch and transformers
# Ours are whole processes: start, loading, 512 new tokens (or one), end. Theirs count from_pretrained and generate alone.
set -euo pipefail
cd "$(dirname "$0")/.."
python="${1:?a Python with transformers}" turns="${2:-3}"
scripts/build.sh release --target craft-train
craft=build/release/craft-train
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$python" benchmarks/models.py make "$out/model"
head -n 1 "$out/model/prompts.jsonl" > "$out/one.jsonl"
timed() {  # the last line of what /usr/bin/time says: seconds and peak memory
  local label="$1"
  shift
  /usr/bin/time -f "%e s, peak %M KiB" "$@" >/dev/null 2> "$out/time"
  echo "$label $(tail -n 1 "$out/time")"
}
for turn in $(seq "$turns"); do
  timed "turn $turn  cat of the shards                " cat "$out/model/"*.safetensors
  for dtype in float32 bfloat16; do
    timed "turn $turn  ours, load and one token, $dtype " $craft generate --model "$out/model" --input "$out/one.jsonl" --ids \
      --greedy --max-new-tokens 1 --dtype $dtype --quiet --output "$out/one.out" --overwrite
    echo "turn $turn  transformers, load, $dtype         $("$python" benchmarks/models.py load "$out/model" $dtype)"
  done
  timed "turn $turn  ours, 8 x 64 tokens, float32     " $craft generate --model "$out/model" --input "$out/model/prompts.jsonl" \
    --ids --greedy --max-new-tokens 64 --dtype float32 --quiet --output "$out/all.out" --overwrite
  echo "turn $turn  transformers, 8 x 64 tokens         $("$python" benchmarks/models.py generate "$out/model")"
done
