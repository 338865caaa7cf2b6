#!/usr/bin/env bash
# How fast a GPU trains a random model of Llama-3.1-8B's shape with LoRA of rank 16: SFT on rows of 4,096 tokens and on histories of 2 to
# 8 thousand, SimPO on pairs with prompts of 6,000 tokens and responses of 500; with more and less kept for the backward pass; what
# --estimate tells; how cost grows with prompt, branches and vocabulary. The first step, which pays for what is loaded and allocated
# once, is told apart. Exit code 1: a goal was missed or a run failed. Six to eight minutes; common.sh has the variables that it reads.
# DEV=cpu SHAPE=tiny benchmarks/gpu/2_speed.sh: a rehearsal without a GPU; without torch and transformers, on another random model.
. "$(dirname "$0")/common.sh"
. $here/model.sh
wrong=0

part training
# Without recomputation 16 thousand tokens of all layers take some 55 GB beside 16 GB of weights where q, k, v, o have adapters, some 75 GB
# where all have.
[ "$MEMORY" -ge 75000 ] && kept=0 || kept=-1
[ "$MEMORY" -ge 120000 ] && all_kept=0 || all_kept=$([ "$MEMORY" -ge 75000 ] && echo 16 || echo -1)
[ $SHAPE = tiny ] && long=1024 short=512 row=256 || long=16384 short=8192 row=4096
"$PYTHON" $here/tables.py speed-head
train() { # NAME GOAL COMMAND AND OPTIONS...
  local begin=$SECONDS
  if within 100 "${craft[@]}" "${@:3}" --model "$WORK/model" --out "$WORK/speed/$1" --overwrite --device $DEV --dtype bfloat16 --batch-size 4 \
    --epochs 1 --order sequential --verbose --log-format json --set train.schedule=constant --set train.warmup=0 --set train.max_grad_norm=0; then
    "$PYTHON" $here/tables.py speed "$1" "$WORK/speed/$1" "$WORK/log" $((SECONDS - begin)) "$2" || wrong=1
  else
    echo "| $1 | failed |"
    wrong=1
  fi
}
qkvo=(sft --data "$WORK/even.jsonl" --max-length $row --truncate left)
even=("${qkvo[@]}" --lora-targets all-linear)
train even-8k 14000 "${even[@]}" --micro-batch-tokens $short --recompute-layers $kept
train pairs-16k 25000 align --loss simpo --pairs "$WORK/pairs.jsonl" --micro-batch-tokens $long --recompute-layers $kept

part estimate of even-8k
within 100 "${craft[@]}" "${even[@]}" --model "$WORK/model" --micro-batch-tokens $short --recompute-layers $kept --batch-size 4 --device $DEV \
  --dtype bfloat16 --quiet --estimate && "$PYTHON" $here/tables.py estimate "$WORK/log" "$WORK/speed/even-8k" || wrong=1

part trace of even-8k
within 100 "${craft[@]}" "${even[@]}" --model "$WORK/model" --out "$WORK/speed-trace" --overwrite --device $DEV --dtype bfloat16 --batch-size 4 \
  --micro-batch-tokens $short --recompute-layers $kept --quiet --profile && gzip -c "$WORK/speed-trace/trace.json" >"$OUT/speed_trace.json.gz"
"$PYTHON" $here/tables.py kernels "$WORK/speed-trace/trace.json"

part training in other ways
"$PYTHON" $here/tables.py speed-head
train even-16k 0 "${even[@]}" --micro-batch-tokens $long --recompute-layers $all_kept
train even-16k-recomputed 0 "${even[@]}" --micro-batch-tokens $long --recompute-layers -1
train even-16k-qkvo 0 "${qkvo[@]}" --micro-batch-tokens $long --recompute-layers $kept
train sft-16k 0 sft --data "$WORK/sft.jsonl" --micro-batch-tokens $long --recompute-layers $kept
train sft-8k 0 sft --data "$WORK/sft.jsonl" --micro-batch-tokens $short --recompute-layers $kept
train pairs-16k-recomputed 0 align --loss simpo --pairs "$WORK/pairs.jsonl" --micro-batch-tokens $long --recompute-layers -1
for run in "$WORK"/speed/*; do sed "s|^|$(basename "$run") |" "$run/metrics.jsonl"; done >"$OUT/speed_metrics.txt"

part growth
if growth=$(program bench_growth); then
  [ $SHAPE = 8b ] && sizes="2 4096 4 3" || sizes="2 64 1 1"
  within 120 "${ours[@]}" "$growth" $DEV bfloat16 $sizes && cat "$WORK/log"
fi
part end
exit $wrong
