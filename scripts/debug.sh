#!/usr/bin/env bash
# Builds all, tests too, without optimisation and with symbols and assertions (build/debug), and runs the unit tests there. For a
# debugger, and now and then because assertions look at more; .ci/run leaves it out. Options go to ctest.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
scripts/build.sh debug --target all
ctest --test-dir build/debug --output-on-failure --no-tests=error --parallel "$(nproc)" -L unit "$@"
