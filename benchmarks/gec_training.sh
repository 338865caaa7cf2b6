#!/usr/bin/env bash
# The grammar agent trained on traces, beside what it is to be compared with; corrections measured (docs/gec-training.md).
# Usage: benchmarks/gec_training.sh [--seed S] [--sealed] [--pairs N] [--model M] [--out DIR]
#   --seed S   of trainings and samples (default 1)
#   --sealed   measured on the sealed sentences; else on those of development
#   --pairs N  also trains the agent further on better and worse traces of its own, of N sentences
#   --model M  a folder, a GGUF file, or org/name in the Hugging Face cache (default weights/smollm2-135m-instruct.gguf)
#   --out DIR  traces and what the untrained model corrects, which all seeds share, and a folder for each seed with its trainings,
#              corrections and table.json, the figures (default runs/gec-training); run twice, what is done is not repeated
set -euo pipefail
cd "$(dirname "$0")/.."

seed=1 sets=dev pairs=0 model=weights/smollm2-135m-instruct.gguf out=runs/gec-training
while [ $# -gt 0 ]; do
  case "$1" in
    --seed) seed="${2:?--seed needs a number}"; shift 2 ;;
    --sealed) sets=sealed; shift ;;
    --pairs) pairs="${2:?--pairs needs a number}"; shift 2 ;;
    --model) model="${2:?--model needs a model}"; shift 2 ;;
    --out) out="${2:?--out needs a folder}"; shift 2 ;;
    -h|--help) sed -n '2,10p' "$0" | cut -c3-; exit 0 ;;
    *) echo "gec_training: unknown option $1 (see --help)" >&2; exit 2 ;;
  esac
done
program=build/release/craft-train configs=configs/gec-training run="$out/seed-$seed"
mkdir -p "$run/$sets" "$out/data" "$out/$sets"

# unless FILE COMMAND...: runs the command, which writes FILE, if it is not there.
unless() {
  local file=$1; shift
  [ -e "$file" ] || "$@"
}

# What is trained on: traces of the teacher with the tool, who corrects what it finds, and without, and plain pairs.
traces=("$program" gec traces --model gold --input share/gec/train.jsonl --prompt trained)
tools=(--prompt trained --tools error_parsing --no-repairs)
unless "$out/data/tools.jsonl" "${traces[@]}" "${tools[@]}" --observed-only --mistakes .05 --output "$out/data/tools.jsonl"
unless "$out/data/no-tools.jsonl" "${traces[@]}" --tools none --mistakes .05 --output "$out/data/no-tools.jsonl"
unless "$out/data/direct.jsonl" "${traces[@]}" --tools none --form direct --output "$out/data/direct.jsonl"
for name in tools no-tools direct; do
  unless "$run/$name/adapter" "$program" sft --config $configs/sft.json --model "$model" --data "$out/data/$name.jsonl" --seed "$seed" --out "$run/$name"
done

agent="local:$model+$run/tools/adapter"
if [ "$pairs" -gt 0 ]; then # of sentences of which some were trained on
  unless "$out/data/sampled-$pairs.jsonl" python3 - "$out/data/sampled-$pairs.jsonl" "$pairs" <<'PYTHON'
import random, sys
rows = open("share/gec/train.jsonl").readlines()
open(sys.argv[1], "w").writelines(random.Random(1).sample(rows, int(sys.argv[2])))
PYTHON
  unless "$run/pairs.jsonl" "$program" gec traces --model "$agent" --input "$out/data/sampled-$pairs.jsonl" "${tools[@]}" \
    --samples 4 --temperature .8 --set sampling.top_p=1 --max-new-tokens 120 --dtype bfloat16 --seed "$seed" \
    --output "$run/best.jsonl" --pairs "$run/pairs.jsonl"
  unless "$run/paired/adapter" "$program" align --pairs "$run/pairs.jsonl" --config $configs/pairs.json --model "$model" \
    --adapter "$run/tools/adapter" --seed "$seed" --out "$run/paired"
fi

# Corrections of the sentences as they are written; for the figures their words are set apart.
python3 - $sets "$out/$sets" <<'PYTHON'
import json, sys
files = {"dev": ["dev", "hand_train"], "sealed": ["test", "hand_test", "correct"]}[sys.argv[1]]
rows = [json.loads(line) for file in files for line in open(f"share/gec/{file}.jsonl", encoding="utf-8")]
for name in ("source", "target"):
    with open(f"{sys.argv[2]}/{name}.txt", "w", encoding="utf-8") as out:
        out.writelines(row[name] + "\n" for row in rows)
PYTHON
correct() { # FILE OPTION...
  unless "$1" "$program" gec --input "$out/$sets/source.txt" --whole --format text --max-new-tokens 120 --dtype bfloat16 --output "$@"
}
words() { # FILE
  python3 -c 'import re, sys
for line in sys.stdin: print(*re.findall(r"\w+(?:[\x27’-]\w+)*|[^\w\s]", line))' < "$1.txt" > "$1.words"
}
names=(direct no_tools agent)
correct "$out/$sets/few_shot.txt" --method few_shot --model "local:$model"
correct "$run/$sets/direct.txt" --method zero_shot --model "local:$model+$run/direct/adapter"
correct "$run/$sets/no_tools.txt" --prompt trained --tools none --model "local:$model+$run/no-tools/adapter"
correct "$run/$sets/agent.txt" "${tools[@]}" --model "$agent"
if [ "$pairs" -gt 0 ]; then
  names+=(agent_pairs)
  correct "$run/$sets/agent_pairs.txt" "${tools[@]}" --model "local:$model+$run/paired/adapter"
fi
files="few_shot=$out/$sets/few_shot.words"
for name in source target few_shot; do words "$out/$sets/$name"; done
for name in "${names[@]}"; do
  words "$run/$sets/$name"
  files+=",$name=$run/$sets/$name.words"
done
python3 benchmarks/corrections.py "$out/$sets/source.words" "$files" "$out/$sets/target.words" --json "$run/$sets/table.json"
