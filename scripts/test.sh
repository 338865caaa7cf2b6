#!/usr/bin/env bash
# Sets up, builds and runs all tests. Options go to ctest, e.g. scripts/test.sh -L unit
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
scripts/build.sh release --target all
export CRAFT_REFERENCE_DIR="${CRAFT_REFERENCE_DIR:-$PWD/../shared}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
cores=$(nproc)
at_once=$((cores < 4 ? cores : 4))  # some tests use all cores by themselves
ctest --test-dir build/release --output-on-failure --no-tests=error --parallel "$at_once" "$@" | tee "$log" || status=$?
skipped=$(grep -c '\*\*\*Skipped' "$log" || true)  # ctest lists them once more at its end
if [ -d "$CRAFT_REFERENCE_DIR" ]; then
  echo "Reference data: $CRAFT_REFERENCE_DIR; skipped tests: $skipped"
else
  echo "No reference data at $CRAFT_REFERENCE_DIR: tests that need it were skipped ($skipped skipped in all)"
fi
exit "$status"
