#!/usr/bin/env bash
# Sets up, builds and runs the tests. Options go to ctest, e.g. scripts/test.sh -L unit
#   --nightly  those, too, that take long to build or to run and seldom fail (fuzz targets, programs that only a GPU runs, estimates of
#              training, the scripts for a GPU), and notes the result in docs/nightly.md
# .ci/run has each test run once, by two calls:
#   --sanitized  the unit tests of the folders that do not see LibTorch, and all fuzz targets, under AddressSanitizer and UBSan
#   --others     all other tests
#   --others-but "WHAT..."  the same without gpu (what only a GPU runs, the scripts for one, the kernels of other processors), or
#                models (the slowest of models and training: beside PEFT, bitsandbytes and transformers, estimates, ranks; half of the time)
set -euo pipefail
cd "$(dirname "$0")/.."
preset=release targets=(all) nightly=""
case "${1:-}" in
  --nightly) nightly=yes; shift ;;
  --sanitized) preset=asan targets=(light_tests); set -- -L '^light$' "${@:2}" ;;
  --others) targets=(other_tests gpu_programs); set -- -LE '^light$' "${@:2}" ;;
  --others-but)
    targets=(other_tests gpu_programs) but='^$'
    for what in ${2?expected gpu, models or both}; do
      case "$what" in
        gpu) targets=(other_tests) but+='|^(gpu_scripts\.|unit\.(kernels|avx2)_)|_gpu_test_NOT_BUILT$' ;;
        models) but+='|(Adapters|Quantized|Decoders|Generate)Parity\.|TransformersParity\.(Tied|Untied)|^(EstimatedTraining|RanksTest|RoundsInRanks|ProcessGroup)\.' ;;
        *) echo "test: --others-but: expected gpu, models or both, got $what" >&2; exit 2 ;;
      esac
    done
    set -- -LE '^light$' -E "$but" "${@:3}" ;;
  '')
    targets=(light_unit_tests other_tests)
    set -- -LE '^(nightly|gpu)$' -E '^(fuzz|EstimatedTraining)\.|_gpu_test_NOT_BUILT$' ;;
  *) set -- -LE '^nightly$' "$@" ;;
esac
scripts/setup.sh --english --encoder  # examples of documents and of the help annotate and judge English
scripts/build.sh $preset --target "${targets[@]}"
export CRAFT_REFERENCE_DIR="${CRAFT_REFERENCE_DIR:-$PWD/../shared}"
# What scripts/setup.sh --parity has installed, unless another Python is named.
if [ -z "${CRAFT_PARITY_PYTHON:-}" ] && ls .venv/*-parity >/dev/null 2>&1; then export CRAFT_PARITY_PYTHON="$PWD/.venv/bin/python"; fi
status=0
cores=$(nproc)
at_once=$((cores < 3 ? cores + 1 : 4))  # some tests use all cores by themselves, others wait
ctest --test-dir build/$preset --output-on-failure --no-tests=error --parallel "$at_once" "$@" | tee build/$preset/ctest.txt || status=$?
# A line a skipped case, also of programs that ran the others: name, tab, reason.
skipped=build/$preset/skipped.txt
awk '/^[0-9]+\/[0-9]+ Testing: / {name = $3} /^\[ RUN      \] / {name = $4} /: Skipped$/ {getline; print name "\t" $0}' \
  build/$preset/Testing/Temporary/LastTest.log >"$skipped"
[ -d "$CRAFT_REFERENCE_DIR" ] && echo "Reference data: $CRAFT_REFERENCE_DIR" || echo "No reference data at $CRAFT_REFERENCE_DIR"
echo "Skipped cases: $(wc -l <"$skipped") ($skipped)"
cut -f 2 "$skipped" | sort | uniq -c
if [ -n "$nightly" ]; then
  commit="$(git rev-parse --short HEAD)$(git diff --quiet HEAD || echo ", changed")"  # before the page itself is
  {
    echo "# The last run of all tests"
    echo
    echo "\`scripts/test.sh --nightly\` wrote this page. It says what ran where, and how it ended."
    echo
    echo "| date | commit | machine | tests | skipped cases | seconds |"
    echo "|---|---|---|---|---|---|"
    echo "| $(date -u +%F) | $commit | $(LC_ALL=C lscpu | sed -n 's/^Model name: *//p'), $(nproc) cores | $(grep ' tests passed' build/$preset/ctest.txt) | $(wc -l <"$skipped") | $SECONDS |"
  } >docs/nightly.md
fi
exit "$status"
