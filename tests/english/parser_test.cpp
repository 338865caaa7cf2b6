#include "english/parser.h"

#include <gmock/gmock.h>

#include "tests/english/error_text.h"
#include "tests/english/small_model.h"

namespace craft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Moves in the model's order: S, D, L-det, R-dobj, R-dep, B-ROOT.
const char* const kParserMoves = R"({"0":{"":1},"1":{"":1},"2":{"det":1},"3":{"dobj":2,"dep":1},"4":{"ROOT":1}})";

DependencyParser parser_with(const std::vector<float>& scores) {
    return DependencyParser(ThincModel(test::pack_model(test::constant_parser(2, 8, scores)), "model"),
                            test::pack_moves(kParserMoves), "moves", 2);
}

TEST(DependencyParser, TakesTheBestMoveThatIsAllowed) {
    const std::vector<float> vectors(3 * 2);
    const std::vector<bool> none(3);
    // Right arcs wherever they are allowed: a chain. The first of two equal labels is taken.
    ParseTree tree = parser_with({1, 2, 0, 5, 5, 0}).parse(vectors, none);
    EXPECT_THAT(tree.heads, ElementsAre(0, 0, 1));
    EXPECT_THAT(tree.labels, ElementsAre("ROOT", "dobj", "dobj"));
    EXPECT_THAT(tree.sentence_starts, ElementsAre(true, false, false));
    // Left arcs: the last word is the root.
    tree = parser_with({1, 2, 9, 5, 5, 0}).parse(vectors, none);
    EXPECT_THAT(tree.heads, ElementsAre(1, 2, 2));
    // A sentence for each word: breaks first.
    tree = parser_with({1, 2, 3, 3, 3, 9}).parse(vectors, none);
    EXPECT_THAT(tree.sentence_starts, ElementsAre(true, true, true));
    EXPECT_TRUE(parser_with({1, 2, 3, 3, 3, 9}).parse({}, {}).heads.empty());
}

TEST(DependencyParser, RefusesMovesWithoutEnd) {
    const std::string moves = test::pack_moves(R"({"0":{"":1},"3":{"dobj":1}})");
    EXPECT_THAT(
        test::error_text([&] {
            DependencyParser(ThincModel(test::pack_model(test::constant_parser(2, 8, {0, 0})), "model"), moves, "moves", 2);
        }),
        HasSubstr("moves: expected moves that shift and that reduce"));
    EXPECT_THAT(test::error_text([] {
                    parser_with({1, 2});
                }),
                HasSubstr("expected a tensor of the shape [6, 1], got [2, 1]"));
}

}  // namespace
}  // namespace craft
