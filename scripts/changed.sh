#!/usr/bin/env bash
# Prints the files that changed since the commit behind which everything is new, for checks that need not look at the rest.
# Usage: scripts/changed.sh [PATHSPEC...]
# That commit is the one where this branch left its upstream or main; on main itself, its state three hours before the last commit; and
# the empty tree, so that everything is new, where this clone's history does not reach back so far.
set -euo pipefail
cd "$(dirname "$0")/.."
last_known() {
  local head upstream base
  head=$(git rev-parse HEAD)
  for upstream in '@{upstream}' origin/HEAD origin/main; do
    git rev-parse -q --verify "$upstream" >/dev/null 2>&1 || continue
    base=$(git merge-base HEAD "$upstream") || base=$(git hash-object -t tree /dev/null)
    [ "$base" = "$head" ] || { echo "$base"; return; }
  done
  base=$(git rev-list -1 --before=$(($(git log -1 --format=%ct) - 10800)) HEAD)
  echo "${base:-$(git hash-object -t tree /dev/null)}"
}
git diff --name-only --diff-filter=d "$(last_known)" -- "$@"
