// Histories that outgrow a system's window: which observations go, which stay, and that it is counted.
#include "rollout/responder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/rollout/scripted_parts.h"

namespace craft {

namespace {

using ::testing::ElementsAre;

Trajectory history_of_steps(int64_t steps, const std::string& id = "h") {
    Trajectory history;
    history.instruction.id = id;
    history.prompt = "prompt";
    for (int64_t i = 1; i <= steps; ++i) {
        Step step;
        step.response = "response " + std::to_string(i);
        step.observation = "observation " + std::to_string(i);
        history.steps.push_back(std::move(step));
    }
    return history;
}

// Has room for this many observations that are not left out.
ScriptedSystem with_room_for(size_t observations) {
    return ScriptedSystem([=](const ScriptedSystem::Ask& ask, size_t) {
        size_t whole = 0;
        for (const Message& message : ask.messages) whole += message.content.starts_with("observation ") ? 1 : 0;
        if (whole > observations) return Reply::failed(Failure::prompt_too_long, "too long");
        return Reply{.text = "room for " + std::to_string(whole), .usage = {.new_tokens = 2}};
    });
}

std::vector<std::string> contents(const std::vector<Message>& messages) {
    std::vector<std::string> all;
    for (const Message& message : messages) all.push_back(message.content);
    return all;
}

}  // namespace

TEST(SystemResponder, TheOldestObservationsGoFirst) {
    const Trajectory history = history_of_steps(4);
    ScriptedSystem system = with_room_for(2);
    SystemResponder responder(system, {});
    const auto replies = responder.respond({{&history, 0}});
    EXPECT_EQ(replies.at(0).text, "room for 2");
    ASSERT_EQ(system.asks.size(), 3u);
    const std::string gone = "###OBSERVATION: (left out)";
    EXPECT_THAT(contents(system.asks.back().messages),
                ElementsAre("prompt", "response 1", gone, "response 2", gone, "response 3", "observation 3", "response 4",
                            "observation 4"));
    EXPECT_EQ(responder.cut_observations(), 2);
    EXPECT_EQ(responder.generated_tokens(), 2);
    for (const auto& ask : system.asks) EXPECT_EQ(ask.item, system.asks.front().item) << "the stream stays the same";
}

TEST(SystemResponder, TheLastObservationStays) {
    const Trajectory history = history_of_steps(3), start = history_of_steps(0), one = history_of_steps(1);
    ScriptedSystem system = with_room_for(0);
    SystemResponder responder(system, {});
    const auto replies = responder.respond({{&history, 0}, {&start, 0}, {&one, 0}});
    EXPECT_EQ(replies.at(0).failure, Failure::prompt_too_long);
    EXPECT_EQ(replies.at(1).text, "room for 0");
    EXPECT_EQ(replies.at(2).failure, Failure::prompt_too_long);
    EXPECT_EQ(contents(system.asks.back().messages).back(), "observation 3");
    EXPECT_THAT(system.batches, ElementsAre(3u, 1u, 1u)) << "a history with one observation has none to lose";
    EXPECT_EQ(responder.cut_observations(), 2);
}

TEST(SystemResponder, OnlyThoseThatAreTooLongAreAskedAgain) {
    std::vector<Trajectory> histories;
    for (const int64_t steps : {1, 4, 2, 3}) histories.push_back(history_of_steps(steps, "h" + std::to_string(steps)));
    ScriptedSystem system = with_room_for(2);
    SystemResponder responder(system, {});
    std::vector<StepRequest> asks;
    for (const Trajectory& history : histories) asks.push_back({&history, 7});
    const auto replies = responder.respond(asks);
    ASSERT_EQ(replies.size(), 4u);
    EXPECT_EQ(replies[0].text, "room for 1");
    for (size_t i = 1; i < 4; ++i) EXPECT_EQ(replies[i].text, "room for 2");
    EXPECT_THAT(system.batches, ElementsAre(4u, 2u, 1u));
    EXPECT_EQ(responder.cut_observations(), 3);  // two of four, one of three
    EXPECT_EQ(system.asks.back().sample, 7u);
}

TEST(SystemResponder, OtherFailuresAreHandedOn) {
    const Trajectory history = history_of_steps(3);
    ScriptedSystem system([](const ScriptedSystem::Ask&, size_t) { return Reply::failed(Failure::timed_out, "no"); });
    SystemResponder responder(system, {});
    EXPECT_EQ(responder.respond({{&history, 0}}).at(0).failure, Failure::timed_out);
    EXPECT_EQ(system.asks.size(), 1u);
    EXPECT_EQ(responder.cut_observations(), 0);
}

TEST(SystemResponder, AnotherNumberOfRepliesIsAnError) {
    class Short : public System {
    public:
        std::vector<Reply> answer_into(const std::vector<Request>&, const SamplingOptions&, const ReplySink&) override {
            return {};
        }
        std::string name() const override { return "short"; }
        Json record(const Request&, const SamplingOptions&) const override { return {}; }
    } system;
    const Trajectory history = history_of_steps(1);
    EXPECT_THROW(SystemResponder(system, {}).respond({{&history, 0}}), Error);
}

}  // namespace craft
