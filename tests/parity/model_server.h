// `transformers serve` on a model folder, as a process of its own, for tests that ask a real server of chat completions.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/parity/run_python.h"

namespace craft::test {

// What `transformers serve` needs beside transformers itself.
inline bool can_serve() {
    const std::string script =
        "import importlib.util as u, sys; "
        "sys.exit(not all(u.find_spec(name) for name in (\"fastapi\", \"uvicorn\", \"openai\", \"rich\")))";
    return std::system(("'" + std::string(parity_python()) + "' -c '" + script + "'").c_str()) == 0;
}

class ModelServer {
public:
    // Serves the model in float32 on the CPU, at a port that is free, and waits until it listens: url() is empty if it ended
    // before that, or took more than five minutes. `work`: a folder for its log and its cache, which may not be the model's.
    ModelServer(const std::filesystem::path& model, const std::filesystem::path& work) : log_(work / "serve.log") {
        std::filesystem::create_directories(work / "cache");
        const std::vector<std::string> arguments = {
            "env", "HF_HUB_OFFLINE=1", "HF_HUB_CACHE=" + (work / "cache").string(), "OMP_WAIT_POLICY=PASSIVE",
            parity_python(),
            // What pip's script `transformers` does, which may not stand beside a Python that a wrapper starts.
            "-c", "from transformers.cli.transformers import main; main()", "serve", model.string(), "--host", "127.0.0.1",
            "--port", "0", "--device", "cpu", "--dtype", "float32"};
        std::vector<char*> argv;
        for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
        argv.push_back(nullptr);
        process_ = ::fork();
        if (process_ == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that crashes leaves no server after
            const int file = ::open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
            ::dup2(file, 1);
            ::dup2(file, 2);
            ::execvp(argv[0], argv.data());
            ::_exit(127);
        }
        wait_for_port();
    }
    ~ModelServer() {
        if (process_ <= 0) return;
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    ModelServer(const ModelServer&) = delete;
    ModelServer& operator=(const ModelServer&) = delete;

    const std::string& url() const { return url_; }  // "http://127.0.0.1:PORT/v1"
    std::string log() const {
        std::ostringstream text;
        text << std::ifstream(log_).rdbuf();
        return text.str();
    }

private:
    void wait_for_port() {
        const std::string before = "running on ";
        const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(5);
        while (std::chrono::steady_clock::now() < end) {
            const std::string text = log();
            const size_t at = text.find(before);
            const size_t last = at == std::string::npos ? at : text.find(' ', at + before.size());
            if (last != std::string::npos) {
                url_ = text.substr(at + before.size(), last - at - before.size()) + "/v1";
                return;
            }
            if (::waitpid(process_, nullptr, WNOHANG) == process_) {
                process_ = -1;
                return;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    }

    std::filesystem::path log_;
    pid_t process_ = -1;
    std::string url_;
};

}  // namespace craft::test

#define CRAFT_NEEDS_MODEL_SERVER() \
    CRAFT_NEEDS_PARITY_PYTHON();   \
    if (!craft::test::can_serve()) \
    GTEST_SKIP() << "CRAFT_PARITY_PYTHON has no fastapi, uvicorn and openai: scripts/setup.sh --parity installs them"
