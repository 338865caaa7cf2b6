#!/usr/bin/env bash
# Builds build/<preset>/craft-train. Usage: scripts/build.sh [release|debug|asan|cuda] [cmake --build options]
# (--target all: its tests, too; other options alone build all)
set -euo pipefail
cd "$(dirname "$0")/.."
preset="${1:-release}"
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- --target craft-train
log="build/$preset.log"
mkdir -p build
if ! cmake --preset "$preset" >"$log" 2>&1; then
  tail -n 30 "$log" >&2
  exit 1
fi
cmake --build --preset "$preset" "$@" >&2
