#include "tests/systems/hosted/chat_server.h"

#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "core/error.h"
#include "tests/systems/hosted/server/loop.h"
#include "tests/systems/hosted/server/service.h"

namespace craft::chat_server {

struct ChatServer::Parts {
    explicit Parts(ChatServerOptions given) : options(std::move(given)), service(options), loop(options, service) {}
    void run();

    const ChatServerOptions options;
    Service service;
    Loop loop;
    std::mutex mutex;            // over `failure`
    std::exception_ptr failure;  // what ended the loop before its time
    std::mutex joining;          // over `thread`
    std::thread thread;
};

void ChatServer::Parts::run() {
    try {
        loop.run();
    } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
    }
}

ChatServer::ChatServer(ChatServerOptions options) {
    if (auto problems = problems_of(options); !problems.empty()) throw UsageError(std::move(problems));
    parts_ = std::make_unique<Parts>(std::move(options));
    parts_->thread = std::thread([parts = parts_.get()] { parts->run(); });
}

ChatServer::~ChatServer() {
    stop();
}

int ChatServer::port() const {
    return parts_->loop.port();
}

std::string ChatServer::base_url() const {
    return "http://127.0.0.1:" + std::to_string(port()) + "/v1";
}

void ChatServer::stop() {
    parts_->loop.stop();
    const std::lock_guard lock(parts_->joining);
    if (parts_->thread.joinable()) parts_->thread.join();
}

ChatServerCounts ChatServer::counts() const {
    const std::lock_guard lock(parts_->mutex);
    if (parts_->failure) std::rethrow_exception(parts_->failure);
    return parts_->service.counts();
}

std::vector<ReceivedRequest> ChatServer::requests() const {
    return parts_->service.requests();
}

}  // namespace craft::chat_server
