#!/usr/bin/env bash
# Runs clang-tidy (.clang-tidy) and fails on what it finds.
# Usage: scripts/tidy.sh [--changed | FILE...]: the sources given; those that changed, a folder's together and without the static
# analyser, a tenth of the time; or all. Without names tests, benchmarks and CUDA's sources are left out (all: a quarter of an hour on two cores).
set -euo pipefail
cd "$(dirname "$0")/.."
ours=(':!tests' ':!benchmarks' ':!*/cuda/*')
# A header's source, or else that of the first file that includes it.
source_of() { # HEADER
  local file
  for file in "${1%.h}.cpp" $(git grep -lF "#include \"$1\"" -- '*.cpp' '*.h' "${ours[@]}" || true); do
    file=${file%.h}
    file=${file%.cpp}.cpp
    if [ -f "$file" ]; then
      echo "$file"
      return
    fi
  done
}
changed() {
  local file
  scripts/changed.sh '*.cpp' '*.h' "${ours[@]}" | while read -r file; do
    case "$file" in
      *.cpp) echo "$file" ;;
      *.h) source_of "$file" ;;
    esac
  done | sort -u
}
checks=
case "${1:-}" in
  --changed)
    list=$(changed)
    mapfile -t files < <(printf '%s' "${list:+$list$'\n'}")
    checks='-clang-analyzer-*'
    ;;
  "") mapfile -t files < <(git ls-files '*.cpp' "${ours[@]}") ;;
  -*) echo "tidy: unknown option $1 (see the top of $0)" >&2; exit 2 ;;
  *) files=("$@") ;;
esac
[ ${#files[@]} -gt 0 ] || { echo "tidy: no source to check"; exit 0; }
scripts/setup.sh --checks
# Precompiled headers are of the other compiler: a build folder without them, configured and never built. So each source must
# stand with its own includes, and by itself.
mkdir -p build
cmake --preset release -B build/tidy -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCRAFT_UNITY=OFF > build/tidy.log 2>&1 || { cat build/tidy.log >&2; exit 1; }
# Changed sources are looked at together, those of a folder sixteen at a time: what they include is then read once, a quarter of the
# time. Only the other forms see whether each stands by itself.
together() {
  local folder file chunk size
  rm -rf build/tidy/chunks
  mkdir -p build/tidy/chunks
  for file in "${files[@]}"; do
    folder=${file%/*}
    [ "$folder" = "${last:-}" ] && [ "$size" -lt 16 ] || chunk=build/tidy/chunks/${folder//\//_}-${file##*/} size=0 last=$folder
    printf '#include "%s/%s"\n' "$PWD" "$file" >>"$chunk"
    size=$((size + 1))
  done
  python3 - build/tidy <<'EOF'
import json, pathlib, sys
build = pathlib.Path(sys.argv[1])
commands = json.loads((build / "compile_commands.json").read_text())
by_file = {command["file"]: command for command in commands}
for chunk in sorted((build / "chunks").glob("*.cpp")):
    first = chunk.read_text().split('"')[1]
    path = str(chunk.resolve())
    commands.append(dict(by_file[first], file=path, command=by_file[first]["command"].replace(first, path)))
(build / "chunks/compile_commands.json").write_text(json.dumps(commands))
EOF
  files=(build/tidy/chunks/*.cpp)
}
# Warnings that only GCC knows are no findings.
tidy() { # SOURCE DATABASE [CHECKS]
  clang-tidy --quiet -p "$2" --checks="$checks${3:-}" --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option "$1" 2>&1
}
# One chunk, or its sources by themselves where names of theirs are the same.
tidy_together() { # CHUNK
  local found source failed=0
  found=$(tidy "$1" build/tidy/chunks ,-bugprone-suspicious-include) && return
  if ! grep -q '\[clang-diagnostic-error\]' <<<"$found"; then
    echo "$found"
    return 1
  fi
  for source in $(cut -d '"' -f 2 "$1"); do tidy "$source" build/tidy || failed=1; done
  return $failed
}
tidy_alone() { tidy "$1" build/tidy; }
export -f tidy tidy_together tidy_alone
export checks
one=tidy_alone
[ "${1:-}" != --changed ] || { together; one=tidy_together; }
# How many warnings there are in other people's headers is of no interest.
printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 1 bash -c "$one \"\$1\"" one |
  { grep -v 'warnings\? \(and [0-9]* errors\? \)\?generated\|^Use -' || true; }
