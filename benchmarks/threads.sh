#!/usr/bin/env bash
# Training and generation with one thread and with several, in turns, on the model that scripts/setup.sh gets: tokens a second.
# benchmarks/threads.sh [THREADS=all cores] [TURNS=3]
set -euo pipefail
cd "$(dirname "$0")/.."
threads="${1:-$(nproc)}" turns="${2:-3}"
scripts/build.sh release --target craft-train
craft=build/release/craft-train
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
$craft constraints --texts share/texts/train.jsonl --domain c1,c2,c3 --count 24 --output "$out/instructions.jsonl" --overwrite --quiet
$craft trajectories --instructions "$out/instructions.jsonl" --prompt compact --quote-words 3 --max-steps 1 \
  --scorers none --out "$out/trajectories" --quiet
for turn in $(seq "$turns"); do
  for n in 1 "$threads"; do
    run="$out/sft-$n-$turn"
    $craft sft --data "$out/trajectories" --model weights/smollm2-135m-instruct.gguf --lora-targets all-linear --lora-rank 32 --batch-size 8 \
      --threads "$n" --out "$run" --quiet
    begin=$(date +%s.%N)
    # The base model writes no plan of so few tokens: where all are cut, the command says so and exits with 1.
    $craft plan --model weights/smollm2-135m-instruct.gguf --instructions "$out/instructions.jsonl" --prompt compact --max-new-tokens 160 \
      --threads "$n" --output "$out/plans.jsonl" --overwrite --quiet || [ $? = 1 ]
    python3 - "$run/metrics.jsonl" "$begin" "$(date +%s.%N)" <<END
import json, sys
steps = [json.loads(line) for line in open(sys.argv[1])]
rate = sum(s["tokens"] for s in steps) / sum(s["seconds"] for s in steps)
seconds = float(sys.argv[3]) - float(sys.argv[2])
print(f"turn $turn, $n thread(s): training {rate:.0f} tokens/s, 24 plans of up to 160 tokens in {seconds:.1f} s")
END
  done
done
