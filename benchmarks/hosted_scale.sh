#!/usr/bin/env bash
# What asking a hosted model for samples of many texts takes: time, peak memory beside a tenth of the texts, and whether
# anything is asked twice when the run is killed five times. benchmarks/hosted_scale.sh [TEXTS=20000] [SAMPLES=4]
set -euo pipefail
cd "$(dirname "$0")/.."
texts="${1:-20000}" samples="${2:-4}"
scripts/build.sh release --target craft-train bench_chat_server >&2
program=build/release/craft-train out=$(mktemp -d) server=
end_server() { [ -z "$server" ] || { kill "$server" && wait "$server"; }; server=; }
trap 'end_server; rm -rf "$out"' EXIT
# The server answers at once, in words of its own, which are no revisions: each sample is one request, and none is repeated
# for what it says. The profile's seed makes requests of a text's samples differ.
start_server() {
  rm -f "$out/port"
  build/release/bench_chat_server >"$out/port" &
  server=$!
  until [ -s "$out/port" ]; do sleep .05; done
}
rows() { # COUNT
  seq 0 "$(($1 - 1))" | sed 's/.*/{"id":&,"instruction":"Use less than 9 words:","text":"Road & is very long. It was very late, and nobody came."}/'
}
command_for() { # OUTPUT ANSWERS
  command=("$program" revise --method search --without plan --children "$samples" --iterations 1 --scorers none
    --reviser openai:own --set openai.own.model=test-model --set openai.own.seed=1 --set openai.own.concurrency=64
    --set "openai.own.base_url=http://127.0.0.1:$(head -n 1 "$out/port")/v1" --set reviser_sampling.attempts=1
    --input "$out/texts.jsonl" --output "$1" --answers "$2" --threads 1)
}
revise() { # OUTPUT ANSWERS
  command_for "$@"
  "${command[@]}" 2>"$out/log" || { tail -n 5 "$out/log" >&2; exit 1; }
}
note() { # KEY FILE
  sed -n "s/^ *\"$1\": \([0-9.]*\),*$/\1/p" "$2"
}
for count in $((texts / 10)) "$texts"; do
  rows "$count" >"$out/texts.jsonl"
  start_server
  revise "$out/$count.jsonl" "$out/answers-$count"
  end_server
  echo "$count texts, $samples samples each: $(note wall_seconds "$out/$count.jsonl.manifest.json") s, peak memory" \
    "$(($(note peak_memory_bytes "$out/$count.jsonl.manifest.json") / 1048576)) MiB, cache" \
    "$(du -m "$out/answers-$count/answers.sqlite" | cut -f 1) MiB"
  tail -n 1 "$out/port"
done
start_server
for kill in 1 2 3 4 5; do
  command_for "$out/killed.jsonl" "$out/answers-killed"
  "${command[@]}" 2>"$out/log" &
  run=$!
  # A sixth of the time that the whole took, and what starting takes.
  sleep "$(awk "BEGIN { print 1 + $(note wall_seconds "$out/$texts.jsonl.manifest.json") / 6 }")"
  kill -KILL "$run" || echo "kill $kill came too late" >&2
  wait "$run" 2>/dev/null || true
done
revise "$out/killed.jsonl" "$out/answers-killed"
end_server
echo "killed five times, in all:"
tail -n 1 "$out/port"
strip() { sed 's/"seconds":[0-9.e+-]*//' "$1"; }
cmp <(strip "$out/$texts.jsonl") <(strip "$out/killed.jsonl") && echo "the same rows"
