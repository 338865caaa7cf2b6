// What the bodies of bodies.h need of a GPU's block: whole warps, one dimension.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "model/kernels/cuda/bodies.h"
#include "model/kernels/cuda/launch.h"

namespace craft::cuda {

__device__ __forceinline__ Sum from_lane(const Sum& s, int distance) {
    return {__shfl_xor_sync(0xffffffffU, s.value, distance)};
}
__device__ __forceinline__ SoftmaxState from_lane(const SoftmaxState& s, int distance) {
    return {__shfl_xor_sync(0xffffffffU, s.top, distance), __shfl_xor_sync(0xffffffffU, s.sum, distance),
            __shfl_xor_sync(0xffffffffU, s.weighted, distance),
            static_cast<int64_t>(__shfl_xor_sync(0xffffffffU, static_cast<long long>(s.best), distance))};
}

template <class State>
struct Block {
    State* parts;  // [kMaxThreads / kWarp] in shared memory

    __device__ int64_t thread() const { return threadIdx.x; }
    __device__ int64_t threads() const { return blockDim.x; }
    // Of all threads' states, in one order; every thread gets it. All threads of the block must call it.
    __device__ State reduce(State state) {
        for (int distance = kWarp / 2; distance > 0; distance /= 2) state.merge(from_lane(state, distance));
        const int warp = static_cast<int>(threadIdx.x) / kWarp, warps = static_cast<int>(blockDim.x) / kWarp;
        if (threadIdx.x % kWarp == 0) parts[warp] = state;
        __syncthreads();
        State all = parts[0];
        for (int i = 1; i < warps; ++i) all.merge(parts[i]);
        __syncthreads();  // before the next row's states take their place
        return all;
    }
};

// body(row, block) for every row. The loop is the same for all threads of a block, so that they meet in reduce().
template <class State, class Body>
__global__ void for_each_row(int64_t rows, Body body) {
    __shared__ alignas(16) unsigned char memory[sizeof(State) * kMaxThreads / kWarp];
    Block<State> block{reinterpret_cast<State*>(memory)};
    for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) body(row, block);
}

inline void check_launch(const char* what) {
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

template <class State, class Body>
void launch_rows(const char* what, int64_t rows, int64_t packs, void* stream, const Body& body) {
    if (rows == 0 || packs == 0) return;
    const Launch launch = launch_for_rows(rows, packs);
    for_each_row<State><<<launch.blocks, launch.threads, 0, static_cast<cudaStream_t>(stream)>>>(rows, body);
    check_launch(what);
}

}  // namespace craft::cuda
