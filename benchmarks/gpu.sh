#!/usr/bin/env bash
# Training on a GPU: the gpu tests; how cost grows with prompt, branches and vocabulary; and, with a Python that has torch,
# transformers, peft, datasets and trl (flash_attn too where it is there), SFT and SimPO on a random model of Llama-3.1-8B's shape with
# histories of 2 to 8 thousand tokens beside TRL: LoRA of rank 16 on q, k, v, o, bfloat16, the same data, order and first adapter.
# benchmarks/gpu.sh [PYTHON]    Needs nvcc, an NVIDIA GPU with 80 GB or more, 40 GB of disk under TMPDIR, 40 GB of memory.
# SHAPE=tiny benchmarks/gpu.sh PYTHON: the same on a model of a few layers, to see that all runs.
set -euo pipefail
cd "$(dirname "$0")/.."
python="${1:-}" shape="${SHAPE:-8b}"
say() { echo "gpu: $*" >&2; }
command -v nvidia-smi >/dev/null && nvidia-smi -L | grep GPU >/dev/null || { say "expected an NVIDIA GPU and its driver (nvidia-smi -L), found none"; exit 1; }
[ -x "${CUDACXX:-/usr/local/cuda/bin/nvcc}" ] || command -v nvcc >/dev/null || { say "expected nvcc of CUDA 13 in PATH, CUDACXX or /usr/local/cuda/bin"; exit 1; }
[ "$shape" = 8b ] || [ "$shape" = tiny ] || { say "SHAPE: expected 8b or tiny, got $shape"; exit 2; }
[ -z "$python" ] || "$python" -c 'import torch, transformers, peft, datasets, trl; assert torch.cuda.is_available()' ||
  { say "$python: expected torch with CUDA, transformers, peft, datasets and trl"; exit 1; }

scripts/setup.sh --cuda
scripts/build.sh cuda --target craft-train model_gpu_test train_gpu_test bench_growth
out=$(mktemp -d)
watch=""
trap '[ -z "$watch" ] || kill "$watch" 2>/dev/null; rm -rf "$out"' EXIT
quiet() { "$@" >"$out/log" 2>&1 || { tail -n 20 "$out/log" >&2; exit 1; }; }
# Runs a command and leaves the most memory that the GPU had in use meanwhile, in MiB, in $out/peak.
watched() {
  nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits -i 0 -lms 100 >"$out/memory" 2>/dev/null &
  watch=$!
  quiet "$@"
  kill "$watch" && wait "$watch" 2>/dev/null || true
  watch=""
  sort -n "$out/memory" | tail -n 1 >"$out/peak"
}

echo "$(date -u +%F), $(nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader -i 0)"
for tests in model train; do build/cuda/tests/${tests}_gpu_test --gtest_brief=1; done
echo
build/cuda/bench_growth cuda bfloat16 2 "$([ "$shape" = 8b ] && echo 4096 || echo 256)" 4
[ -n "$python" ] || { say "without a Python nothing is compared with TRL"; exit 0; }

# Activations of 16 thousand tokens of all layers take some 70 GB beside 16 GB of weights.
recompute=$([ "$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits -i 0)" -ge 120000 ] && echo 0 || echo -1)
rate=$("$python" benchmarks/gpu.py rate)
echo
echo "product of 8192^3 in bfloat16: $rate TFLOP/s; our --recompute-layers $recompute, TRL with gradient checkpointing"
echo "| workload | TRL | craft-train | faster, memory | losses apart | MFU |"
echo "|---|---|---|---|---|---|"
quiet "$python" benchmarks/gpu.py make "$shape" "$out"
for kind in sft pref; do
  watched "$python" benchmarks/gpu.py train $kind "$out" "$out/trl.json"
  theirs=$(cat "$out/peak")
  if [ $kind = sft ]; then
    work=(sft --data "$out/sft.jsonl")
  else
    work=(align --pairs "$out/pref.jsonl" --loss simpo --beta 2.5 --gamma 1.375)
  fi
  watched build/cuda/craft-train "${work[@]}" --model "$out/model" --adapter "$out/adapter" --out "$out/run" --overwrite \
    --device cuda --dtype bfloat16 --batch-size 4 --micro-batch-tokens 16384 --recompute-layers "$recompute" --lr 1e-4 \
    --order sequential --set train.schedule=constant --set train.warmup=0 --set train.max_grad_norm=0
  "$python" benchmarks/gpu.py row $kind "$shape" "$out" "$rate" "$out/trl.json" "$out/run" "$theirs" "$(cat "$out/peak")"
done
