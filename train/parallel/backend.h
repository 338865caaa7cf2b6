// The two parts of c10d that a group stands on: the store where ranks find each other, and what moves tensors.
#pragma once

#include <ATen/core/Tensor.h>

#include <chrono>
#include <string>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <vector>

#include "train/parallel/launch.h"

namespace craft {

// For libraries that want a time after which they give up; they count its milliseconds in an int.
constexpr std::chrono::milliseconds kNeverInPractice = std::chrono::hours(24 * 20);

// Rank 0 listens at the launch's address (unless the launcher does), the others connect to it, within `seconds`. Throws
// UsageError or Error as ProcessGroup's constructor.
c10::intrusive_ptr<c10d::Store> open_store(const Launch& launch, double seconds);

// Gloo for CPU tensors, NCCL for those of a GPU (builds with CRAFT_CUDA; else Error). `one_machine`: every rank is on this
// one. Gloo uses the network interface that GLOO_SOCKET_IFNAME names, else the one that this host's name stands for. Neither
// gives up a rank that does not come: that is for who waits.
c10::intrusive_ptr<c10d::Backend> open_backend(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                               const at::Device& device, bool one_machine);

}  // namespace craft
