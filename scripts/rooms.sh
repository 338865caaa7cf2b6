#!/usr/bin/env bash
# Prints the rooms (folders at the root that hold code of the program) with their lines of code, without blank lines and comments, and
# the rooms that each includes from; at the end the number of rooms, of these arrows and of lines.
# Usage: scripts/rooms.sh [COMMIT]
set -euo pipefail
cd "$(dirname "$0")/.."
commit=${1:-HEAD}
ours=('*.cpp' '*.h' '*.cu' '*.cuh' '*.inc' ':!tests' ':!benchmarks' ':!scripts' ':!share')
{
  git grep -cE '^[[:space:]]*([^[:space:]/]|/[^/])' "$commit" -- "${ours[@]}" | sed -E 's#^[^:]*:([^/]*)/.*:#lines \1 #'
  git grep -oE '^ *# *include "[^"/]+/' "$commit" -- "${ours[@]}" | sed -E 's#^[^:]*:([^/]*)/.*"(.*)/$#arrow \1 \2#' | sort -u
} | awk '
  $1 == "lines" {lines[$2] += $3; all += $3}
  $1 == "arrow" && $2 != $3 {to[$2] = to[$2] " " $3; arrows++}
  END {
    for (room in lines) {printf "%-12s %6d  includes from:%s\n", room, lines[room], to[room] | "sort"; rooms++}
    close("sort")
    printf "%d rooms, %d arrows, %d lines of code\n", rooms, arrows, all
  }'
