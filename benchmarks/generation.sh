#!/usr/bin/env bash
# Generation beside transformers and llama.cpp, in turns: greedy steps, a long prompt, samples of one prompt, weights in few bits;
# on SmolLM2-135M-Instruct and on a random model whose prompts begin alike (gen). Prints what was reached of each target.
# benchmarks/generation.sh PYTHON [TURNS=1] [PART...]   PYTHON has torch and transformers; parts: greedy prefill samples quantized llama
# LLAMA_PYTHON, if it is set, is the Python that has llama_cpp. SHAPE=tiny rehearses with a few tokens. OMP_NUM_THREADS: 2.
# DTYPES=float32 leaves bfloat16 out, which LibTorch computes value by value where there is AVX2 alone.
set -euo pipefail
cd "$(dirname "$0")/.."
python="${1:?a Python with transformers}" turns="${2:-1}"
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- greedy prefill samples quantized llama
for part in "$@"; do
  case "$part" in greedy | prefill | samples | quantized | llama) ;; *) echo "no such part: $part" >&2; exit 2 ;; esac
done
llama_python="${LLAMA_PYTHON:-$python}" file=weights/smollm2-135m-instruct.gguf
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}" HF_HUB_OFFLINE=1 TOKENIZERS_PARALLELISM=false
scripts/build.sh release --target craft-train bench_generation
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
quiet() { "$@" 2>"$out/log" || { tail -n 20 "$out/log" >&2; exit 1; }; }
ours() { quiet build/release/bench_generation "$@" >>"$out/lines"; }
theirs() { quiet "$python" benchmarks/generation.py "$@" >>"$out/lines"; }
quiet build/release/craft-train export --model $file --out "$out/smollm2" --dtype float32
quiet "$python" benchmarks/generation.py make "$out"
has_llama=""
if "$llama_python" -c 'import llama_cpp' >/dev/null 2>&1; then has_llama=yes; fi
for turn in $(seq "$turns"); do
  ours rates "$out/smollm2" "$out/gen"
  for part in "$@"; do
    echo "turn $turn: $part, $(date +%T)" >&2
    case "$part" in
      quantized)
        for kind in bfloat16 int8 nf4; do ours run $file $kind "$out/$part-smollm2.jsonl"; done ;;
      llama)
        for kind in blocks nf4; do ours run $file $kind "$out/$part-smollm2.jsonl"; done
        [ -z "$has_llama" ] || python="$llama_python" theirs llama $file "$out/$part-smollm2.jsonl" ;;
      *)
        for model in smollm2 gen; do
          for dtype in ${DTYPES:-float32 bfloat16}; do
            ours run "$out/$model" $dtype "$out/$part-$model.jsonl"
            theirs transformers "$out/$model" $dtype "$out/$part-$model.jsonl"
          done
        done ;;
    esac
  done
done
"$python" benchmarks/generation.py table "$out"
if [[ " $* " == *" llama "* && ! "$has_llama" ]]; then echo "llama.cpp: not measured (no llama_cpp)"; fi
