#!/usr/bin/env bash
# The whole main job on what ships with the project: instructions, trajectories, SFT, self-training rounds, evaluation.
# Usage: scripts/quickstart.sh [--smoke] [--seed S] [--out DIR]
#   --smoke   a short form of the same path (about two minutes), for checks
#   --seed S  another seed (default 1)
#   --out DIR where the run goes (default runs/quickstart, with -smoke and -seed-S behind it); run twice, what is done is
#             not repeated
set -euo pipefail
here="$(cd "$(dirname "$0")/.." && pwd)"

config="$here/configs/quickstart.json"
default="$here/runs/quickstart" out="" seed=1
while [ $# -gt 0 ]; do
  case "$1" in
    --smoke) config="$here/configs/quickstart-smoke.json" default="$default-smoke"; shift ;;
    --seed) seed="${2:?--seed needs a number}"; shift 2 ;;
    --out) out="${2:?--out needs a folder}"; shift 2 ;;
    -h|--help) sed -n '2,7p' "$0" | cut -c3-; exit 0 ;;
    *) echo "quickstart: unknown option $1 (see --help)" >&2; exit 2 ;;
  esac
done
[ "$seed" = 1 ] || default="$default-seed-$seed"
[ -n "$out" ] || out="$default"

"$here/scripts/setup.sh"
"$here/scripts/build.sh" release
exec "$here/build/release/craft-train" quickstart --config "$config" --seed "$seed" --out "$out"
