#!/usr/bin/env bash
# Whether all is right on a GPU: a line a check, `ok` or `WRONG` with its numbers. Exit code 1: something is wrong; 3: the programs
# do not load here. Two minutes on 16 cores, where runs go beside each other; common.sh has the variables that it reads.
# DEV=cpu benchmarks/gpu/1_check.sh: the same with the CPU in the GPU's place, in half a minute.
. "$(dirname "$0")/common.sh"
WORK="$WORK/1_check" verdicts="$OUT/check.txt"
log="$WORK/log"
mkdir -p "$WORK"
rm -f "$verdicts"
check=("$PYTHON" $here/check.py)

part programs
if [ "$DEV" = cuda ]; then
  nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader || verdict WRONG "nvidia-smi: no GPU"
  nvcc --version 2>/dev/null | tail -n 2
fi
tests=({model_kernels,model_decoder,model_steps,generate,train,cli}_gpu_test)
for name in craft-train "${tests[@]}"; do
  path=$(program $name) || continue
  if missing=$("${ours[@]}" ldd "$path" | grep -E 'not found|not a dynamic'); then
    verdict WRONG "$name does not load here: $missing"
    exit 3
  fi
done
within 60 "${craft[@]}" doctor --out "$WORK" && cp "$WORK/log" "$WORK/doctor"
judge "${check[@]}" doctor "$WORK/doctor" $DEV

part the tests of the GPU
gpu_tests() { # NAME
  local path log="$OUT/$1.log" status=0 passed skipped right
  path=$(program $1) || return
  SHOWN=0 within 150 "${ours[@]}" "$path" || status=$?
  passed=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) .*/\1/p' "$log")
  skipped=$(sed -n 's/^\[  SKIPPED \] \([0-9]*\) test.*/\1/p' "$log")
  right=$([ $status = 0 ] && [ "${passed:-0}" -gt 0 ] && echo ok || echo WRONG)
  verdict "$right" "$1: ${passed:-0} passed, ${skipped:-0} skipped, exit code $status"
}
for name in "${tests[@]}"; do [ $name = train_gpu_test ] || beside gpu_tests $name; done
wait
gpu_tests train_gpu_test # alone: it looks at how much of the card's memory is free
for name in "${tests[@]}"; do
  [ ! -f "$OUT/$name.log" ] || grep -aE '^\[  FAILED  \]|Failure$' -A 6 "$OUT/$name.log" | head -n 40
done

part training on a small random model
"${check[@]}" data "$WORK" || exit 1
rm -rf "$WORK/check" "$WORK/small"
within 60 "${craft[@]}" tokenizer train --texts "$WORK/texts.jsonl" --vocab-size 400 --out "$WORK/small" &&
  "$PYTHON" $here/random_model.py "$WORK/small" 400 || exit 1
model=(--model "$WORK/small" --batch-size 4 --order sequential --set train.schedule=constant --set train.warmup=0 --quiet)
mkdir -p "$WORK/check"
run() { # NAME COMMAND OPTIONS...: into $WORK/check/NAME
  local log="$WORK/check/$1.log"
  within 100 "${craft[@]}" "${@:2}" "${model[@]}" --out "$WORK/check/$1" || verdict WRONG "$1: exit code $?"
}
train() { beside run "$@"; }
sft=(sft --data "$WORK/sft.jsonl") pairs=(align --pairs "$WORK/pairs.jsonl")
cpu=(--device cpu --dtype float32) gpu=(--device $DEV --dtype bfloat16)
train cpu-float32 "${sft[@]}" "${cpu[@]}"
train float32 "${sft[@]}" --device $DEV --dtype float32
train bfloat16 "${sft[@]}" "${gpu[@]}" --profile
train again "${sft[@]}" "${gpu[@]}"
train recomputed "${sft[@]}" "${gpu[@]}" --recompute-layers -1
train small-micro-batches "${sft[@]}" "${gpu[@]}" --micro-batch-tokens 100
train dropout "${sft[@]}" "${gpu[@]}" --lora-dropout 0.1
for form in nf4 int8; do
  train cpu-$form "${sft[@]}" "${cpu[@]}" --quantize $form
  train $form "${sft[@]}" "${gpu[@]}" --quantize $form
done
train cpu-full "${sft[@]}" "${cpu[@]}" --full
train full "${sft[@]}" "${gpu[@]}" --full
for loss in simpo craft arpo_simpo; do
  train cpu-$loss "${pairs[@]}" --loss $loss "${cpu[@]}"
  train $loss "${pairs[@]}" --loss $loss "${gpu[@]}"
done
wait
judge "${check[@]}" training "$WORK/check" $DEV
gzip -c "$WORK/check/bfloat16/trace.json" >"$OUT/check_trace.json.gz"

part estimate
within 60 "${craft[@]}" "${sft[@]}" "${model[@]}" "${gpu[@]}" --estimate && cp "$WORK/log" "$WORK/estimate"
judge "${check[@]}" estimate "$WORK/estimate" "$WORK/check/again"

