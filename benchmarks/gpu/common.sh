# Sourced by the scripts beside it: where the programs are, how long a part may take, what is said of it. They read:
#   BUILT   folder of the programs: the bundle of scripts/gpu_bundle.sh unpacked, or a build folder (default: .gpu/bundle.tar.xz is
#           unpacked if present, else build/cuda)
#   PYTHON  has LibTorch where the programs come from a bundle, torch and transformers for 2_speed.sh, peft too for 3_peers.sh
#           (default python3)
#   DEV     where to compute: cuda, or cpu to rehearse; SHAPE: of the model for speed, 8b, 135m or tiny
#   WORK    scratch, which one script leaves to the next (default /tmp/craft-gpu; 8b takes 17 GB); OUT: what is to be kept
#           (default runs/gpu); LIMIT: seconds that a script may take (default 570)
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
DEV="${DEV:-cuda}" SHAPE="${SHAPE:-8b}" PYTHON="${PYTHON:-python3}"
WORK="${WORK:-/tmp/craft-gpu}" OUT="${OUT:-runs/gpu}" LIMIT="${LIMIT:-570}"
[ "$DEV" = cuda ] || [ "$DEV" = cpu ] || { echo "DEV: expected cuda or cpu, got $DEV" >&2; exit 2; }
case "$SHAPE" in 8b | 135m | tiny) ;; *) echo "SHAPE: expected 8b, 135m or tiny, got $SHAPE" >&2; exit 2 ;; esac
export PATH="$PATH:/usr/local/cuda/bin"
mkdir -p "$WORK" "$OUT"
here=benchmarks/gpu
if [ -z "${BUILT:-}" ] && [ -f .gpu/bundle.tar.xz ]; then
  BUILT="$WORK/bundle"
  [ "$BUILT" -nt .gpu/bundle.tar.xz ] || { rm -rf "$BUILT"; mkdir -p "$BUILT"; tar -xJf .gpu/bundle.tar.xz -C "$BUILT"; touch "$BUILT"; }
fi
BUILT="${BUILT:-build/cuda}"

program() { # NAME: its path, in a bundle or in a build folder
  local place
  for place in "$BUILT/bin" "$BUILT" "$BUILT/tests"; do
    [ ! -x "$place/$1" ] || { echo "$place/$1"; return; }
  done
  return 1
}
# Debian's libraries of a bundle are for our programs alone: a Python of another system has its own.
ours=(env)
if [ -d "$BUILT/lib" ]; then
  torch=$("$PYTHON" -c 'import importlib.util as i; print(i.find_spec("torch").submodule_search_locations[0])') ||
    { echo "PYTHON: expected a Python with torch, whose LibTorch the programs load, got $PYTHON" >&2; exit 3; }
  ours=(env LD_LIBRARY_PATH="$torch/lib:$torch/../nvidia/cu13/lib:$BUILT/lib:/usr/local/cuda/lib64")
fi
craft=("${ours[@]}" "$(program craft-train)") || { echo "BUILT: expected craft-train in $BUILT, found none" >&2; exit 3; }
export DEV SHAPE CRAFT_SHARE="$PWD/share" CRAFT_PROGRAM="${craft[-1]}" PYTORCH_ALLOC_CONF=expandable_segments:True PYTHONUNBUFFERED=1
[ "$DEV" = cuda ] || export CRAFT_GPU_TESTS_ON=cpu OMP_WAIT_POLICY=PASSIVE

part() { echo; echo "=== $* [$SECONDS s]"; }
# Starts a command beside those that run, one a pair of cores at most; behind `wait` all have ended.
AT_ONCE="${AT_ONCE:-$((($(nproc) + 1) / 2))}"
beside() { # COMMAND...
  while [ "$(jobs -rp | wc -l)" -ge "$AT_ONCE" ]; do wait -n; done
  "$@" &
}
# Runs a command for at most so many seconds, and no longer than the script may take; its output goes to $log, the end of it is shown
# if the command fails.
log="$WORK/log"
within() { # SECONDS COMMAND...
  local most=$((LIMIT - SECONDS < $1 ? LIMIT - SECONDS : $1)) status=0
  shift
  [ "$most" -gt 0 ] || { echo "left out, no time is left: ${*:1:6}"; return 124; }
  timeout -k 5 "$most" "$@" >"$log" 2>&1 || status=$?
  [ $status = 0 ] && return
  [ $status != 124 ] || echo "stopped after $most s: ${*:1:6}"
  tail -n "${SHOWN:-4}" "$log" | cut -c 1-400
  return $status
}
verdict() { printf '%-6s %s\n' "$1" "$2" | tee -a "$verdicts"; } # ok|WRONG TEXT
judge() { # COMMAND...: its lines begin with ok or WRONG
  "$@" | tee -a "$verdicts"
  [ "${PIPESTATUS[0]}" = 0 ] || verdict WRONG "could not be judged: ${*:1:4}"
}
