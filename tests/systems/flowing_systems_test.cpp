// Systems of a flow's items: who is asked together, by whom, and who waits for whom.
#include "systems/flowing_systems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>

#include "core/error.h"

namespace craft {

namespace {

using ::testing::ElementsAre;

// Answers with the item's number and the temperature, and notes what it was asked at once.
class Echo : public System {
public:
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override {
        EXPECT_FALSE(busy.exchange(true)) << "two threads at once";
        std::vector<Reply> replies;
        batches.emplace_back();
        for (const Request& request : requests) {
            batches.back().push_back(request.item);
            replies.push_back({.text = std::to_string(request.item) + (sampling.temperature > 0 ? " drawn" : "")});
        }
        if (lacks_one) replies.pop_back();
        threads.push_back(std::this_thread::get_id());
        report_all(replies, sink);
        busy = false;
        return replies;
    }
    std::string name() const override { return "echo"; }
    Json record(const Request& request, const SamplingOptions&) const override { return {{"item", request.item}}; }
    std::vector<std::vector<uint64_t>> batches;
    std::vector<std::thread::id> threads;
    std::atomic<bool> busy = false;
    bool lacks_one = false;
};

std::vector<std::string> run_items(Flow& flow, int64_t count, const std::function<std::string(uint64_t)>& work) {
    std::vector<std::string> results;
    flow.run<uint64_t, std::string>(
        [count, at = uint64_t{0}]() mutable {
            return at < static_cast<uint64_t>(count) ? std::optional(at++) : std::nullopt;
        },
        [&](uint64_t& item) { return work(item); }, [&](uint64_t&, std::string& text) { results.push_back(text); });
    return results;
}

std::string joined(const std::vector<Reply>& replies) {
    std::string text;
    for (const Reply& reply : replies) text += (text.empty() ? "" : ", ") + reply.text;
    return text;
}

}  // namespace

TEST(ComputedSystem, ItemsThatWaitAreAnsweredTogether) {
    Flow flow;
    const auto inner = std::make_shared<Echo>();
    ComputedSystem system(flow, inner);
    const auto results = run_items(flow, 4, [&](uint64_t item) {
        // Odd items draw, and item 2 has two requests.
        SamplingOptions sampling;
        sampling.temperature = item % 2 == 1 ? 0.7 : 0;
        std::vector<Request> requests(item == 2 ? 2 : 1);
        for (Request& request : requests) request.item = item;
        std::vector<size_t> told;
        const auto replies =
            system.answer_into(requests, sampling, [&](const std::vector<size_t>& which, const auto&) { told = which; });
        std::vector<size_t> all(requests.size());
        std::iota(all.begin(), all.end(), size_t{0});
        EXPECT_EQ(told, all);
        return joined(replies);
    });
    EXPECT_THAT(results, ElementsAre("0", "1 drawn", "2, 2", "3 drawn"));
    EXPECT_THAT(inner->batches, ElementsAre(std::vector<uint64_t>{0, 2, 2}, std::vector<uint64_t>{1, 3}));
    for (const std::thread::id thread : inner->threads) EXPECT_EQ(thread, std::this_thread::get_id());
    EXPECT_EQ(system.name(), "echo");
    EXPECT_EQ(system.record({{}, 7}, {}), Json({{"item", 7}}));
}

TEST(ComputedSystem, OutsideOfAnItemItAnswersAtOnce) {
    Flow flow;
    ComputedSystem system(flow, std::make_shared<Echo>());
    EXPECT_EQ(joined(system.answer({{{}, 5}}, {})), "5");
    EXPECT_EQ(joined(system.answer({}, {})), "");
}

TEST(ComputedSystem, ASystemThatAnswersTooLittleIsAnError) {
    Flow flow;
    const auto inner = std::make_shared<Echo>();
    inner->lacks_one = true;
    ComputedSystem system(flow, inner);
    EXPECT_THROW(run_items(flow, 3, [&](uint64_t item) { return joined(system.answer({{{}, item}}, {})); }), Error);
}

TEST(AwaitedSystem, OthersGoOnWhileItAnswers) {
    Flow flow;
    ComputedSystem computed(flow, std::make_shared<Echo>());
    // Answers once the local one has answered, which would never be if it were waited for.
    class Outside : public Echo {
    public:
        std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                       const ReplySink& sink) override {
            for (int i = 0; i < 10000 && !answered; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            EXPECT_TRUE(answered);
            return Echo::answer_into(requests, sampling, sink);
        }
        std::atomic<bool> answered = false;
    };
    const auto outside = std::make_shared<Outside>();
    AwaitedSystem awaited(flow, outside);
    const auto results = run_items(flow, 2, [&](uint64_t item) {
        if (item == 0) return joined(awaited.answer({{{}, 100}}, {}));
        const std::string text = joined(computed.answer({{{}, item}}, {}));
        outside->answered = true;
        return text;
    });
    EXPECT_THAT(results, ElementsAre("100", "1"));
    EXPECT_EQ(awaited.name(), "echo");
    EXPECT_EQ(awaited.record({{}, 7}, {}), Json({{"item", 7}}));
}

}  // namespace craft
