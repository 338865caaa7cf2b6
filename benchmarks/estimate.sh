#!/usr/bin/env bash
# What --estimate tells beside what the run then takes: a line a training, seconds a step and peak memory.
# benchmarks/estimate.sh PYTHON [THREADS=2]   PYTHON has torch and transformers, which make the models and data
set -euo pipefail
cd "$(dirname "$0")/.."
python="${1:?a Python with torch and transformers}" threads="${2:-2}"
export OMP_NUM_THREADS="$threads" HF_HUB_OFFLINE=1 TOKENIZERS_PARALLELISM=false
scripts/build.sh release --target craft-train
program=build/release/craft-train out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
quiet() { "$@" >"$out/log" 2>&1 || { tail -n 20 "$out/log" >&2; exit 1; }; }
for kind in pref pref128k sft; do quiet "$python" benchmarks/vs_trl.py make $kind "$out/$kind"; done
line() { # NAME ARGUMENTS...
  local name="$1"
  shift
  set -- "$@" --batch-size 4 --threads "$threads"
  "$program" "$@" --estimate >"$out/told" 2>"$out/log" || { cat "$out/log" >&2; exit 1; }
  quiet "$program" "$@" --out "$out/run" --overwrite
  "$python" - "$name" "$out/told" "$out/run/metrics.jsonl" <<'ROW'
import json, sys
name, told, steps = sys.argv[1], json.load(open(sys.argv[2])), [json.loads(line) for line in open(sys.argv[3])]
layers = ", ".join(str(probe["layers"]) for probe in told["measured"])
whole = "" if told["extrapolated"] is None else f" of {told['extrapolated']['layers']}"
memory = told["peak_memory_bytes"] / 1e9, max(step["peak_memory_bytes"] for step in steps) / 1e9
seconds = told["seconds_per_step"], sum(step["seconds"] for step in steps) / len(steps)
off = ["%+.0f %%" % (100 * (a / b - 1)) for a, b in (memory, seconds)]
print(f"| {name} | {layers}{whole} | {memory[0]:.2f}, {memory[1]:.2f} GB ({off[0]}) | {seconds[0]:.3f}, {seconds[1]:.3f} ({off[1]}) |",
      flush=True)
ROW
}
pairs() { line "$1" align --model "$out/$2/model" --pairs "$out/$2/data.jsonl" --loss "$loss" "${@:3}"; }
sequences() { line "$1" sft --model "$out/sft/model" --data "$out/sft/data.jsonl" --epochs 1 "${@:2}"; }
loss=simpo
echo "| training | measured layers | memory: told, seen | seconds a step: told, seen |"
echo "|---|---|---|---|"
for dtype in float32 bfloat16; do
  pairs "\`pref\`, $dtype" pref --dtype $dtype
  pairs "\`pref128k\`, $dtype" pref128k --dtype $dtype
  sequences "\`sft\`, $dtype" --dtype $dtype
done
pairs "\`pref\`, bfloat16, \`--recompute-layers 4\`" pref --dtype bfloat16 --recompute-layers 4
pairs "\`pref\`, base in NF4" pref --quantize nf4
sequences "\`sft\`, float32, \`--full\`" --full
loss=arpo pairs "\`pref\`, arpo, float32, \`--recompute-layers -1\`" pref --recompute-layers -1
