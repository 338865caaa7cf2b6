#!/usr/bin/env bash
# Training beside TRL: one epoch of SimPO (pairs with long shared prompts, small and large vocabulary) and of SFT, LoRA of rank
# 16, batches of 4 in the order of the file, from the same adapter; each step's loss is compared. SmolLM2-135M-Instruct with LoRA on
# all projections: SFT in bfloat16 on sequences of 500 and of 1,500 tokens. dpo-start and dpo-base: DPO on pairs whose reference is the
# adapter that training starts from, or the model without it. grpo: a round of it on PROMPTS=8 prompts,
# SmolLM2-135M-Instruct after a short SFT; TRL takes the length of a response as its reward, ours is S_a.
# benchmarks/vs_trl.sh PYTHON [TURNS=1] [THREADS=2] [WORKLOAD...]   PYTHON has torch, transformers, peft, datasets and trl
# DTYPES=float32 leaves bfloat16 out, which LibTorch computes value by value where there is AVX2 alone.
# The limit: the operations that the workload needs over the best rate of a product of 2048^3 seen here (theirs or ours).
set -euo pipefail
cd "$(dirname "$0")/.."
python="${1:?a Python with trl}" turns="${2:-1}" threads="${3:-2}"
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- pref pref128k sft smollm2-500 smollm2-1500
export OMP_NUM_THREADS="$threads" HF_HUB_OFFLINE=1 TOKENIZERS_PARALLELISM=false
scripts/build.sh release --target craft-train bench_training_products
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
quiet() { "$@" >"$out/log" 2>&1 || { tail -n 20 "$out/log" >&2; exit 1; }; }
build/release/bench_training_products "$threads" 2048 >"$out/rates"
ours_rate() { sed -n "s/^$1 .*: ours \([0-9]*\),.*/\1/p" "$out/rates"; }
for kind in "$@"; do
  case $kind in smollm2* | grpo)
    quiet build/release/craft-train export --model weights/smollm2-135m-instruct.gguf --out "$out/$kind/model" --dtype bfloat16 ;;
  esac
  quiet "$python" benchmarks/vs_trl.py make "$kind" "$out/$kind"
done
echo "| workload | TRL | craft-train | faster, memory | losses apart | limit, share reached |"
echo "|---|---|---|---|---|---|"
for turn in $(seq "$turns"); do
  for dtype in ${DTYPES:-float32 bfloat16}; do
    theirs=$("$python" benchmarks/vs_trl.py rate $dtype)
    own=$(ours_rate "$([ $dtype = float32 ] && echo Float || echo BFloat16)")
    rate=$((theirs > own ? theirs : own))
    for kind in "$@"; do
      case $kind-$dtype in smollm2*-float32) continue ;; esac
      quiet "$python" benchmarks/vs_trl.py train $kind "$out/$kind" $dtype "$out/trl.json"
      case $kind in
        pref*) work=(align --pairs "$out/$kind/data.jsonl" --loss simpo --beta 2.5 --gamma 1.375) ;;
        dpo*) work=(align --pairs "$out/$kind/data.jsonl" --loss dpo --beta 0.1 --reference "${kind#dpo-}") ;;
        grpo) work=(align --config "$out/$kind/round.json") ;;
        *) work=(sft --data "$out/$kind/data.jsonl") ;;
      esac
      quiet /usr/bin/time -f "%M %e" -o "$out/process" build/release/craft-train "${work[@]}" --model "$out/$kind/model" \
        --adapter "$out/$kind/adapter-$dtype" --out "$out/run" --overwrite --dtype $dtype --batch-size 4 --lr 1e-4 \
        --order sequential --set train.schedule=constant --set train.warmup=0 --set train.max_grad_norm=0 --threads "$threads"
      [ $kind != grpo ] || quiet "$python" benchmarks/vs_trl.py train $kind "$out/$kind" $dtype "$out/trl.json.replayed" "$out/run"
      read -r peak seconds < <(tail -n 1 "$out/process")
      "$python" benchmarks/vs_trl.py row $kind "$out/$kind" $dtype "$rate" "$out/trl.json" "$out/run" "$peak" "$seconds"
    done
  done
done
