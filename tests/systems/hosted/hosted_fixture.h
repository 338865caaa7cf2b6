// Profiles and requests for tests of a hosted system beside the test server.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "systems/hosted/hosted_system.h"
#include "tests/systems/hosted/chat_server.h"

namespace craft {

// Waits are short, so that what is asked again is asked soon.
inline HostedProfile test_profile(const std::string& base_url) {
    HostedProfile profile;
    profile.name = "test";
    profile.model = "test-model";
    profile.endpoints = {{.base_url = base_url}};
    profile.timeouts = {.connect = 10, .first_byte = 20, .total = 30};
    profile.retries = {.max_retries = 4, .initial_backoff = 0.005, .max_backoff = 0.02};
    profile.grace = 0.5;
    return profile;
}

// For servers that let requests wait.
inline HostedProfile impatient_profile(const std::string& base_url) {
    HostedProfile profile = test_profile(base_url);
    profile.timeouts = {.connect = 10, .first_byte = 0.3, .total = 0.6};
    return profile;
}

inline std::vector<Request> test_requests(int64_t count) {
    std::vector<Request> requests;
    for (int64_t i = 0; i < count; ++i) {
        Request request;
        request.conversation.messages = Json::array({{{"role", "user"}, {"content", "Question " + std::to_string(i)}}});
        request.item = static_cast<uint64_t>(i);
        requests.push_back(request);
    }
    return requests;
}

// The first answer to each body has this fault.
inline chat_server::ChatServerOptions faulty(chat_server::Fault fault, int64_t times = 1) {
    chat_server::ChatServerOptions options;
    options.choose = [=](const Json&, int64_t asked) {
        return asked < times ? std::optional(fault) : std::optional<chat_server::Fault>();
    };
    return options;
}

inline std::string error_line(HostedSystem& system, const std::vector<Request>& requests, const SamplingOptions& sampling) {
    try {
        system.answer(requests, sampling);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace craft
