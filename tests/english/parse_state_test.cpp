#include "english/parse_state.h"

#include <gmock/gmock.h>

namespace craft {
namespace {

using ::testing::ElementsAre;

std::vector<int> places(const ParseState& state) {
    std::vector<int> words(ParseState::kPlaces);
    state.places(words.data());
    return words;
}

std::string valid(const ParseState& state) {
    std::string out;
    for (int i = 0; i < ParseState::actions; ++i)
        if (state.is_valid(static_cast<ParseState::Action>(i))) out += "SDLRB"[i];
    return out;
}

std::string arcs(const ParseState& state) {
    std::string out;
    for (const ParseState::Arc& arc : state.arcs())
        out += std::to_string(arc.head) + ">" + std::to_string(arc.child) + ":" + std::to_string(arc.label) + " ";
    return out;
}

TEST(ParseState, ParsesThreeWords) {
    ParseState state(3);  // "She saw him": 1 > 0, 1 > 2
    EXPECT_EQ(valid(state), "SB");
    EXPECT_THAT(places(state), ElementsAre(0, 1, -1, -1, -1, -1, -1, -1));
    state.take(ParseState::shift, 0);
    EXPECT_EQ(valid(state), "SDLRB");
    state.take(ParseState::left_arc, 4);
    EXPECT_THAT(places(state), ElementsAre(1, 2, -1, -1, -1, 0, -1, -1));
    state.take(ParseState::shift, 0);
    state.take(ParseState::right_arc, 5);
    EXPECT_THAT(places(state), ElementsAre(-1, -1, 2, 1, -1, -1, -1, -1));
    EXPECT_EQ(valid(state), "D");
    state.take(ParseState::reduce, 0);
    EXPECT_THAT(places(state), ElementsAre(-1, -1, 1, -1, -1, -1, 0, 2));
    state.take(ParseState::reduce, 0);
    EXPECT_TRUE(state.is_final());
    EXPECT_EQ(arcs(state), "1>0:4 1>2:5 ");
}

TEST(ParseState, PutsAWordWithoutHeadBack) {
    ParseState state(4);
    state.take(ParseState::shift, 0);
    state.take(ParseState::shift, 0);
    state.take(ParseState::reduce, 0);  // 1 has no head and is not alone on the stack
    EXPECT_THAT(places(state), ElementsAre(1, 2, 0, -1, -1, -1, -1, -1));
    EXPECT_EQ(valid(state), "DLRB");  // it may not be shifted again
    state.take(ParseState::right_arc, 1);
    EXPECT_EQ(arcs(state), "0>1:1 ");
}

TEST(ParseState, ReplacesAHead) {
    ParseState state(3);
    state.take(ParseState::shift, 0);
    state.take(ParseState::right_arc, 1);
    state.take(ParseState::left_arc, 2);  // 2 > 1 in place of 0 > 1
    EXPECT_EQ(arcs(state), "2>1:2 ");
}

TEST(ParseState, EndsSentences) {
    ParseState state(3);
    state.take(ParseState::shift, 0);
    state.take(ParseState::break_sentence, 0);  // before word 2
    EXPECT_EQ(valid(state), "SDLR");
    state.take(ParseState::right_arc, 0);
    EXPECT_EQ(valid(state), "D");  // nothing reaches into the next sentence
    state.take(ParseState::reduce, 0);
    state.take(ParseState::reduce, 0);
    EXPECT_EQ(valid(state), "S");
}

TEST(ParseState, OfNoWordsIsFinal) {
    EXPECT_TRUE(ParseState(0).is_final());
}

}  // namespace
}  // namespace craft
