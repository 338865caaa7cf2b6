#!/usr/bin/env bash
# Loading a large folder from the disk (its files dropped from the cache before each) and from the cache, beside cat.
# benchmarks/loading.sh PYTHON [SHAPE=8b] [TURNS=2]   PYTHON has torch and transformers; the 8b folder takes 16 GB of disk and of memory
# "weights read" is the loading alone, as a debug line tells it; the rest of a process is its start, packing and one token.
set -euo pipefail
cd "$(dirname "$0")/.."
python="${1:?a Python with transformers}" shape="${2:-8b}" turns="${3:-2}"
scripts/build.sh release --target craft-train
craft=build/release/craft-train
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mkdir "$out/model"
"$python" benchmarks/models.py make "$out/model" "$shape" 4e9
head -n 1 "$out/model/prompts.jsonl" > "$out/one.jsonl"
sync
du -Lsh "$out/model"
drop() { for file in "$out"/model/*.safetensors; do dd if="$file" iflag=nocache count=0 status=none; done; }
timed() {  # LABEL COMMAND...: seconds and peak memory
  local label="$1"
  shift
  /usr/bin/time -f "%e s, peak %M KiB" "$@" >/dev/null 2> "$out/time"
  echo "$label $(tail -n 1 "$out/time")$(sed -n 's/.*weights read bytes=\([0-9]*\) seconds=\([0-9.]*\).*/; weights read: \1 bytes in \2 s/p' "$out/time")"
}
ours() {
  timed "$1" $craft generate --model "$out/model" --input "$out/one.jsonl" --ids --greedy --max-new-tokens 1 --dtype bfloat16 \
    --device cpu --quiet --verbose --output "$out/one.out" --overwrite
}
for turn in $(seq "$turns"); do
  drop; timed "turn $turn  disk   cat         " cat "$out"/model/*.safetensors
  drop; ours "turn $turn  disk   ours        "
  drop; echo "turn $turn  disk   transformers $("$python" benchmarks/models.py load "$out/model" bfloat16)"
  cat "$out"/model/*.safetensors > /dev/null
  timed "turn $turn  cached cat         " cat "$out"/model/*.safetensors
  ours "turn $turn  cached ours        "
done
