#!/usr/bin/env bash
# CRAFT's experiments on stand-ins, from texts to its Tables 3, 5, 6, 7 and 11 and its Figure 3, by the commands of which those of
# docs/reproduce.md consist: a server that knows how to edit plays GPT-4o, with a fifth of its answers wrong or failed, and tiny models
# play Llama-3.1-8B and those of the metrics. No figure means anything; that every file is read by the command after it does.
# Usage: scripts/reproduce_craft.sh --stand-in [--out DIR]
#   --out DIR  a new folder to keep everything in (default: none is kept)
set -euo pipefail
here="$(cd "$(dirname "$0")/.." && pwd)"

stand_in="" out=""
while [ $# -gt 0 ]; do
  case "$1" in
    --stand-in) stand_in=asked; shift ;;
    --out) out="${2:?--out needs a folder}"; shift 2 ;;
    -h|--help) sed -n '2,6p' "$0" | cut -c3-; exit 0 ;;
    *) echo "reproduce_craft: unknown option $1 (see --help)" >&2; exit 2 ;;
  esac
done
[ -n "$stand_in" ] || { echo "reproduce_craft: expected --stand-in; docs/reproduce.md has the commands of the real experiments" >&2; exit 2; }
server="" temporary=""
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  [ -z "$temporary" ] || rm -rf "$temporary"
}
trap finish EXIT

if [ -n "$out" ]; then
  [ ! -e "$out" ] || { echo "reproduce_craft: --out: expected a new folder, got $out" >&2; exit 2; }
  mkdir -p "$out"
else
  out=$(mktemp -d)
  temporary="$out"
fi
out="$(cd "$out" && pwd)"
mkdir "$out/logs"

# Programs that are there already, or those of this tree.
program="${CRAFT_PROGRAM:-}" server_program="${CRAFT_CHAT_SERVER:-}"
if [ -z "$program" ] || [ -z "$server_program" ]; then
  "$here/scripts/setup.sh"
  "$here/scripts/build.sh" release --target craft-train bench_chat_server
  program="$here/build/release/craft-train" server_program="$here/build/release/bench_chat_server"
fi

begun=$SECONDS
say() { printf '%4s s  %s\n' $((SECONDS - begun)) "$*"; }
# What a command says goes into a file, which is shown if it fails.
craft() {
  local log
  log=$(mktemp "$out/logs/XXXXXX")
  "$program" "$@" >"$log" 2>&1 || { echo "failed: craft-train $*" >&2; tail -n 20 "$log" >&2; return 1; }
}
model="$out/base/model" asked=(--config "$out/hosted.json" --answers "$out/answers")

say "texts and models"
python3 "$here/scripts/stand_in.py" texts "$here/share/texts/train.jsonl" "$out/news.jsonl"
python3 "$here/scripts/stand_in.py" texts "$here/share/texts/dev.jsonl" "$out/cord.jsonl"
# The planner's base has read what the rules write, so that it learns to plan within seconds.
craft constraints --texts "$out/news.jsonl" --domain c0,c1,c2,c3 --count 300 --seed 11 --output "$out/read.jsonl"
craft trajectories --instructions "$out/read.jsonl" --out "$out/read" --jsonl --prompt compact --plan-lines 2 --quote-words 1 --max-steps 2
python3 "$here/scripts/stand_in.py" turns "$out/read/trajectories.jsonl" "$out/turns.jsonl"
craft tokenizer train --texts "$out/turns.jsonl" --vocab-size 1500 --model bpe --out "$out/tokenizer"
python3 "$here/scripts/stand_in.py" models "$out/tokenizer" 1500 "$out/turns.jsonl" "$out"
craft sft --full --model "$out/decoder" --data "$out/read" --out "$out/base" --lr 4e-3 --epochs 5 --batch-size 4 \
  --set train.schedule=linear --set train.warmup=20

"$server_program" --answers editor --mistakes .1 --seed 1 \
  --fault http_500=.03 --fault http_429=.03 --fault length=.02 --fault empty_content=.02 >"$out/server.txt" &
server=$!
until [ -s "$out/server.txt" ]; do sleep .05; kill -0 "$server"; done
cat >"$out/hosted.json" <<EOF
{"openai": {"gpt4o": {
  "base_url": "http://127.0.0.1:$(head -n 1 "$out/server.txt")/v1", "model": "test-model", "serves": "stand-in", "seed": 1,
  "prices": {"input": 2.5, "output": 10}, "retries": {"initial_backoff": 0.01, "max_backoff": 0.05}
}}}
EOF

