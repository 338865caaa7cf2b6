#include "english/moves.h"

#include <gmock/gmock.h>

#include "tests/english/error_text.h"
#include "tests/english/small_model.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

TEST(Moves, StandInTheModelsOrder) {
    // By action; then the more frequent first; of equally frequent ones the later by name first.
    std::string order;
    for (const Move& move : read_moves(test::pack_moves(R"({"1":{"a":5,"b":5,"c":9},"0":{"":1},"2":{}})"), 3, "moves"))
        order += std::to_string(move.action) + move.label + " ";
    EXPECT_EQ(order, "0 1c 1b 1a ");
}

TEST(Moves, RefusesOtherFiles) {
    const auto refusal = [](const std::string& json) {
        return test::error_text([&] { read_moves(test::pack_moves(json), 3, "moves"); });
    };
    EXPECT_THAT(refusal(R"({"3":{}})"), HasSubstr("moves: moves: expected actions from 0 to 2, got '3'"));
    EXPECT_THAT(refusal(R"({"0":{"a":-1}})"), HasSubstr("a count of at least 0, got -1"));
    EXPECT_THAT(refusal(R"({"0":[]})"), HasSubstr("counts by labels"));
    EXPECT_THAT(refusal("[]"), HasSubstr("an object"));
    EXPECT_THAT(refusal("{"), HasSubstr("moves: moves"));
    EXPECT_THAT(test::error_text([] { read_moves(test::pack_map({}), 3, "moves"); }), HasSubstr("a text 'moves', got none"));
}

}  // namespace
}  // namespace craft
