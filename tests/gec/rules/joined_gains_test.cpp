#include "gec/rules/joined_gains.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/error.h"

namespace craft {
namespace {

// Gains are the lengths of what is put in, so that each asker knows its own.
TEST(JoinedGains, GiveEachThreadItsOwn) {
    std::atomic<int> calls = 0, inside = 0;
    const ReplacementGains joined = joined_gains([&](const std::vector<ReplacementQuestion>& questions) {
        EXPECT_EQ(++inside, 1);
        ++calls;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        std::vector<std::vector<double>> gains;
        for (const ReplacementQuestion& question : questions) {
            gains.emplace_back();
            for (const TextReplacement& change : question.changes)
                gains.back().push_back(static_cast<double>(change.to.size()));
        }
        --inside;
        return gains;
    });
    {
        std::vector<std::jthread> threads;
        for (size_t t = 0; t < 8; ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < 20; ++i) {
                    const auto gains = joined({{"a", {{0, 1, std::string(t, 'x')}}}, {"b", {}}});
                    EXPECT_EQ(gains, (std::vector<std::vector<double>>{{static_cast<double>(t)}, {}}));
                }
            });
    }
    EXPECT_LT(calls, 160);
    EXPECT_TRUE(joined({}).empty());
}

TEST(JoinedGains, PassOnWhatIsThrown) {
    int calls = 0;
    const ReplacementGains joined = joined_gains([&](const auto& questions) {
        if (++calls == 1) throw Error("no model");
        return std::vector<std::vector<double>>(questions.size());
    });
    EXPECT_THROW(joined({{"a", {}}}), Error);
    EXPECT_EQ(joined({{"a", {}}}).size(), 1U);
}

}  // namespace
}  // namespace craft
