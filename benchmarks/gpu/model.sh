# Sourced by 2_speed.sh and 3_peers.sh behind common.sh: the random model and its data in $WORK, which one makes and the other finds; the
# card's memory in MiB, MEMORY.
if [ $DEV = cuda ]; then MEMORY=$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits -i 0); else MEMORY=80000; fi
python=("$PYTHON")
if [ -d .gpu/wheels ] && [ ! -d "$WORK/site" ]; then
  "$PYTHON" -m pip install -q --disable-pip-version-check --no-index --no-deps --no-compile --target "$WORK/site" .gpu/wheels/*.whl 2>"$WORK/log" ||
    { echo ".gpu/wheels is for another Python than $PYTHON: $(head -n 1 "$WORK/log")"; rm -rf "$WORK/site"; }
fi
[ ! -d "$WORK/site" ] || python=(env PYTHONPATH="$WORK/site" "$PYTHON")
export HF_HUB_OFFLINE=1 TOKENIZERS_PARALLELISM=false
has() { # PACKAGE...
  "${python[@]}" -c 'import importlib.util, sys; sys.exit(not all(map(importlib.util.find_spec, sys.argv[1:])))' "$@"
}

part "model of shape $SHAPE"
if [ ! -f "$WORK/data-$SHAPE" ]; then
  rm -rf "$WORK/model" "$WORK/adapter"
  if has torch transformers; then
    within 240 "${python[@]}" $here/workload.py model $SHAPE "$WORK" $DEV || exit 1
  elif [ $SHAPE = tiny ]; then
    echo "no torch or no transformers in $PYTHON: another random model takes this one's place"
    "$PYTHON" $here/workload.py sample "$WORK" &&
      within 60 "${craft[@]}" tokenizer train --texts "$WORK/sample.jsonl" --vocab-size 400 --out "$WORK/model" &&
      "$PYTHON" $here/random_model.py "$WORK/model" 2000 || exit 1
  else
    echo "PYTHON: expected a Python with torch and transformers, got $PYTHON" >&2
    exit 1
  fi
  "$PYTHON" $here/workload.py sample "$WORK" &&
    within 60 "${craft[@]}" tokenize --model "$WORK/model" --input "$WORK/sample.jsonl" --output "$WORK/sample-tokens.jsonl" --overwrite &&
    "$PYTHON" $here/workload.py data $SHAPE "$WORK" && touch "$WORK/data-$SHAPE" || exit 1
fi
echo "$(du -sh "$WORK/model" | cut -f 1) on the disk; $(free -g | awk 'NR == 2 { print $2 " GiB of memory, " $7 " free" }')"
if has torch && [ ! -f "$WORK/rate" ]; then "$PYTHON" $here/workload.py rate $DEV >"$WORK/rate" || rm "$WORK/rate"; fi
[ ! -f "$WORK/rate" ] || echo "a product in bfloat16: $(cat "$WORK/rate") TFLOP/s"
