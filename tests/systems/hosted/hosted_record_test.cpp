// Which requests may share an answer: whom they are asked of, and what.
#include "systems/hosted/hosted_record.h"

#include "tests/systems/hosted/hosted_fixture.h"

namespace craft {
namespace {

std::string record_of(const HostedProfile& profile) {
    return hosted_record(profile, test_requests(1).front(), {}).dump();
}

TEST(HostedRecord, HoldsTheEndpointHoweverItIsWritten) {
    const HostedProfile one = test_profile("http://127.0.0.1:8080/v1");
    HostedProfile other = test_profile("HTTP://127.0.0.1:8080/v1/");
    other.name = "another";
    other.budget.requests = 7;
    EXPECT_EQ(record_of(one), record_of(other)) << "a name and limits change no answer";
    for (const char* elsewhere :
         {"http://127.0.0.1:8081/v1", "http://127.0.0.2:8080/v1", "https://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v2"})
        EXPECT_NE(record_of(one), record_of(test_profile(elsewhere))) << elsewhere;
    HostedProfile renamed = one;
    renamed.model = "other-model";
    EXPECT_NE(record_of(one), record_of(renamed));
}

TEST(HostedRecord, SeveralEndpointsAreOneSet) {
    HostedProfile both = test_profile("http://a:1/v1"), turned = test_profile("http://b:1/v1");
    both.endpoints.push_back({.base_url = "http://b:1/v1"});
    turned.endpoints.push_back({.base_url = "http://a:1/v1", .weight = 3});
    EXPECT_EQ(record_of(both), record_of(turned));
    EXPECT_NE(record_of(both), record_of(test_profile("http://a:1/v1")));
}

TEST(HostedRecord, AProfileMayNameWhatItsEndpointsServe) {
    HostedProfile one = test_profile("http://a:1/v1"), other = test_profile("http://b:1/v1");
    one.serves = other.serves = "qwen3-8b";
    EXPECT_EQ(record_of(one), record_of(other)) << "wherever it is";
    other.serves = "qwen3-4b";
    EXPECT_NE(record_of(one), record_of(other));
    EXPECT_EQ(hosted_record(one, test_requests(1).front(), {})[kAskedOf], Json({{"serves", "qwen3-8b"}}));
}

TEST(HostedRecord, HoldsNoKeyAndNoQuery) {
    HostedProfile profile = test_profile("http://127.0.0.1:8080/v1?sig=very-secret");
    profile.endpoints[0].key_env = "CRAFT_SOME_KEY";
    profile.headers = {{"X-Team", "very-secret"}};
    const std::string record = record_of(profile);
    EXPECT_EQ(record.find("very-secret"), std::string::npos);
    EXPECT_EQ(record.find("CRAFT_SOME_KEY"), std::string::npos);
}

}  // namespace
}  // namespace craft
