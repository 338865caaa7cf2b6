#!/usr/bin/env bash
# Runs clang-tidy (.clang-tidy) and fails on what it finds.
# Usage: scripts/tidy.sh [--changed | FILE...]: the sources given; those that changed in the folders that do not see LibTorch; or all
# but tests, benchmarks and CUDA's (a quarter of an hour on two cores). Changed: since the branch left its upstream; where nothing is
# ahead of it, in the commits of the last day.
set -euo pipefail
cd "$(dirname "$0")/.."
light=({core,text,jinja,tools,data,constraints,rules,tokenizer,chat}/'*.cpp')
# The commit behind which everything is new.
last_known() {
  local base
  base=$(git merge-base HEAD '@{upstream}' 2>/dev/null) || base=$(git rev-parse HEAD)
  [ "$base" != "$(git rev-parse HEAD)" ] || base=$(git rev-list -1 --before='24 hours ago' HEAD)
  echo "${base:-$(git rev-list HEAD | tail -n 1)}"
}
case "${1:-}" in
  --changed) mapfile -t files < <(git diff --name-only --diff-filter=d "$(last_known)" -- "${light[@]}") ;;
  "") mapfile -t files < <(git ls-files '*.cpp' ':!tests' ':!benchmarks' ':!*/cuda/*') ;;
  -*) echo "tidy: unknown option $1 (see the top of $0)" >&2; exit 2 ;;
  *) files=("$@") ;;
esac
[ ${#files[@]} -gt 0 ] || { echo "tidy: no source to check"; exit 0; }
scripts/setup.sh --checks
# Precompiled headers are of the other compiler: a build folder without them, configured and never built. So each source must
# stand with its own includes, and by itself.
mkdir -p build
cmake --preset release -B build/tidy -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCRAFT_UNITY=OFF > build/tidy.log 2>&1 || { cat build/tidy.log >&2; exit 1; }
# Warnings that only GCC knows are no findings; how many there are in other people's headers is of no interest.
printf '%s\0' "${files[@]}" |
  xargs -0 -P "$(nproc)" -n 1 clang-tidy --quiet -p build/tidy --warnings-as-errors='*' \
    --extra-arg=-Wno-unknown-warning-option 2> >(grep -v 'warnings\? generated' >&2)
