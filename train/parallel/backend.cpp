#include "train/parallel/backend.h"

#include <c10/util/Logging.h>
#include <netdb.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#ifdef CRAFT_CUDA
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

#include "core/error.h"

namespace craft {

namespace {

std::chrono::milliseconds milliseconds(double seconds) {
    return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
}

// c10d reports every failed try and every torn connection with a stack trace; what matters is in the errors.
void silence_library() {
    if (std::getenv("TORCH_CPP_LOG_LEVEL") == nullptr) FLAGS_caffe2_log_level = 3;
}

void check_known(const std::string& host) {
    addrinfo* found = nullptr;
    const int code = ::getaddrinfo(host.c_str(), nullptr, nullptr, &found);
    if (found != nullptr) ::freeaddrinfo(found);
    if (code != 0)
        throw UsageError("MASTER_ADDR: expected the host of rank 0, got '" + host + "' (" + ::gai_strerror(code) + ")");
}

// Gloo greets on stdout, where only results belong.
struct QuietStdout {
    std::ostringstream nowhere;
    std::streambuf* stdout_buffer = std::cout.rdbuf(nowhere.rdbuf());
    ~QuietStdout() { std::cout.rdbuf(stdout_buffer); }
};

c10::intrusive_ptr<c10d::Backend> open_gloo(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                            bool one_machine) {
    auto options = c10d::ProcessGroupGloo::Options::create(kNeverInPractice);
    const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
    if (interface != nullptr && *interface != '\0')
        options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForInterface(interface));
    else if (one_machine)
        options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
    else
        options->devices.push_back(c10d::ProcessGroupGloo::createDefaultDevice());
    const QuietStdout quiet;
    return c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank, size, options);
}

c10::intrusive_ptr<c10d::Backend> open_nccl(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size) {
#ifdef CRAFT_CUDA
    // Without it a watchdog thread of the library's would end the process by itself, by SIGABRT and without our line, on an
    // error of NCCL's or a sum that lasts too long. The waiting is ours: wait() is called once a work is done.
    ::setenv("TORCH_NCCL_BLOCKING_WAIT", "1", /*overwrite=*/0);
    auto options = c10d::ProcessGroupNCCL::Options::create();
    options->timeout = kNeverInPractice;
    return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, rank, size, options);
#else
    static_cast<void>(store);
    throw Error("rank " + std::to_string(rank) + " of " + std::to_string(size), "a build for GPUs, whose ranks talk by NCCL",
                "one without CRAFT_CUDA", "build the cuda preset, or --device cpu");
#endif
}

}  // namespace

c10::intrusive_ptr<c10d::Store> open_store(const Launch& launch, double seconds) {
    silence_library();
    check_known(launch.address);
    const std::string place = launch.address + ":" + std::to_string(launch.port);
    c10d::TCPStoreOptions options;
    options.port = launch.port;
    options.isServer = launch.rank == 0 && !launch.launcher_keeps_store;
    options.waitWorkers = false;
    options.timeout = milliseconds(seconds);
    try {
        c10::intrusive_ptr<c10d::Store> store = c10::make_intrusive<c10d::TCPStore>(launch.address, options);
        if (!launch.attempt.empty())
            store = c10::make_intrusive<c10d::PrefixStore>("craft/" + launch.attempt, std::move(store));
        return store;
    } catch (const std::exception& error) {
        const std::string text = error.what(), reason = text.substr(0, text.find('\n'));
        if (options.isServer && (text.find("EADDRINUSE") != std::string::npos || text.find("in use") != std::string::npos))
            throw UsageError("MASTER_PORT: expected a free port of this machine, got " + std::to_string(launch.port) +
                             ", which another program uses");
        if (options.isServer) throw Error(place, "to be able to listen there as rank 0", reason);
        throw Error(place, "rank 0 to answer there within " + std::to_string(static_cast<int64_t>(seconds)) + " s", "none",
                    "is every rank started? in a Slurm batch script, srun starts them");
    }
}

c10::intrusive_ptr<c10d::Backend> open_backend(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                               const at::Device& device, bool one_machine) {
    return device.is_cuda() ? open_nccl(store, rank, size) : open_gloo(store, rank, size, one_machine);
}

}  // namespace craft
