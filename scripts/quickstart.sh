#!/usr/bin/env bash
# The whole main job on the texts that ship with the project: instructions, trajectories, SFT, self-training rounds, evaluation.
# Usage: scripts/quickstart.sh [--full|--smoke] [--seed S] [--model M] [--out DIR]
#   --full    the job at its real size: 2,000 trajectories, all sealed instructions, texts of every length (an hour and more with AVX2)
#   --smoke   a short form of the same path, for checks
#   --seed S  another seed (default 1)
#   --model M another model to start from: a folder, a GGUF file, or org/name in the Hugging Face cache
#             (default weights/smollm2-135m-instruct.gguf, which scripts/setup.sh gets)
#   --out DIR where the run goes (default runs/quickstart, with -full, -smoke and -seed-S behind it); run twice, what is done is
#             not repeated
set -euo pipefail
here="$(cd "$(dirname "$0")/.." && pwd)"

config="$here/configs/quickstart.json"
default="$here/runs/quickstart" out="" seed=1
weights="$here/weights/smollm2-135m-instruct.gguf" model=""
while [ $# -gt 0 ]; do
  case "$1" in
    --full) config="$here/configs/quickstart-full.json" default="$default-full"; shift ;;
    --smoke) config="$here/configs/quickstart-smoke.json" default="$default-smoke"; shift ;;
    --seed) seed="${2:?--seed needs a number}"; shift 2 ;;
    --model) model="${2:?--model needs a model}"; shift 2 ;;
    --out) out="${2:?--out needs a folder}"; shift 2 ;;
    -h|--help) sed -n '2,10p' "$0" | cut -c3-; exit 0 ;;
    *) echo "quickstart: unknown option $1 (see --help)" >&2; exit 2 ;;
  esac
done
[ "$seed" = 1 ] || default="$default-seed-$seed"
[ -n "$out" ] || out="$default"

"$here/scripts/setup.sh"
[ -n "$model" ] || [ -f "$weights" ] || {
  echo "quickstart: no ${weights#"$here/"}, and scripts/setup.sh could not get it: put a GGUF file of SmolLM2-135M-Instruct there, or give --model M" >&2
  exit 1
}
"$here/scripts/build.sh" release
exec "$here/build/release/craft-train" quickstart --config "$config" --model "${model:-$weights}" --seed "$seed" --out "$out"
