#include "rollout/tree/tree_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(TreeFields, ReadsEachType) {
    const Json object = {{"whole", -3}, {"number", 2}, {"flag", true}, {"text", "t"}, {"any", nullptr}, {"list", {1, 2}}};
    TreeFields fields(object, "row");
    int64_t whole = 0;
    double number = 0;
    bool flag = false;
    std::string text;
    Json any = 1;
    fields.read("whole", whole);
    fields.read("number", number);
    fields.read("flag", flag);
    fields.read("text", text);
    fields.read("any", any);
    EXPECT_THROW(fields.finish(), Error);  // the list was not read
    EXPECT_EQ(fields.numbers("list"), (std::vector<int64_t>{1, 2}));
    fields.finish();
    EXPECT_EQ(whole, -3);
    EXPECT_EQ(number, 2);
    EXPECT_TRUE(flag);
    EXPECT_EQ(text, "t");
    EXPECT_TRUE(any.is_null());
    EXPECT_TRUE(fields.has("flag"));
    EXPECT_FALSE(fields.has("flags"));
}

TEST(TreeFields, RefusesAnotherType) {
    const Json object = {{"huge", uint64_t{1} << 63}, {"text", "t"}, {"list", {1, "a"}}};
    TreeFields fields(object, "row");
    int64_t whole = 0;
    double number = 0;
    bool flag = false;
    std::string text;
    EXPECT_THAT([&] { fields.read("huge", whole); },
                testing::ThrowsMessage<Error>("row: field 'huge': expected a whole number, got 9223372036854775808"));
    EXPECT_THROW(fields.read("text", number), Error);
    EXPECT_THROW(fields.read("text", flag), Error);
    EXPECT_THROW(fields.read("huge", text), Error);
    EXPECT_THROW(fields.list("text"), Error);
    EXPECT_THAT([&] { fields.numbers("list"); },
                testing::ThrowsMessage<Error>("row: field 'list': expected a list of whole numbers, got \"a\""));
    EXPECT_THAT([&] { fields.read("none", whole); },
                testing::ThrowsMessage<Error>("row: field 'none': expected a value, got none"));
    EXPECT_THROW(TreeFields(Json::array(), "row"), Error);
}

}  // namespace
}  // namespace craft
