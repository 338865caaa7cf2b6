#include "core/unknown_keys.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

using Counts = std::map<std::string, int64_t>;

TEST(UnknownKeys, AreCountedByNameWhereTheyHaveAValue) {
    UnknownKeys keys;
    keys.see({{"id", 1}, {"label", "a"}, {"score", nullptr}}, {"id"});
    keys.see({{"id", 2}, {"label", "b"}}, {"id"});
    keys.see({{"wieght", 0}}, {"role"}, "message: ");
    keys.see(Json::array({1}), {});
    EXPECT_EQ(keys.counts(), (Counts{{"label", 2}, {"message: wieght", 1}}));
    UnknownKeys all;
    all.add(keys);
    all.add(keys);
    EXPECT_EQ(all.counts(), (Counts{{"label", 4}, {"message: wieght", 2}}));
}

TEST(UnknownKeys, AFileOfNothingElseFillsNoMemory) {
    UnknownKeys keys;
    for (int i = 0; i < 300; ++i) keys.see({{"key" + std::to_string(i), i}}, {});
    keys.see({{std::string(5000, 'x'), 1}}, {});
    EXPECT_EQ(keys.counts().size(), 101u);
    EXPECT_EQ(keys.counts().at("(further names)"), 201);
}

}  // namespace
}  // namespace craft
