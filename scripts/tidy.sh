#!/usr/bin/env bash
# Runs clang-tidy (.clang-tidy) and fails on what it finds.
# Usage: scripts/tidy.sh [--changed | FILE...]: the sources given; those that changed, without the static analyser, a third of the
# time; or all. Without names tests, benchmarks and CUDA's sources are left out (all: a quarter of an hour on two cores).
set -euo pipefail
cd "$(dirname "$0")/.."
ours=(':!tests' ':!benchmarks' ':!*/cuda/*')
# A header's source, or else that of the first file that includes it.
source_of() { # HEADER
  local file
  for file in "${1%.h}.cpp" $(git grep -lF "#include \"$1\"" -- '*.cpp' '*.h' "${ours[@]}" || true); do
    file=${file%.h}
    file=${file%.cpp}.cpp
    if [ -f "$file" ]; then
      echo "$file"
      return
    fi
  done
}
changed() {
  local file
  scripts/changed.sh '*.cpp' '*.h' "${ours[@]}" | while read -r file; do
    case "$file" in
      *.cpp) echo "$file" ;;
      *.h) source_of "$file" ;;
    esac
  done | sort -u
}
checks=
case "${1:-}" in
  --changed)
    list=$(changed)
    mapfile -t files < <(printf '%s' "${list:+$list$'\n'}")
    checks='-clang-analyzer-*'
    ;;
  "") mapfile -t files < <(git ls-files '*.cpp' "${ours[@]}") ;;
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
  xargs -0 -P "$(nproc)" -n 1 clang-tidy --quiet -p build/tidy --checks="$checks" --warnings-as-errors='*' \
    --extra-arg=-Wno-unknown-warning-option 2> >(grep -v 'warnings\? generated' >&2)
