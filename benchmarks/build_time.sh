#!/usr/bin/env bash
# What a clean build of the program costs, without a compiler cache and two jobs at a time: elapsed seconds, and processor seconds
# (user and system). benchmarks/build_time.sh [REVISION...]   without one, the tree as it is; .venv/ is taken from here.
set -euo pipefail
cd "$(dirname "$0")/.."
root="$PWD" out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
libtorch=$(ls -d "$root"/.venv/lib/python3*/site-packages/torch)
measure() { # NAME TREE
  local TIMEFORMAT='%R %U %S'
  { time (cmake -S "$2" -B "$out/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCRAFT_UNITY=ON -DCRAFT_LIBTORCH="$libtorch" &&
    CCACHE_DISABLE=1 ninja -C "$out/build" -j 2 craft-train) >"$out/log" 2>&1; } 2>"$out/time" || { tail -n 20 "$out/log" >&2; exit 1; }
  awk -v name="$1" '{printf "%s: %.0f s elapsed, %.0f s of processors\n", name, $1, $2 + $3}' "$out/time"
  rm -rf "$out/build"
}
[ $# -gt 0 ] || measure "this tree" "$root"
for revision in "$@"; do
  mkdir "$out/tree"
  git archive "$revision" | tar -x -C "$out/tree"
  measure "$revision" "$out/tree"
  rm -rf "$out/tree"
done
