#!/usr/bin/env bash
# What it costs to add something. Each patch beside this script adds one thing, with a test of it, and may touch only so many
# files, whatever they are: where it needs more, the structure should change first.
# Usage: run.sh SOURCE                       copies the sources, applies every patch to the copy and counts its files
#        run.sh SOURCE WORK [CMAKE OPTION...]  keeps the copy in WORK, builds it with these options and runs the patches' tests
set -euo pipefail
source=$(cd "$1" && pwd)
patches=$(cd "$(dirname "$0")" && pwd)
work=${2:-}
[ -n "$work" ] || { work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; }
mkdir -p "$work"
tree=$(cd "$work" && pwd)/tree
export GIT_CEILING_DIRECTORIES=${tree%/tree}  # the copy is no part of a repository around it
# The loss comes last: its name stands in a header of which much is made, and its own test needs little of that.
declare -A budget=([command]=3 [scorer]=3 [tool]=4 [option]=2 [rounds_option]=2 [loss]=5)
early=(command scorer tool option rounds_option) late=(loss)

sources() { # those that git knows or would add; without git, everything but what is built
  git ls-files -z --cached --others --exclude-standard 2>/dev/null ||
    find . \( -name build -o -name .git -o -name .venv \) -prune -o -type f -print0
}
existing() { while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done; }
copy() {
  mkdir -p "$tree"
  find "$tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
  (cd "$source" && sources | existing | tar -c --null -T -) | tar -x -C "$tree"
}
apply() { # NAME...
  local name touched
  for name in "$@"; do
    touched=$(cd "$tree" && git apply --numstat "$patches/$name.patch" | cut -f 3)
    if [ "$(wc -l <<<"$touched")" -gt "${budget[$name]}" ]; then
      printf 'budgets: %s: expected at most %d files, got\n%s\n' "$name" "${budget[$name]}" "$touched" >&2
      exit 1
    fi
    (cd "$tree" && git apply "$patches/$name.patch") ||
      { echo "budgets: $name: expected a patch that applies to this tree; make it anew (git diff -U1) and count" >&2; exit 1; }
    echo "$name: $(wc -l <<<"$touched") of ${budget[$name]} files"
  done
}
tests_of() { # NAME...: the program and the cases of each patch, "cli_test Words.Counts"
  local name file program
  for name in "$@"; do
    file=$(sed -n 's|^+++ b/tests/\(.*_test\)\.cpp$|\1|p' "$patches/$name.patch")
    program=$(dirname "$file" | tr / _)_test
    sed -n "s/^+TEST\(_F\)\?(\(.*\), \(.*\)) {/$program \2.\3/p" "$patches/$name.patch"
  done
}
build_and_test() { # NAME...
  local program cases
  mapfile -t programs < <(tests_of "$@" | cut -d ' ' -f 1 | sort -u)
  cmake --build "$tree/build" --target "${programs[@]}"
  for program in "${programs[@]}"; do
    mapfile -t cases < <(tests_of "$@" | sed -n "s/^$program //p")
    "$tree/build/tests/$program" --gtest_brief=1 --gtest_filter="$(IFS=:; echo "${cases[*]}")" |
      grep -F "[  PASSED  ] ${#cases[@]} test" || { echo "budgets: ${cases[*]}: expected to pass" >&2; exit 1; }
  done
}

for patch in "$patches"/*.patch; do
  name=$(basename "$patch" .patch)
  [ -n "${budget[$name]:-}" ] || { echo "budgets: $patch: expected a budget of files in $0, got none" >&2; exit 1; }
done
copy
if [ $# -lt 2 ]; then
  apply "${early[@]}" "${late[@]}"
  exit
fi
[ ! -d "$source/.venv" ] || ln -s "$source/.venv" "$tree/.venv"  # LibTorch
apply "${early[@]}"
export CCACHE_BASEDIR=$tree
cmake -S "$tree" -B "$tree/build" -G Ninja "${@:3}" >/dev/null
build_and_test "${early[@]}"
apply "${late[@]}"
build_and_test "${late[@]}"
