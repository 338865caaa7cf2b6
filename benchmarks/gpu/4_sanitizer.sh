#!/usr/bin/env bash
# Our kernels under compute-sanitizer: no access out of bounds, no race. Exit code 1: something is wrong. Some minutes;
# common.sh has the variables that it reads.
. "$(dirname "$0")/common.sh"
[ $DEV = cuda ] && command -v compute-sanitizer >/dev/null && kernels=$(program model_kernels_gpu_test) ||
  { echo "left out: no GPU, no compute-sanitizer, or no model_kernels_gpu_test"; exit 0; }
wrong=0
# Each tensor with an allocation of its own: in the blocks of LibTorch's allocator nothing is out of bounds.
sanitize() { # TOOL FILTER
  local log="$WORK/$1.log" status=0
  part "$1"
  SHOWN=12 within 280 env PYTORCH_NO_CUDA_MEMORY_CACHING=1 compute-sanitizer --tool "$1" --error-exitcode 9 "${ours[@]}" "$kernels" --gtest_filter="$2" --gtest_brief=1 || status=$?
  [ $status = 0 ] || wrong=1
  echo "$([ $status = 0 ] && echo ok || echo WRONG) $1: $(grep -a 'SUMMARY' "$log" | tail -n 1), exit code $status"
}
sanitize memcheck 'KernelsGpu.*'
sanitize racecheck 'KernelsGpu.RmsNormOfHeads:KernelsGpu.CrossEntropy'
part end
exit $wrong
