// A key goes into its header, and into nothing that is shown or kept.
#include <gmock/gmock.h>

#include "tests/systems/hosted/hosted_fixture.h"

namespace craft {
namespace {

using chat_server::ChatServer;
using chat_server::Fault;
using testing::HasSubstr;
using testing::Not;

HostedProfile profile_with_key(const ChatServer& server, const std::string& key) {
    ::setenv("CRAFT_TEST_KEY", key.c_str(), 1);
    HostedProfile profile = test_profile(server.base_url());
    profile.endpoints[0].key_env = "CRAFT_TEST_KEY";
    return profile;
}

TEST(HostedKeys, OneIsNowhereButInItsHeader) {
    ::setenv("CRAFT_TEST_KEY", "sk-secret-1", 1);
    testing::internal::CaptureStderr();
    std::string seen;
    {
        ChatServer server({.api_key = "sk-secret-1", .keep_requests = true});
        HostedProfile profile = test_profile(server.base_url());
        profile.endpoints[0].key_env = "CRAFT_TEST_KEY";
        HostedSystem system(profile);
        EXPECT_TRUE(system.answer(test_requests(1), {}).front().is_finished());
        EXPECT_EQ(server.requests().at(0).header("authorization"), "Bearer sk-secret-1");
        EXPECT_THAT(server.requests().at(0).body, Not(HasSubstr("secret")));
        EXPECT_TRUE(core_dumps_are_off());
        seen += dump_line(system.record(test_requests(1)[0], {})) + dump_line(system.report().to_json());
        chat_server::ChatServerOptions quoting;  // a server that quotes the key in what it answers
        quoting.choose = [](const Json&, int64_t) -> std::optional<Fault> { return Fault::http_401; };
        ChatServer refusing(quoting);
        profile.endpoints[0].base_url = refusing.base_url();
        HostedSystem refused(profile);
        seen += error_line(refused, test_requests(1), {});
    }
    seen += testing::internal::GetCapturedStderr();
    EXPECT_THAT(seen, Not(HasSubstr("secret")));
    EXPECT_THAT(seen, HasSubstr("the key comes from the environment variable CRAFT_TEST_KEY"));
}

// Of a key that crosses the end of what is shown nothing is left, either.
TEST(HostedKeys, OneIsTakenOutBeforeAnErrorIsCut) {
    ChatServer server(faulty(Fault::http_401));
    HostedSystem system(profile_with_key(server, std::string(300, 's') + "-1"));
    const std::string error = error_line(system, test_requests(1), {});
    EXPECT_THAT(error, HasSubstr("Incorrect API key provided: (key)."));
    EXPECT_THAT(error, Not(HasSubstr("ssss")));
}

TEST(HostedKeys, OneIsTakenOutOfAnswers) {
    const std::string key = "sk-secret-1";
    chat_server::ChatServerOptions options;
    options.answer = [&](const Json&, int64_t) { return "<think>It is " + key + ".</think>Your key is " + key + "."; };
    options.model = "m-" + key;
    ChatServer server(options);
    HostedSystem system(profile_with_key(server, key));
    const Reply reply = system.answer(test_requests(1), {}).front();
    EXPECT_EQ(reply.text, "Your key is (key).");
    EXPECT_EQ(reply.reasoning, "It is (key).");
    EXPECT_TRUE(system.report().models.contains("m-(key)"));
    const Reply stopped = system.answer(test_requests(1), {.stop = {"ret-1"}}).front();
    EXPECT_EQ(stopped.text, "Your key is (key).") << "a stop string within it would leave its beginning";
}

}  // namespace
}  // namespace craft
