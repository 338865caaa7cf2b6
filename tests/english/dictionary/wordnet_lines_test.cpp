#include "english/dictionary/wordnet_lines.h"

#include <gmock/gmock.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(WordnetLines, OfAnIndex) {
    const IndexLine line = parse_index_line("set_out v 2 3 @ ~ + 2 1 00000042 00000007  ", "x");
    EXPECT_EQ(line.lemma, "set_out");
    EXPECT_THAT(line.offsets, ElementsAre(42, 7));
    EXPECT_THAT(parse_index_line("a n 0 0 0 0", "x").offsets, IsEmpty());
}

TEST(WordnetLines, OfAnIndexAreRefused) {
    const auto refusal = [](const char* line) { return message_of([&] { parse_index_line(line, "index.verb: byte 9"); }); };
    EXPECT_THAT(refusal(""), HasSubstr("index.verb: byte 9: expected a lemma, got the line's end"));
    EXPECT_THAT(refusal("go x 1 0 1 0 00000001"), HasSubstr("expected a part of speech (n, v, a, r), got 'x'"));
    EXPECT_THAT(refusal("go v one"), HasSubstr("expected the number of meanings, got 'one'"));
    EXPECT_THAT(refusal("go v -1 0 1 0"), HasSubstr("expected the number of meanings, got '-1'"));
    EXPECT_THAT(refusal("go v 99999999 0 1 0"), HasSubstr("got 99999999"));
    EXPECT_THAT(refusal("go v 2 0 2 0 00000001"), HasSubstr("expected a meaning's place, got the line's end"));
    EXPECT_THAT(refusal("go v 1 3 @ ~"), HasSubstr("expected a symbol, got the line's end"));
    EXPECT_THAT(refusal("go v 1 0 1 0 99999999999999999999"), HasSubstr("expected a meaning's place"));
}

TEST(WordnetLines, OfAMeaning) {
    const Synset verb = parse_synset_line(
        "00345761 30 v 03 begin 0 set_out 0 Commence a 002 @ 00000042 v 0000 + 00235435 n 0a03 02 + 01 00 + 02 00 | take a "
        "| "
        "step; \"We began\"  ",
        "x");
    EXPECT_EQ(verb.offset, 345761);
    EXPECT_EQ(verb.type, 'v');
    EXPECT_THAT(verb.words, ElementsAre("begin", "set out", "Commence"));
    ASSERT_EQ(verb.pointers.size(), 2u);
    EXPECT_EQ(verb.pointers[0].symbol, "@");
    EXPECT_EQ(verb.pointers[0].offset, 42);
    EXPECT_EQ(verb.pointers[1].type, 'n');
    EXPECT_EQ(verb.gloss, "take a | step; \"We began\"");
    const Synset adjective = parse_synset_line("00000001 00 s 04 big(p) 0 a(b) 0 fat(ip) 0 (a) 0 000 | ", "x");
    EXPECT_THAT(adjective.words, ElementsAre("big", "a(b)", "fat", "(a)"));
    EXPECT_EQ(adjective.gloss, "");
    EXPECT_THAT(
        parse_synset_line("00000001 00 n 10 a 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0 j 0 k 0 l 0 m 0 n 0 o 0 p 0 000 |", "x")
            .words,
        testing::SizeIs(16))
        << "the number of words is hexadecimal";
}

TEST(WordnetLines, OfAMeaningAreRefused) {
    const auto refusal = [](const char* line) { return message_of([&] { parse_synset_line(line, "data.verb: byte 9"); }); };
    EXPECT_THAT(refusal("  1 This is a licence"), HasSubstr("data.verb: byte 9: expected"));
    EXPECT_THAT(refusal("00000001 30 q"), HasSubstr("expected a part of speech (n, v, a, s, r), got 'q'"));
    EXPECT_THAT(refusal("00000001 30 v fffff"), HasSubstr("expected the number of words"));
    EXPECT_THAT(refusal("00000001 30 v 02 go 0 run"), HasSubstr("expected a word's number in a lexicographer's file"));
    EXPECT_THAT(refusal("00000001 30 v 01 go 0 001 @ 00000001"), HasSubstr("expected a pointer's part of speech"));
    EXPECT_THAT(refusal("00000001 30 v 01 go 0 000 no gloss"), HasSubstr("expected a gloss behind |, got none"));
}

TEST(WordnetLines, OfCounts) {
    const SenseCountLine line = parse_sense_count("huge%5:00:01:large:00 2 14", "x");
    EXPECT_EQ(line.lemma, "huge");
    EXPECT_EQ(line.type, 5);
    EXPECT_EQ(line.number, 2);
    EXPECT_EQ(line.uses, 14);
    const auto refusal = [](const char* text) { return message_of([&] { parse_sense_count(text, "cntlist.rev:3"); }); };
    EXPECT_THAT(refusal("huge 1 2"), HasSubstr("cntlist.rev:3: expected a meaning's key (lemma%1:...), got 'huge'"));
    EXPECT_THAT(refusal("huge% 1 2"), HasSubstr("expected a meaning's key"));
    EXPECT_THAT(refusal("huge%7:0 1 2"), HasSubstr("expected a meaning's key"));
    EXPECT_THAT(refusal("huge%5:0 0 2"), HasSubstr("expected a meaning's number from 1, got 0"));
    EXPECT_THAT(refusal("huge%5:0 1"), HasSubstr("expected how often it was met, got the line's end"));
}

}  // namespace
}  // namespace craft
