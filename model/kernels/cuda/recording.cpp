#include "model/kernels/cuda/recording.h"

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

namespace craft::cuda {

namespace {

class Graph : public Recording {
public:
    Graph(const c10::cuda::CUDAStream& stream, at::cuda::MempoolId_t pool, const std::function<at::Tensor()>& work)
        : device_(stream.device()) {
        const c10::cuda::CUDAGuard guard(device_);
        c10::cuda::device_synchronize();  // what ran in another stream is read by what is recorded
        const c10::cuda::CUDAStreamGuard in_stream(stream);
        // Other threads may allocate meanwhile: only this one's calls are held to what can be recorded.
        graph_.capture_begin(pool, cudaStreamCaptureModeThreadLocal);
        try {
            result_ = work();
        } catch (...) {
            try {
                graph_.capture_end();  // the stream leaves its recording, whose own complaint says less than what was thrown
            } catch (const c10::Error&) {}
            throw;
        }
        graph_.capture_end();
    }
    at::Tensor play() override {
        const c10::cuda::CUDAGuard guard(device_);
        graph_.replay();
        return result_;
    }

private:
    at::Device device_;
    at::cuda::CUDAGraph graph_;
    at::Tensor result_;
};

class GraphPool : public RecordingPool {
public:
    explicit GraphPool(const at::Device& device)
        : stream_(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index())),
          pool_(at::cuda::graph_pool_handle()) {}
    std::unique_ptr<Recording> record(const std::function<at::Tensor()>& work) override {
        return std::make_unique<Graph>(stream_, pool_, work);
    }

private:
    c10::cuda::CUDAStream stream_;  // of what is recorded: LibTorch keeps room for products by stream
    at::cuda::MempoolId_t pool_;
};

}  // namespace

std::shared_ptr<RecordingPool> recording_pool(const at::Device& device) {
    return std::make_shared<GraphPool>(device);
}

}  // namespace craft::cuda
