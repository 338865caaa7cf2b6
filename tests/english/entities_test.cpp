#include "english/entities.h"

#include <gmock/gmock.h>

#include "tests/english/error_text.h"
#include "tests/english/small_model.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

// Moves in the model's order: B-P, I-P, L-P, U-P, U- (never), O.
const char* const kEntityMoves = R"({"0":{},"1":{"P":1},"2":{"P":1},"3":{"P":1},"4":{"P":2,"":1},"5":{"":1}})";

std::string entities(const std::vector<float>& scores, const std::vector<bool>& spaces, const std::vector<bool>& starts) {
    const EntityRecogniser recogniser(ThincModel(test::pack_model(test::constant_parser(2, 3, scores)), "model"),
                                      test::pack_moves(kEntityMoves), "moves", 2);
    std::string out;
    for (const EntitySpan& span : recogniser.entities(std::vector<float>(spaces.size() * 2), spaces, starts))
        out += std::to_string(span.begin) + "-" + std::to_string(span.end) + span.label + " ";
    return out;
}

TEST(EntityRecogniser, TakesTheBestMoveThatIsAllowed) {
    const std::vector<bool> none(5), start = {true, false, false, false, false};
    EXPECT_EQ(entities({5, 4, 3, 2, 9, 1}, none, start), "0-5P ");            // begins and continues to the end
    EXPECT_EQ(entities({5, 2, 3, 4, 9, 1}, none, start), "0-2P 2-4P 4-5P ");  // begins and ends; one word is left
    EXPECT_EQ(entities({1, 1, 1, 1, 9, 2}, none, start), "");                 // outside
    EXPECT_EQ(entities({5, 4, 3, 2, 9, 1}, {}, {}), "");
}

TEST(EntityRecogniser, KeepsToSentencesAndWords) {
    EXPECT_EQ(entities({5, 4, 3, 2, 9, 1}, std::vector<bool>(4), {true, false, true, false}), "0-2P 2-4P ");
    EXPECT_EQ(entities({5, 4, 3, 2, 9, 1}, {true, false, false}, {true, false, false}), "1-3P ");  // not on white space
}

TEST(EntityRecogniser, RefusesEntitiesWithoutEnd) {
    const auto refusal = [](const char* moves, size_t count) {
        return test::error_text([&] {
            EntityRecogniser(ThincModel(test::pack_model(test::constant_parser(2, 3, std::vector<float>(count))), "model"),
                             test::pack_moves(moves), "moves", 2);
        });
    };
    EXPECT_THAT(refusal(R"({"1":{"P":1},"3":{"Q":1},"5":{"":1}})", 3), HasSubstr("none for 'P'"));
    EXPECT_THAT(refusal(R"({"1":{"P":1},"3":{"P":1}})", 2), HasSubstr("a move for words outside"));
}

}  // namespace
}  // namespace craft
