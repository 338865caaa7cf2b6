#!/usr/bin/env bash
# A machine with a GPU: whether all is right there (1_check.sh of benchmarks/gpu), how fast it trains a model of Llama-3.1-8B's shape
# (2_speed.sh), that beside TRL and transformers (3_peers.sh), and its kernels under compute-sanitizer (4_sanitizer.sh), one after the
# other; each has a time limit of ten minutes. Stops behind the first where something is wrong. Results and traces go to runs/gpu (OUT).
# benchmarks/gpu.sh [PYTHON=python3]   PYTHON has torch and transformers, for the peers peft, datasets and trl, too (flash_attn is
#   used if present); what it lacks is left out, and said. Needs nvcc 13, an NVIDIA GPU with 80 GB, 17 GB under WORK
#   (/tmp/craft-gpu), 40 GB of memory. Sets up and builds first, unless the programs are in BUILT=DIR or come from
#   .gpu/bundle.tar.xz (scripts/gpu_bundle.sh).
# SHAPE=tiny benchmarks/gpu.sh PYTHON: the same on a small model; DEV=cpu, too: a rehearsal on the CPU.
set -euo pipefail
cd "$(dirname "$0")/.."
export PYTHON="${1:-python3}"
if [ "${DEV:-cuda}" = cuda ] && ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
  echo "gpu.sh: expected an NVIDIA GPU and its driver (nvidia-smi -L), found none; DEV=cpu rehearses on the CPU" >&2
  exit 1
fi
if [ -z "${BUILT:-}" ] && [ ! -f .gpu/bundle.tar.xz ]; then
  scripts/setup.sh --cuda
  PATH="$PATH:/usr/local/cuda/bin" scripts/build.sh cuda --target craft-train bench_growth \
    {model_kernels,model_decoder,model_steps,generate,train,cli}_gpu_test
fi
status=0
benchmarks/gpu/1_check.sh
benchmarks/gpu/2_speed.sh || status=1
benchmarks/gpu/3_peers.sh || status=1
benchmarks/gpu/4_sanitizer.sh || status=1
exit $status
