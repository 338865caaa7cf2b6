#!/usr/bin/env bash
# Packs what benchmarks/gpu.sh needs on a machine with a GPU that has a Python with LibTorch, but neither this project's libraries nor
# a package registry: the programs of the preset cuda, the Debian libraries that they load, and TRL's Python packages. Needs nvcc
# 13 here, no GPU. OUT travels with the tree, in its root; both together take 64 MiB at most.
# Usage: scripts/gpu_bundle.sh [OUT=.gpu]          there: benchmarks/gpu.sh python3
set -euo pipefail
cd "$(dirname "$0")/.."
out="${1:-.gpu}"
MOST=$((64 << 20))  # bytes
PROGRAMS="craft-train bench_growth"
TESTS="model_kernels_gpu_test model_decoder_gpu_test model_steps_gpu_test generate_gpu_test train_gpu_test cli_gpu_test"
# What TRL needs beside transformers, peft and what these need; datasets 5 wants a newer pyarrow than many machines have.
WHEELS="trl==1.16.0 datasets==4.7.0 dill==0.4.0 multiprocess==0.70.18 xxhash==3.6.0"
WHEELS_PYTHON=3.12

scripts/setup.sh --cuda
PATH="$PATH:/usr/local/cuda/bin" scripts/build.sh cuda --target $PROGRAMS $TESTS

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mkdir "$made/bin" "$made/lib"
for name in $PROGRAMS $TESTS; do
  path=build/cuda/$name
  [ -x "$path" ] || path=build/cuda/tests/$name
  strip -o "$made/bin/$name" "$path"
done
# Debian's; the C library and the compiler's stay the other machine's, and CUDA's come with its LibTorch.
ldd "$made"/bin/* | sed -n 's|.* => \(/\(usr/\)\?lib/[^ ]*\) .*|\1|p' | sort -u |
  grep -vE '/lib(c|m|dl|rt|pthread|util|resolv|stdc\+\+|gcc_s|cuda)\.so' | xargs -I{} cp -L {} "$made/lib/"
chmod u+w "$made"/lib/*
strip --strip-unneeded "$made"/lib/*

mkdir -p "$out"
tar -C "$made" -c bin lib | xz -6 -T0 >"$made/bundle.tar.xz"
mv "$made/bundle.tar.xz" "$out/bundle.tar.xz"
platforms=(--platform manylinux_2_28_x86_64 --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64)
rm -rf "$out/wheels"
.venv/bin/pip download -q --disable-pip-version-check --no-deps --only-binary=:all: --python-version "$WHEELS_PYTHON" \
  --implementation cp "${platforms[@]}" -d "$out/wheels" $WHEELS

size() { du -cb "$@" | tail -n 1 | cut -f 1; }
bundle=$(size "$out") tree=$(git ls-files -z | du -cb --files0-from=- | tail -n 1 | cut -f 1)
echo "$out: $((bundle >> 20)) MiB, the tree $((tree >> 20)) MiB" >&2
if [ $((bundle + tree)) -gt "$MOST" ]; then
  echo "gpu_bundle: expected $out and the tree to take at most $((MOST >> 20)) MiB, got $(((bundle + tree) >> 20)); du -b $out/*" >&2
  exit 1
fi
