#include "systems/recorded/usage_ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "systems/recorded/metered_system.h"
#include "tests/core/temporary_folder.h"
#include "tests/systems/recorded/scripted_system.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Reply priced(double usd, double seconds) {
    Reply reply;
    reply.usage = {.prompt_tokens = 10, .new_tokens = 5, .cached_tokens = 4, .seconds = seconds, .retries = 1, .usd = usd};
    return reply;
}

Reply as_recorded(Reply reply) {
    reply.recorded = true;
    return reply;
}

TEST(UsageLedger, AddsUpOverResumes) {
    UsageLedger first;
    first.add("planner", "round-1", {priced(.5, 1), priced(.25, 2), as_recorded(priced(9, 9))});
    first.add("judge", "round-1", {Reply::failed(Failure::rate_limited, "")});
    UsageLedger second(parse_json(first.to_json().dump(), "manifest"), "manifest: usage");
    second.add("planner", "round-1", {priced(.25, 4)});
    second.add("planner", "round-2", {priced(1, 4), Reply::failed(Failure::rate_limited, "")});
    const UsageSums sums = second.sums("planner");
    second.add(Json{{"judge", first.to_json()["judge"]}}, "another rank's usage");
    EXPECT_EQ(second.sums("judge").requests, 2) << "its own, which it resumed with, and another rank's";
    EXPECT_EQ(sums.requests, 6);
    EXPECT_EQ(sums.hits, 1);
    EXPECT_EQ(sums.prompt_tokens, 40) << "a recorded answer costs nothing";
    EXPECT_EQ(sums.cached_tokens, 16);
    EXPECT_EQ(sums.new_tokens, 20);
    EXPECT_EQ(sums.usd, 2.);
    EXPECT_EQ(sums.seconds, 11);
    EXPECT_EQ(sums.retries, 4);
    EXPECT_EQ(sums.latencies.count(), 4);
    EXPECT_EQ(sums.unpriced, 0) << "a failed request without a token has no price to miss";
    EXPECT_THAT(sums.failures, ElementsAre(std::pair<const std::string, int64_t>("rate_limited", 1)));
    const Json stage = second.to_json()["planner"]["round-1"];
    EXPECT_EQ(stage["usd"], 1.);
    EXPECT_EQ(stage["requests"], 4);
    // The middles of the classes of 2 s and 4 s: 2^(-1/16) of 2.048 and of 4.096 s are 1.961 and 3.922.
    EXPECT_NEAR(stage["latency"]["p50"].get<double>(), 2, .1);
    EXPECT_NEAR(stage["latency"]["p95"].get<double>(), 4, .2);
}

TEST(UsageLedger, AnUnknownPriceIsNullAndCounted) {
    UsageLedger ledger;
    Reply reply = priced(0, 0);
    reply.usage.usd.reset();
    reply.status = Reply::Status::cut;
    ledger.add("planner", "s", {reply, as_recorded(reply)});
    EXPECT_TRUE(ledger.to_json()["planner"]["s"]["usd"].is_null());
    EXPECT_EQ(ledger.sums("planner").unpriced, 1);
    EXPECT_TRUE(ledger.to_json()["planner"]["s"]["latency"]["p50"].is_null()) << "0 s: not measured";
    EXPECT_THAT(ledger.lines(),
                ElementsAre("planner: 2 requests (1 recorded), 10 prompt tokens (4 cached), 5 new tokens, price "
                            "not known, 1 retries, 1 cut at the limit"));
    ledger.add("planner", "s", {priced(.125, 1), Reply::failed(Failure::declined, "")});
    EXPECT_EQ(ledger.sums("planner").usd, .125);
    EXPECT_THAT(ledger.lines().at(0), HasSubstr("USD 0.1250 and 1 answers without a price, "));
    EXPECT_THAT(ledger.lines().at(0), HasSubstr("failed: 1 declined"));
}

TEST(UsageLedger, ARoleThatReachedNoModelIsNamed) {
    UsageLedger ledger;
    EXPECT_EQ(ledger.unanswered(), "");
    const auto fails = [&](const std::string& role, Failure failure) {
        ledger.add(role, "revise", {Reply::failed(failure, "")});
    };
    fails("planner", Failure::declined);
    EXPECT_EQ(ledger.unanswered(), "") << "a model did";
    fails("reviser", Failure::dropped);
    fails("reviser", Failure::timed_out);
    fails("reviser", Failure::dropped);
    EXPECT_EQ(ledger.unanswered(), "reviser: dropped 2, timed_out 1");
    ledger.add("reviser", "revise", {Reply()});
    EXPECT_EQ(ledger.unanswered(), "");
}

TEST(UsageLedger, ABrokenManifestIsOneLine) {
    UsageLedger ledger;
    ledger.add("planner", "s", {priced(1, 1)});
    const Json whole = ledger.to_json();
    const auto failure = [&](const char* field, const Json& value) {
        Json broken = whole;
        broken["planner"]["s"][field] = value;
        return message_of([&] { UsageLedger(broken, "m"); });
    };
    EXPECT_EQ(failure("requests", -1), "m: planner: s: requests: expected a count, got -1");
    EXPECT_EQ(failure("usd", "1"), "m: planner: s: usd: expected a number, got \"1\"");
    EXPECT_EQ(failure("failures", {{"x", 1.5}}), "m: planner: s: failures: x: expected a count, got 1.5");
    EXPECT_EQ(failure("latency", {{"classes", {{"1x", 1}}}}),
              "m: planner: s: latency: class '1x': expected a whole number and a count, got 1");
    EXPECT_EQ(message_of([] { UsageLedger(Json::array(), "m"); }), "m: expected an object, got []");
}

TEST(MeteredSystem, EntersWhatCameBeforeASystemThrew) {
    const auto ledger = std::make_shared<UsageLedger>();
    int times = 0;
    MeteredSystem metered(std::make_shared<test::ScriptedSystem>([&](const Request&) {
                              if (++times == 2) throw Error("stopped");
                              return priced(.5, 1);
                          }),
                          ledger, "judge");
    SamplingOptions sampling;
    sampling.stage = "verdicts";
    EXPECT_THROW(metered.answer({test::ask("a"), test::ask("b")}, sampling), Error);
    EXPECT_EQ(ledger->to_json()["judge"]["verdicts"]["usd"], .5);
}

}  // namespace
}  // namespace craft
