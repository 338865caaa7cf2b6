#include "metrics/edits/m2_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files.h"
#include "tests/core/temporary_folder.h"
#include "tests/reference.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kTwo =
    "S She see the cat .\nA 1 2|||R:VERB:SVA|||sees||saw|||REQUIRED|||-NONE-|||0\n"
    "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\nS Fine .\n\n";

std::string problem(const std::string& bytes) {
    return message_of([&] { parse_m2(bytes, "f.m2"); });
}

TEST(M2File, ReadsSentencesAndEdits) {
    const M2File file = parse_m2(kTwo, "f.m2");
    ASSERT_EQ(file.sentences.size(), 2u);
    EXPECT_THAT(file.sentences[0].tokens(), ElementsAre("She", "see", "the", "cat", "."));
    ASSERT_EQ(file.sentences[0].edits.size(), 2u);
    const M2Edit& edit = file.sentences[0].edits[0];
    EXPECT_EQ(edit.start, 1);
    EXPECT_EQ(edit.end, 2);
    EXPECT_EQ(edit.type, "R:VERB:SVA");
    EXPECT_THAT(edit.alternatives(), ElementsAre("sees", "saw"));
    EXPECT_FALSE(edit.noop());
    EXPECT_TRUE(file.sentences[0].edits[1].noop());
    EXPECT_EQ(file.sentences[0].edits[1].annotator, 1);
    EXPECT_TRUE(file.sentences[1].edits.empty());
    EXPECT_EQ(file.sentences[1].line, 5);
}

TEST(M2File, TextsAreViewsUntilTheyAreCopied) {
    M2Sentence copied, made;
    {
        M2File file = parse_m2(kTwo, "f.m2");
        copied = file.sentences[0];
        const M2File other = file;
        file = {};
        EXPECT_EQ(to_m2(other), kTwo);
        made.source = std::string("a text that was made, and that no string holds within itself");
        made.edits.push_back({0, 1, "X", std::string("y")});
        made.edits.reserve(100);
    }
    EXPECT_THAT(copied.tokens(), ElementsAre("She", "see", "the", "cat", "."));
    EXPECT_EQ(copied.edits[0].type, "R:VERB:SVA");
    EXPECT_EQ(made.tokens().size(), 12u);
    EXPECT_EQ(made.edits[0].correction, "y");
    EXPECT_EQ(std::string(made.edits[0].type), "X");
    made.source = std::move(copied.source);
    EXPECT_EQ(made.source, "She see the cat .");
    EXPECT_TRUE(copied.source.empty());  // NOLINT(bugprone-use-after-move)
}

TEST(M2File, NoneAndNothingDelete) {
    M2Edit edit;
    edit.correction = "-NONE-|| x ||";
    EXPECT_THAT(edit.alternatives(), ElementsAre("", "x", ""));
    edit.correction = "";
    EXPECT_THAT(edit.alternatives(), ElementsAre(""));
}

TEST(M2File, WritesTheBytesThatItRead) {
    std::string crlf;
    for (const char c : kTwo) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    for (const std::string& bytes :
         {kTwo, crlf, std::string(), std::string("\n\nS a\n\n\n\nS \nS"), std::string("\xEF\xBB\xBFS a b"), std::string("S"),
          std::string("S a\nA 0 1|||X||| b ||c|||OPTIONAL||| note |||12"), std::string("\n"),
          std::string("S  two  blanks \t\n")}) {
        if (bytes.find("\nS \nS") != std::string::npos) continue;  // no blank line: below
        EXPECT_EQ(to_m2(parse_m2(bytes, "f.m2")), bytes);
    }
}

TEST(M2File, WritesTheReferenceFiles) {
    CRAFT_REFERENCE_FILE(folder, "oracles/m2");
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".m2") continue;
        EXPECT_EQ(to_m2(read_m2(entry.path().string())), read_file(entry.path())) << entry.path();
    }
}

