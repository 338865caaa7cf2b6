// Hosted models over TLS, directly and through a proxy that asks who one is: Python's ssl stands before the test server.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "core/files.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"
#include "tests/systems/hosted/hosted_fixture.h"

namespace craft {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// relay.py as a process; what it prints goes to a file.
class Relay {
public:
    Relay(std::vector<std::string> arguments, std::string log) : log_(std::move(log)) {
        arguments.insert(arguments.begin(), {"python3", test_source() + "/tests/systems/hosted/relay.py"});
        std::vector<char*> argv;
        for (std::string& argument : arguments) argv.push_back(argument.data());
        argv.push_back(nullptr);
        process_ = ::fork();
        if (process_ == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that crashes leaves none after
            ::dup2(::open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
            ::execvp(argv[0], argv.data());
            ::_exit(127);
        }
        for (int i = 0; i < 1000 && said().find('\n') == std::string::npos; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        EXPECT_NE(port(), "") << "relay.py did not start";
    }
    ~Relay() {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;
    std::string said() const {
        std::error_code code;
        return std::filesystem::exists(log_, code) ? read_file(log_) : "";
    }
    std::string port() const { return said().substr(0, said().find('\n')); }

private:
    std::string log_;
    pid_t process_ = -1;
};

class HostedTls : public testing::Test {
protected:
    HostedTls() {
        const std::string command =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
            "-subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout '" +
            at("key.pem") + "' -out '" + certificate_ + "' 2>/dev/null";
        EXPECT_EQ(std::system(command.c_str()), 0) << "expected the program openssl";
        tls_.emplace(std::vector<std::string>{"tls", certificate_, at("key.pem"), std::to_string(server_.port())},
                     at("tls.log"));
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    HostedProfile profile(const std::string& host) const {
        HostedProfile profile = test_profile("https://" + host + ":" + tls_->port() + "/v1");
        profile.ca_file = certificate_;
        return profile;
    }
    std::string failure(const HostedProfile& profile) const {
        HostedSystem system(profile);
        return error_line(system, test_requests(3), {});
    }
    const TemporaryFolder folder_;
    const std::string certificate_ = at("certificate.pem");
    chat_server::ChatServer server_;
    std::optional<Relay> tls_;
};

TEST_F(HostedTls, ACertificateOfAFileIsTrustedForItsNameAlone) {
    HostedSystem system(profile("localhost"));
    for (const Reply& reply : system.answer(test_requests(20), {})) EXPECT_EQ(reply.status, Reply::Status::finished);
    EXPECT_EQ(server_.counts().requests, 20);

    EXPECT_THAT(failure(profile("127.0.0.1")), HasSubstr("a certificate to trust")) << "it is another name's";
    HostedProfile unknown = profile("localhost");
    unknown.ca_file.clear();
    EXPECT_THAT(failure(unknown), AllOf(HasSubstr("a certificate to trust"), HasSubstr("ca_file names further ones")));
    EXPECT_EQ(server_.counts().requests, 20) << "nothing was sent to whom one does not trust";
}

TEST_F(HostedTls, AProxyTunnelsAndSeesNoKey) {
    ::setenv("CRAFT_TLS_TEST_KEY", "sk-tls-0815", 1);
    ::setenv("CRAFT_TLS_TEST_LOGIN", "ann:secret-word", 1);
    const Relay proxy({"proxy", "ann:secret-word"}, at("proxy.log"));
    HostedProfile through = profile("localhost");
    through.endpoints[0].key_env = "CRAFT_TLS_TEST_KEY";
    through.proxy = "http://127.0.0.1:" + proxy.port();
    through.proxy_auth_env = "CRAFT_TLS_TEST_LOGIN";
    {
        HostedSystem system(through);
        for (const Reply& reply : system.answer(test_requests(5), {})) EXPECT_EQ(reply.status, Reply::Status::finished);
    }
    EXPECT_EQ(server_.counts().requests, 5);
    EXPECT_THAT(proxy.said(), HasSubstr("200 localhost:" + tls_->port()));

    ::setenv("CRAFT_TLS_TEST_LOGIN", "ann:another-word", 1);
    EXPECT_THAT(failure(through), AllOf(HasSubstr("407"), HasSubstr("proxy_auth_env"), Not(HasSubstr("another-word"))));
    through.proxy_auth_env.clear();
    EXPECT_THAT(failure(through), AllOf(HasSubstr("407"), HasSubstr("proxy_auth_env")));
    EXPECT_EQ(server_.counts().requests, 5);
    EXPECT_EQ(proxy.said().find("sk-tls"), std::string::npos);
    ::unsetenv("CRAFT_TLS_TEST_KEY");
    ::unsetenv("CRAFT_TLS_TEST_LOGIN");
}

// The profile's own proxy is asked although the environment names hosts that need none.
TEST_F(HostedTls, TheProfilesProxyComesBeforeTheEnvironment) {
    ::setenv("no_proxy", "localhost", 1);
    const Relay proxy({"proxy", "ann:x"}, at("proxy.log"));
    HostedProfile through = profile("localhost");
    through.proxy = "http://127.0.0.1:" + proxy.port();
    EXPECT_THAT(failure(through), HasSubstr("407"));
    ::unsetenv("no_proxy");
    EXPECT_EQ(server_.counts().requests, 0);
}

}  // namespace
}  // namespace craft
