#!/usr/bin/env bash
# Makes share/base-model and share/language-model from the project's own texts (docs/shipped.md). An hour or two on two cores;
# a stopped run goes on where it was.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
scripts/build.sh release
out="${1:-runs/base-model}"
build/release/craft-train base-model --texts share/texts/train.jsonl --held-out share/texts/select.jsonl --out "$out"
mkdir -p share/base-model share/language-model
# Replaced, not written over: a running program may use the old ones where they lie.
cp --remove-destination "$out"/model/* share/base-model/
build/release/craft-train language-model --texts share/texts/train.jsonl --tokenizer share/base-model \
  --out "$out/language-model"
cp --remove-destination "$out"/language-model/model/* share/language-model/