part a run that is stopped and goes on
long=("${sft[@]}" "${model[@]}" "${gpu[@]}" --epochs 10 --set train.save_every=7)
within 60 "${craft[@]}" "${long[@]}" --out "$WORK/check/whole" || verdict WRONG "a run of ten epochs: exit code $?"
timeout -k 5 60 "${craft[@]}" "${long[@]}" --out "$WORK/check/stopped" 2>"$WORK/log" &
stopped=$!
steps() { cat "$WORK/check/stopped/metrics.jsonl" 2>/dev/null | wc -l; }
for _ in $(seq 3000); do [ "$(steps)" -lt 3 ] && kill -0 $stopped 2>/dev/null || break; sleep 0.01; done
kill -TERM $stopped 2>/dev/null
wait $stopped
status=$? before=$(steps)
within 60 "${craft[@]}" "${long[@]}" --out "$WORK/check/stopped" || verdict WRONG "going on: exit code $?"
if cmp -s "$WORK"/check/{whole,stopped}/adapter/adapter_model.safetensors; then same="the same bytes"; else same="other bytes"; fi
right=$([ "$same" = "the same bytes" ] && [ $status = 143 ] && echo ok || echo WRONG)
verdict "$right" "stopped after step $before of 60 (exit code $status, expected 143), gone on with: $same"

part generation
within 60 "${craft[@]}" tokenize --model "$WORK/small" --no-special --input "$WORK/texts.jsonl" --output "$WORK/tokens.jsonl" --overwrite &&
  "${check[@]}" prompts "$WORK/tokens.jsonl" "$WORK/prompts.jsonl"
generated() { # NAME DEVICE DTYPE OPTIONS...: into $WORK/NAME.jsonl
  local begin log="$WORK/$1.log"
  begin=$(date +%s%N)
  within 100 "${craft[@]}" generate --model "$WORK/small" --ids --input "$WORK/prompts.jsonl" --output "$WORK/$1.jsonl" --overwrite --quiet \
    --device "$2" --dtype "$3" --max-new-tokens 64 "${@:4}" || verdict WRONG "generate $1: exit code $?"
  echo "       $1: $((($(date +%s%N) - begin) / 1000000)) ms"
}
generate() { beside generated "$@"; }
sampled=(--samples 8 --temperature 1 --top-p 1 --top-k 0)
generate greedy-cpu cpu float32 --greedy
generate greedy-float32 $DEV float32 --greedy
generate greedy-bfloat16 $DEV bfloat16 --greedy
generate greedy-nf4-cpu cpu float32 --greedy --quantize nf4
generate greedy-nf4 $DEV bfloat16 --greedy --quantize nf4
generate sampled-cpu cpu float32 "${sampled[@]}"
generate sampled $DEV bfloat16 "${sampled[@]}"
generate sampled-again $DEV bfloat16 "${sampled[@]}"
wait
judge "${check[@]}" tokens "$WORK" greedy-cpu greedy-float32 0.95
judge "${check[@]}" tokens "$WORK" greedy-cpu greedy-bfloat16 0.5
judge "${check[@]}" tokens "$WORK" greedy-nf4-cpu greedy-nf4 0.5
judge "${check[@]}" tokens "$WORK" sampled sampled-again 1
for name in sampled-cpu sampled; do
  "${check[@]}" joined "$WORK/prompts.jsonl" "$WORK/$name.jsonl" "$WORK/joined.jsonl"
  within 60 "${craft[@]}" score --model "$WORK/small" --ids "${cpu[@]}" --quiet --input "$WORK/joined.jsonl" --output "$WORK/$name-scored.jsonl" --overwrite ||
    verdict WRONG "score: exit code $?"
done
judge "${check[@]}" samples "$WORK" sampled-cpu sampled

part other architectures
both() { # NAME COMMAND MODEL INPUT OPTIONS...: float32 on both devices, $WORK/NAME-cpu.jsonl and -gpu.jsonl beside each other
  local where name="$1" log="$WORK/$1.log"
  for where in cpu gpu; do
    within 60 "${craft[@]}" "$2" --model "tests/model/$3" --input "$WORK/$4" --output "$WORK/$1-$where.jsonl" --overwrite --quiet "${@:5}" \
      --device "$([ $where = cpu ] && echo cpu || echo $DEV)" --dtype float32 || verdict WRONG "$1 on the $where: exit code $?"
  done
  judge "${check[@]}" numbers "$name" "$WORK/$1-cpu.jsonl" "$WORK/$1-gpu.jsonl"
}
small() { beside both "$@"; }
# Windows and caps, positions of several kinds, biases, LayerNorm; then encoders and an encoder-decoder.
for name in gemma2 gpt2 mistral phi3-longrope qwen3-window; do
  small "loss of $name" loss decoders/$name/model loss.jsonl
  small "tokens of $name" generate decoders/$name/model ids.jsonl --ids --greedy --max-new-tokens 16
done
small "hidden states of bert" embed encoders/bert/model ids.jsonl --ids --hidden
small "log-probabilities of bart" score encoders/bart/model sources.jsonl --ids
wait

part end
wrong=$(grep -c '^WRONG' "$verdicts")
echo "$(grep -c '^ok' "$verdicts") ok, $wrong WRONG"
grep '^WRONG' "$verdicts"
[ "$wrong" = 0 ]
