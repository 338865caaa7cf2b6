// What the test server answers to a request, and its books of what was asked and what was answered.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/append_file.h"
#include "tests/systems/hosted/server/counts.h"
#include "tests/systems/hosted/server/reply.h"

namespace craft::chat_server {

// A request that has been taken and whose answer has not been sent.
struct Taken {
    double at = 0;       // when it had come whole: seconds since 1970
    std::string target;  // as in its first line
    bool is_chat = false;
    std::string body;   // its hash
    int64_t asked = 0;  // how often this body came before
    std::optional<Fault> fault;
    bool is_good = false;  // its reply is a good answer
    Reply reply;
};

// begin() and end() are called by one thread, the rest by any.
class Service {
public:
    // Throws Error where the log cannot be written, now and later.
    explicit Service(const ChatServerOptions& options);
    // Throws what `answer` or `choose` throw.
    Taken begin(ReceivedRequest request);
    // written: all of the reply was handed to the kernel.
    void end(const Taken& taken, bool written);
    void add_connection();
    ChatServerCounts counts() const;
    std::vector<ReceivedRequest> requests() const;

private:
    Reply route(const ReceivedRequest& request, Taken& taken);
    Reply answer_chat(const ReceivedRequest& request, Taken& taken);
    std::optional<Fault> choose_fault(const ReceivedRequest& request, const Json& body, Taken& taken);
    void write_log(const Taken& taken, bool written);

    const ChatServerOptions& options_;
    int64_t max_faults_;                               // a body; -1: no bound
    std::unordered_map<std::string, int64_t> faulty_;  // faults that a body has got, by its hash
    std::optional<AppendFile> log_;
    mutable std::mutex mutex_;  // over what follows
    ChatServerCounts counts_;
    std::vector<ReceivedRequest> requests_;
};

}  // namespace craft::chat_server