say "instructions with model revisions and wordings (CRAFT §3)"
# More of those with several constraints: the server reads few of them, and its plans for the others lack their calls and are dropped.
craft constraints "${asked[@]}" --texts "$out/news.jsonl" --domain c0,c1,c1,c2,c2,c2,c3,c3,c3,c3,c3 --count 275 --split train \
  --reviser openai:gpt4o --rewriter openai:gpt4o --output "$out/instructions.jsonl" --report "$out/instructions.report.json"
craft constraints "${asked[@]}" --texts "$out/cord.jsonl" --domain c0,c1,c2,c3,c4 --count 20 --split dev \
  --reviser openai:gpt4o --rewriter openai:gpt4o --output "$out/items.jsonl"

say "trajectories: plans of the rules and of a model, carried out by a model (CRAFT §5.1.1)"
# trajectories NAME OPTION...: those of $out/NAME.jsonl.
trajectories() {
  craft trajectories "${asked[@]}" --instructions "$out/$1.jsonl" --out "$out/trajectories/$1" --prompt compact --max-steps 3 \
    --reviser openai:gpt4o --text-feedback fluency,grammaticality,coherence --perplexity-model "$model" "${@:2}"
  craft trajectories export --store "$out/trajectories/$1" --output "$out/trajectories/$1.jsonl"
}
head -n 55 "$out/instructions.jsonl" >"$out/by-rules.jsonl"
tail -n +56 "$out/instructions.jsonl" >"$out/by-model.jsonl"
trajectories by-rules --plan-lines 2 --quote-words 1
trajectories by-model --teacher openai:gpt4o
cat "$out"/trajectories/by-*.jsonl >"$out/trajectories.jsonl"

say "SFT (CRAFT §5.1.2)"
craft sft --model "$model" --data "$out/trajectories.jsonl" --out "$out/sft" --lr 2e-3 --epochs 1 --batch-size 4 \
  --lora-targets all-linear

# Rounds by the reward S_a, and one more in which the judge's verdicts choose the pairs. The server's plans quote every sentence: 320
# tokens hold most of what the planner has learnt from them.
rounds=("${asked[@]}" --model "$model" --texts "$out/news.jsonl" --prompt compact --loss craft --lr 2e-3 --batch-size 8
  --reviser openai:gpt4o --rewriter openai:gpt4o --text-feedback fluency,grammaticality,coherence
  --set rounds.values=reviser --set rounds.samples=6 --set rounds.history_steps=5 --set rounds.min_gap=0
  --set sampling.max_new_tokens=320 --set sampling.temperature=0.8 --set dev_count=24 --set selection_count=12 --set data.test=0)
say "two rounds (CRAFT Algorithm 1)"
craft align --iter 2 "${rounds[@]}" --adapter "$out/sft/adapter" --out "$out/rounds" --set rounds.instructions=80
say "one more round, judged by a model"
craft align --iter 1 "${rounds[@]}" --adapter "$out/rounds/adapter" --out "$out/judged" --set rounds.instructions=80 --seed 2 \
  --judge openai:gpt4o --guideline "$here/share/guidelines/document.txt"

mkdir "$out/revised" "$out/results" "$out/tables"
planner="local:$model+$out/judged/adapter"
# revise NAME OPTION...: the whole test set by a method.
revise() {
  craft revise "${asked[@]}" --input "$out/items.jsonl" --output "$out/revised/$1.jsonl" --reviser openai:gpt4o "${@:2}"
}
rewarded=(--scorers "perplexity,bartscore:$out/bart,some:$out/some" --perplexity-model "$model")
search=(--method search --prompt compact --max-new-tokens 320 --temperature 0.8 --iterations 4 --children 3 "${rewarded[@]}")
say "the methods (CRAFT §6.1) and the ablations"
# Domain by domain and first, so that the seconds of each are known (Table 11): the others take recorded answers.
for domain in c0 c1 c2 c3 c4; do
  grep "\"domain\":\"$domain\"" "$out/items.jsonl" >"$out/$domain.jsonl"
  craft revise "${asked[@]}" --input "$out/$domain.jsonl" --output "$out/revised/iter.$domain.jsonl" --reviser openai:gpt4o --method iter
  craft revise "${asked[@]}" --input "$out/$domain.jsonl" --output "$out/revised/search.$domain.jsonl" --reviser openai:gpt4o \
    --planner "$planner" "${search[@]}"