TEST(M2File, SaysWhatIsWrongInWhichLine) {
    const std::string sentence = "S a b c\n";
    EXPECT_THAT(problem(sentence + "A 2 1|||X|||y|||REQUIRED|||-NONE-|||0"), HasSubstr("got 2 1"));
    EXPECT_THAT(problem(sentence + "A -1 2|||X|||y|||REQUIRED|||-NONE-|||0"), HasSubstr("f.m2:2: span"));
    EXPECT_THAT(problem(sentence + "A 1|||X|||y|||REQUIRED|||-NONE-|||0"), HasSubstr("expected two numbers"));
    EXPECT_THAT(problem(sentence + "A 1 x|||X|||y|||REQUIRED|||-NONE-|||0"), HasSubstr("got \"1 x\""));
    EXPECT_THAT(problem(sentence + "A 1 99999999999999999999|||X|||y|||REQUIRED|||-NONE-|||0"),
                HasSubstr("expected two numbers"));
    EXPECT_THAT(problem(sentence + "A 1 2|||X|||y|||REQUIRED|||0"), HasSubstr("f.m2:2: expected an edit of six fields"));
    EXPECT_THAT(problem(sentence + "A 1 2|||X|||y|||REQUIRED|||-NONE-|||me"), HasSubstr("annotator: expected a number"));
    EXPECT_THAT(problem("A 1 2|||X|||y|||REQUIRED|||-NONE-|||0"), HasSubstr("f.m2:1: expected an S line above"));
    EXPECT_THAT(problem(sentence + "S d\n"), HasSubstr("f.m2:2: expected a blank line between two sentences"));
    EXPECT_THAT(problem("T x\n"), HasSubstr("f.m2:1: expected a line that begins with \"S \" or \"A \""));
    EXPECT_THAT(problem(std::string("S a\0b\n", 6)), HasSubstr("f.m2:1: expected text, got a NUL byte at column 4"));
    EXPECT_THAT(problem("S a\n\nS \xFF\n"), HasSubstr("f.m2:3: expected UTF-8"));
    EXPECT_THAT(problem("S a\r\n\nS b\r\n"), HasSubstr("f.m2:2: expected lines that end in CR LF"));
    EXPECT_THAT(message_of([] { read_m2("/nowhere/x.m2"); }), HasSubstr("/nowhere/x.m2: cannot read"));
}

TEST(M2File, EditsBehindTheSentenceAreNamed) {
    const M2File file =
        parse_m2("S a b c\nA 2 3|||X|||y|||REQUIRED|||-NONE-|||0\nA 3 4|||X|||y|||REQUIRED|||-NONE-|||0\n", "f.m2");
    EXPECT_THAT(file.outside, ElementsAre(3));
    EXPECT_EQ(file.sentences[0].edits.size(), 2u);
}

TEST(M2File, SentencesMayBeLong) {
    std::string bytes = "S";
    for (int i = 0; i < 200000; ++i) bytes += " word" + std::to_string(i % 10);
    bytes += "\nA 199999 200000|||X|||y|||REQUIRED|||-NONE-|||0\n\n";
    ASSERT_GT(bytes.size(), size_t{1} << 20);
    EXPECT_EQ(to_m2(parse_m2(bytes, "f.m2")), bytes);
}

// What m2scorer reads by int() and split(), and the lines that it passes over.
TEST(M2File, ReadsWhatM2ScorerReads) {
    const std::string bytes =
        "S a b\nI 1 2|||anything\nA  0 1|||X|||y|||REQUIRED|||-NONE-|||0 \nA 1  2 |||X|||z|||REQUIRED|||-NONE-||| 1\n"
        "I \nA 1 1|||X|||w|||REQUIRED|||-NONE-|||2\nI last\n\nS c\nI c\n";
    const M2File file = parse_m2(bytes, "f.m2");
    EXPECT_EQ(to_m2(file), bytes);
    EXPECT_EQ(to_m2(M2File(file)), bytes);
    EXPECT_EQ(file.passed.size(), 4u);
    ASSERT_EQ(file.sentences.size(), 2u);
    const auto& edits = file.sentences[0].edits;
    ASSERT_EQ(edits.size(), 3u);
    EXPECT_EQ(std::pair(edits[0].start, edits[0].end), std::pair(int64_t{0}, int64_t{1}));
    EXPECT_EQ(std::pair(edits[1].start, edits[1].end), std::pair(int64_t{1}, int64_t{2}));
    EXPECT_EQ(edits[1].annotator, 1);
    EXPECT_THAT(problem("I before\nS a\n"), HasSubstr("f.m2:1: expected a line"));
    EXPECT_THAT(problem("S a\nA 0 1 2|||X|||y|||REQUIRED|||-NONE-|||0"), HasSubstr("expected two numbers"));
    EXPECT_THAT(problem("S a\nA  |||X|||y|||REQUIRED|||-NONE-|||0"), HasSubstr("expected two numbers"));
    EXPECT_THAT(problem("S a\nA 0 1|||X|||y|||REQUIRED|||-NONE-||| "), HasSubstr("annotator: expected a number"));
}

}  // namespace
}  // namespace craft
