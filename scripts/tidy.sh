#!/usr/bin/env bash
# Runs clang-tidy (.clang-tidy) and fails on what it finds.
# Usage: scripts/tidy.sh [--light | FILE...]: the sources given, those of the folders that do not see LibTorch (five minutes
# on two cores), or all but tests, benchmarks and CUDA's (a quarter of an hour).
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
  --light) mapfile -t files < <(git ls-files {core,text,jinja,tools,tools/craft,data,constraints,rules,tokenizer,chat}/'*.cpp') ;;
  "") mapfile -t files < <(git ls-files '*.cpp' ':!tests' ':!benchmarks' ':!*/cuda/*') ;;
  -*) echo "tidy: unknown option $1 (see the top of $0)" >&2; exit 2 ;;
  *) files=("$@") ;;
esac
scripts/setup.sh --checks
# Precompiled headers are of the other compiler: a build folder without them, configured and never built. So each source must
# stand with its own includes, and by itself.
mkdir -p build
cmake --preset release -B build/tidy -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCRAFT_UNITY=OFF > build/tidy.log 2>&1 || { cat build/tidy.log >&2; exit 1; }
# Warnings that only GCC knows are no findings; how many there are in other people's headers is of no interest.
printf '%s\0' "${files[@]}" |
  xargs -0 -P "$(nproc)" -n 1 clang-tidy --quiet -p build/tidy --warnings-as-errors='*' \
    --extra-arg=-Wno-unknown-warning-option 2> >(grep -v 'warnings\? generated' >&2)
