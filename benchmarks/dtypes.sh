#!/usr/bin/env bash
# How many times as fast bfloat16 is as float32, in training and in generation, for each set of kernels that this processor has:
# what --dtype auto goes by (kSpeeds in cli/placement.cpp). benchmarks/dtypes.sh [SET...]
# SmolLM2-135M-Instruct: a step of SFT with an adapter on all projections (sft --estimate), and 16 greedy answers of 64 tokens.
set -euo pipefail
cd "$(dirname "$0")/.."
model=weights/smollm2-135m-instruct.gguf program=build/release/craft-train
[ $# -gt 0 ] || set -- best avx512 avx2 generic
scripts/build.sh release
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
quiet() { "$@" 2>"$out/log" || { tail -n 20 "$out/log" >&2; exit 1; }; }
quiet "$program" constraints --texts share/texts/train.jsonl --domain c1,c2 --count 48 --output "$out/instructions.jsonl"
quiet "$program" trajectories --instructions "$out/instructions.jsonl" --teacher rules --out "$out/trajectories"
python3 - "$out" <<'EOF'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1] + "/instructions.jsonl")][:16]
with open(sys.argv[1] + "/prompts.jsonl", "w") as out:
    for row in rows: out.write(json.dumps({"id": row["id"], "prompt": row["instruction"] + "\n" + row["text"]}) + "\n")
EOF
for set in "$@"; do
  case "$set" in
    best) levels=() ;;
    avx512) levels=(CRAFT_CPU_KERNELS=avx512) ;;
    avx2) levels=(CRAFT_CPU_KERNELS=avx2 ATEN_CPU_CAPABILITY=avx2 ONEDNN_MAX_CPU_ISA=AVX2) ;;
    generic) levels=(CRAFT_CPU_KERNELS=generic ATEN_CPU_CAPABILITY=default ONEDNN_MAX_CPU_ISA=SSE41) ;;
    *) echo "dtypes: no such set: $set" >&2; exit 2 ;;
  esac
  for dtype in float32 bfloat16; do
    quiet env "${levels[@]}" "$program" sft --data "$out/trajectories" --model $model --batch-size 1 --lora-targets all-linear \
      --dtype $dtype --estimate >"$out/estimate.json"
    times=()
    for tokens in 1 64; do  # loading and prompts are in both
      begin=$(date +%s.%N)
      quiet env "${levels[@]}" "$program" generate --model $model --input "$out/prompts.jsonl" --max-new-tokens $tokens --temperature 0 \
        --dtype $dtype --output "$out/generated.jsonl" --overwrite
      times+=("$(date +%s.%N) - $begin")
    done
    python3 - "$out/estimate.json" "$set" $dtype "${times[@]}" <<'EOF'
import json, sys
told = json.load(open(sys.argv[1]))
first, all = (eval(text) for text in sys.argv[4:])
rate = told["tokens_per_step"] / told["seconds_per_step"]
print(f"{sys.argv[2]} {sys.argv[3]}: training {rate:.0f} tokens/s, generation {16 * 63 / (all - first):.0f} tokens/s")
EOF
  done
done
