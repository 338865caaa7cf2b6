#include "systems/hosted/endpoint_probe.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "tests/systems/hosted/hosted_fixture.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using State = EndpointProbe::State;
using testing::HasSubstr;

TEST(EndpointProbe, AServerThatIsThereSaysWhichModelsItHas) {
    ChatServer server({.keep_requests = true});
    const auto probes = probe_endpoints(test_profile(server.base_url()), 5);
    ASSERT_EQ(probes.size(), 1u);
    EXPECT_EQ(probes[0].state, State::reachable) << probes[0].said;
    EXPECT_EQ(probes[0].said, "1 model, test-model among them");
    EXPECT_EQ(probes[0].url, server.base_url());
    ASSERT_EQ(server.requests().size(), 1u) << "asked once";
    EXPECT_EQ(server.requests()[0].method, "GET");
    EXPECT_EQ(server.requests()[0].path(), "/v1/models");
    EXPECT_EQ(server.requests()[0].body, "");
    HostedProfile other = test_profile(server.base_url());
    other.model = "large";
    EXPECT_EQ(probe_endpoints(other, 5)[0].said, "1 model, large not among them");
}

TEST(EndpointProbe, KeysAreSentAndNeverShown) {
    ::setenv("CRAFT_PROBE_RIGHT", "right-key-1", 1);
    ::setenv("CRAFT_PROBE_WRONG", "wrong-key-2", 1);
    ::unsetenv("CRAFT_PROBE_ABSENT");
    ChatServer server({.api_key = "right-key-1"});
    HostedProfile profile = test_profile(server.base_url());
    profile.endpoints = {{.base_url = server.base_url(), .key_env = "CRAFT_PROBE_RIGHT"},
                         {.base_url = server.base_url(), .key_env = "CRAFT_PROBE_WRONG"},
                         {.base_url = server.base_url()}};
    const auto probes = probe_endpoints(profile, 5);
    ASSERT_EQ(probes.size(), 3u);
    EXPECT_EQ(probes[0].state, State::reachable) << probes[0].said;
    EXPECT_EQ(probes[1].state, State::refused);
    EXPECT_EQ(probes[2].state, State::refused);
    for (const EndpointProbe& probe : probes) EXPECT_EQ(probe.said.find("key-"), std::string::npos) << probe.said;
    EXPECT_THAT(probes[1].said, HasSubstr("HTTP 401"));
    profile.endpoints.resize(1);
    profile.endpoints[0].key_env = "CRAFT_PROBE_ABSENT";
    const auto without = probe_endpoints(profile, 5);
    EXPECT_EQ(without[0].state, State::no_key);
    EXPECT_THAT(without[0].said, HasSubstr("CRAFT_PROBE_ABSENT"));
}

TEST(EndpointProbe, NobodyThereIsNotReachable) {
    std::string url;
    {
        const ChatServer gone;
        url = gone.base_url();
    }
    const auto probes = probe_endpoints(test_profile(url), 5);
    EXPECT_EQ(probes[0].state, State::not_reachable);
    EXPECT_NE(probes[0].said, "");
}

TEST(EndpointProbe, AServerThatSaysNothingIsLeftSoon) {
    ChatServer server({.latency_ms = 20000});
    const double begin = steady_seconds();
    const auto probes = probe_endpoints(test_profile(server.base_url()), 0.2);
    EXPECT_EQ(probes[0].state, State::not_reachable);
    EXPECT_LT(steady_seconds() - begin, 10) << "the profile itself waits 20 s";
}

// Answers one request, whatever it is, with these bytes.
class OneReply {
public:
    explicit OneReply(const std::string& bytes) : listening_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* plain = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(listening_, plain, size), 0);
        EXPECT_EQ(::listen(listening_, 1), 0);
        EXPECT_EQ(::getsockname(listening_, plain, &size), 0);
        url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/v1";
        thread_ = std::thread([this, bytes] {
            const int connection = ::accept(listening_, nullptr, nullptr);
            std::array<char, 4096> request{};
            EXPECT_GT(::recv(connection, request.data(), request.size(), 0), 0);
            EXPECT_EQ(::send(connection, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
            ::close(connection);
        });
    }
    ~OneReply() {
        thread_.join();
        ::close(listening_);
    }
    OneReply(const OneReply&) = delete;
    OneReply& operator=(const OneReply&) = delete;
    const std::string& url() const { return url_; }

private:
    int listening_;
    std::string url_;
    std::thread thread_;
};

// transformers serve has HTTP 500 there where no cache folder exists; many servers have no such path.
TEST(EndpointProbe, AServerWithoutAListOfModelsIsReachable) {
    for (const auto& [bytes, said] :
         {std::pair{"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 21\r\n\r\nInternal Server Error",
                    "no list of models: HTTP 500: Internal Server Error"},
          std::pair{"HTTP/1.1 404 Not Found\r\nContent-Length: 22\r\n\r\n{\"detail\":\"Not Found\"}",
                    "no list of models: HTTP 404: Not Found"},
          std::pair{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]", "no list of models: HTTP 200"}}) {
        const OneReply server(bytes);
        const EndpointProbe probe = probe_endpoints(test_profile(server.url() + "?version=1"), 5).front();
        EXPECT_EQ(probe.state, State::reachable);
        EXPECT_EQ(probe.said, said);
        EXPECT_EQ(probe.url, server.url()) << "without the query";
    }
}

}  // namespace
}  // namespace craft
