// Work on a GPU that is launched again and again with the same shapes: recorded once, then launched as one. A step of
// generation is some hundred small kernels, and launching each takes the CPU longer than the GPU needs for most. Inside
// model/ only.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>

namespace craft::cuda {

class Recording {
public:
    virtual ~Recording() = default;
    // Does the work again with what its tensors now hold, in the current stream. Returns the work's result, whose memory the
    // next play() of a recording of the same pool writes to.
    virtual at::Tensor play() = 0;
};

// Memory that recordings share: only the result of the one played last is whole.
class RecordingPool {
public:
    virtual ~RecordingPool() = default;
    // Records `work` without doing it. It was done once before, so that what a first time makes is there; it waits for
    // nothing, takes no random numbers, and reads and writes only tensors of the GPU that stay where they are. Throws
    // c10::Error if the driver cannot record it.
    virtual std::unique_ptr<Recording> record(const std::function<at::Tensor()>& work) = 0;
};
std::shared_ptr<RecordingPool> recording_pool(const at::Device& device);

}  // namespace craft::cuda