done
for name in iter search; do cat "$out/revised/$name".c?.jsonl >"$out/revised/$name.jsonl"; done
revise direct --method direct
revise cot --method cot
revise plan --method plan --planner openai:gpt4o
revise best-of --method best-of --samples 4 --planner "$planner" --prompt compact --max-new-tokens 320 \
  --temperature 0.8 "${rewarded[@]}"
revise without-plan "${search[@]}" --without plan
revise without-feedback "${search[@]}" --planner "$planner" --without feedback
revise without-rg "${search[@]}" --planner "$planner" --without rg
revise without-rc "${search[@]}" --planner "$planner" --without rc

say "evaluation"
export -f craft
export out program
# metrics NAME OUTPUTS OPTION...: the commands that measure them, whose paths are within $out.
metrics() {
  local of="--items items.jsonl --outputs $2 ${*:3} --threads 1 --output results/$1"
  echo "eval cord $of.cord.json"
  echo "eval metric perplexity --model base/model $of.perplexity.json"
  echo "eval metric bartscore --model bart $of.bartscore.json"
  echo "eval metric some --model some $of.some.json"
}
# Two at a time: most of a short evaluation is the program's start.
{
  for name in direct cot plan iter best-of search without-plan without-feedback without-rg without-rc; do
    metrics "$name" "revised/$name.jsonl"
  done
  metrics rounds revised/iter.jsonl --rounds
} | xargs -P 2 -I{} bash -c 'set -e; cd "$out"; craft {}'
compared="CRAFT-4o=$out/revised/search.jsonl,GPT-4o=$out/revised/iter.jsonl"
craft judge "${asked[@]}" --judge openai:gpt4o --form joint --aspect fluency --items "$out/items.jsonl" --outputs "$compared" \
  --output "$out/results/refinement.pairs.jsonl" --marks "$out/results/refinement.marks.json" --judgements "$out/results/refinement.said.jsonl"
craft judge "${asked[@]}" --judge openai:gpt4o --form joint --aspect grammaticality --items "$out/items.jsonl" --outputs "$compared" \
  --output "$out/results/correction.pairs.jsonl" --marks "$out/results/correction.marks.json" --judgements "$out/results/correction.said.jsonl"
craft eval pairwise "${asked[@]}" --judge openai:gpt4o --items "$out/items.jsonl" --a "$out/revised/search.jsonl" --b "$out/revised/iter.jsonl" \
  --names CRAFT-4o,GPT-4o --output "$out/results/pairwise.json"

say "tables"
# table LAYOUT FILE...: as Markdown, which is shown, and as CSV, which is checked.
table() {
  craft eval table --layout "$1" --format csv --output "$out/tables/$1.csv" "${@:2}"
  craft eval table --layout "$1" --output "$out/tables/$1.md" "${@:2}"
  printf '\n%s\n\n' "$1"
  cat "$out/tables/$1.md"
}
# results KINDS NAME=METHOD...: the files of these methods.
results() {
  local kind pair
  for pair in "${@:2}"; do
    for kind in $1; do echo "${pair%%=*}=$out/results/${pair#*=}.$kind.json"; done
  done
}
quality="perplexity some bartscore"
ablations=(CRAFT-4o=search "w/o Plan=without-plan" "w/o Feedback=without-feedback" "w/o R_g=without-rg" "w/o R_c=without-rc")
table_of() { # LAYOUT KINDS NAME=METHOD...
  local files
  mapfile -t files < <(results "${@:2}")
  table "$1" "${files[@]}"
}
table_of t3 "cord $quality" Direct=direct CoT=cot Plan=plan Iter=iter Best-of=best-of CRAFT-4o=search
judged=()
for system in CRAFT-4o GPT-4o; do
  for kind in refinement.marks correction.marks pairwise; do judged+=("$system=$out/results/$kind.json"); done
done
table t5 "${judged[@]}"
table_of t6 "$quality" "${ablations[@]}"
table_of t7 cord "${ablations[@]}"
manifests=()
for domain in c0 c1 c2 c3 c4; do
  manifests+=(Iter="$out/revised/iter.$domain.jsonl.manifest.json" CRAFT-4o="$out/revised/search.$domain.jsonl.manifest.json")
done
table t11 "${manifests[@]}"
table_of f3 "cord $quality" GPT-4o=rounds
mapfile -t rounds_of < <(results "cord $quality" GPT-4o=rounds)
craft eval table --layout f3 --format svg --output "$out/tables/f3.svg" "${rounds_of[@]}"

kill "$server"
wait "$server" || true
server=""
craft answers export --answers "$out/answers" --output "$out/answers.jsonl"
python3 "$here/scripts/stand_in.py" check "$out"
say "done"
