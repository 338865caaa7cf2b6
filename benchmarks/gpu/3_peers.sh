#!/usr/bin/env bash
# Beside others on the model and data of 2_speed.sh: SFT and SimPO beside TRL, SimPO also beside TRL with its head without logits (the same
# data, order, first adapter; LoRA on q, k, v, o), with the most memory that the card had in use; greedy generation beside transformers;
# and the bandwidth of our kernels where Nsight Compute is. What PYTHON has no packages for is left out and said. Exit code 1: a goal
# was missed or a run failed. Six to nine minutes; common.sh has the variables that it reads.
# DEV=cpu SHAPE=tiny benchmarks/gpu/3_peers.sh: a rehearsal without a GPU.
. "$(dirname "$0")/common.sh"
. $here/model.sh
wrong=0
[ $SHAPE = tiny ] && long=1024 || long=16384

# Runs a command and leaves the most memory that the card had in use meanwhile, in MiB, in `peak`; 0 without a GPU.
watched() {
  local watch status=0
  peak=0
  [ $DEV = cuda ] || { within "$@"; return; }
  nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits -i 0 -lms 100 >"$WORK/memory" 2>/dev/null &
  watch=$!
  within "$@" || status=$?
  kill $watch
  wait $watch 2>/dev/null
  peak=$(sort -n "$WORK/memory" | tail -n 1)
  return $status
}

part generation beside transformers
[ $SHAPE = tiny ] && new=17 batches="1 4" || new=129 batches="1 16 64"
if has torch transformers; then
  SHOWN=12 within 200 "${python[@]}" $here/peers.py generate "$WORK" $DEV $new "$WORK/generation.jsonl" $batches || wrong=1
else
  echo "left out: $PYTHON has no torch or no transformers"
  : >"$WORK/generation.jsonl"
fi
# Seconds of generating alone, without loading: the last line of what the program says.
generate() { # BATCH NEW
  head -n "$1" "$WORK/prompts.jsonl" >"$WORK/first-prompts.jsonl"
  within 100 "${craft[@]}" generate --model "$WORK/model" --ids --input "$WORK/first-prompts.jsonl" --output "$WORK/generated.jsonl" --overwrite --greedy \
    --max-new-tokens "$2" --batch-size 64 --device $DEV --dtype bfloat16 --log-format json >&2 &&
    sed -n 's/.*"title":"generating".*"seconds":\([0-9.e+-]*\).*/\1/p' "$WORK/log" | tail -n 1
}
measured=()
for batch in $batches; do
  one=$(generate $batch 1) && all=$(generate $batch $new) && measured+=("$batch:$one:$all:$new") || wrong=1
done
"$PYTHON" $here/tables.py generation "$WORK/generation.jsonl" "${measured[@]}" || wrong=1

part training beside TRL
if has torch transformers peft datasets trl accelerate && [ -f "$WORK/rate" ]; then
  "$PYTHON" $here/tables.py peer-head
  own() { # KIND OPTIONS...
    local peer=$1
    watched 100 "${craft[@]}" "${@:2}" --model "$WORK/model" --adapter "$WORK/adapter" --out "$WORK/peers/$peer" --overwrite --device $DEV \
      --dtype bfloat16 --batch-size 4 --micro-batch-tokens $long --lr 1e-4 --order sequential --quiet --set train.schedule=constant \
      --set train.warmup=0 --set train.max_grad_norm=0
  }
  simpo=(align --pairs "$WORK/pairs.jsonl" --loss simpo --beta 2.5 --gamma 1.375 --recompute-layers -1)
  for kind in sft pairs pairs-fused; do
    SHOWN=12 watched 150 "${python[@]}" $here/peers.py train $kind $SHAPE "$WORK" $DEV "$WORK/$kind.json" || { echo "| $kind | failed |"; wrong=1; continue; }
    peer_peak=$peak
    case $kind in
      sft) own sft sft --data "$WORK/sft.jsonl" --recompute-layers "$([ "$MEMORY" -ge 75000 ] && echo 0 || echo -1)" ;;
      pairs) own pairs "${simpo[@]}" ;;
      pairs-fused) [ -d "$WORK/peers/pairs" ] && peak=$pairs_peak ;; # the same run of ours
    esac || { echo "| $kind | failed |"; wrong=1; continue; }
    pairs_peak=$peak
    "$PYTHON" $here/tables.py peer $kind "$WORK/$kind.json" "$peer_peak" "$WORK/peers/${kind%-fused}" "$peak" "$(cat "$WORK/rate")" || wrong=1
    cp "$WORK/$kind.json" "$OUT/trl_$kind.json"
  done
else
  echo "left out: $PYTHON has not all of torch, transformers, peft, datasets, trl, accelerate"
fi

part kernels
if [ $DEV = cuda ] && command -v ncu >/dev/null; then
  metrics=gpu__time_duration.sum,dram__throughput.avg.pct_of_peak_sustained_elapsed
  within 100 ncu --clock-control none --csv --page raw -k regex:for_each_row -s 40 -c 24 --metrics $metrics "${craft[@]}" sft --data "$WORK/even.jsonl" \
    --model "$WORK/model" --out "$WORK/ncu" --overwrite --device cuda --dtype bfloat16 --batch-size 4 --micro-batch-tokens $long \
    --recompute-layers -1 --quiet && "$PYTHON" $here/tables.py bandwidths "$WORK/log"
else
  echo "left out: no GPU, or no ncu"
fi
part end
exit $wrong
