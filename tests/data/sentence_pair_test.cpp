#include "data/sentence_pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string problem_of_pairs(const std::string& bytes, const std::string& name) {
    try {
        parse_sentence_pairs(bytes, name);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(SentencePairs, OfJsonLinesHaveTheirTypes) {
    const TemporaryFolder folder;
    const auto file = folder.file("pairs.jsonl",
                                  "{\"id\":\"a\",\"source\":\"He go.\",\"target\":\"He goes.\",\"types\":[\"agreement\"]}\n"
                                  "{\"id\":7,\"source\":\"Fine.\",\"target\":\"Fine.\"}\n");
    const std::vector<SentencePair> pairs = read_sentence_pairs(file);
    ASSERT_EQ(pairs.size(), 2u);
    EXPECT_EQ(pairs[0].source, "He go.");
    EXPECT_EQ(pairs[0].target, "He goes.");
    EXPECT_THAT(pairs[0].error_types, ElementsAre("agreement"));
    EXPECT_EQ(pairs[1].id, "7");
    EXPECT_TRUE(pairs[1].error_types.empty());
    EXPECT_EQ(to_json(pairs[0]).dump(), R"({"id":"a","source":"He go.","target":"He goes.","types":["agreement"]})");
    EXPECT_EQ(to_json(pairs[1]).dump(), R"({"id":"7","source":"Fine.","target":"Fine."})");
}

TEST(SentencePairs, OfM2HaveTheFirstAnnotatorsEdits) {
    const std::string m2 =
        "S He go to school .\nA 1 2|||R:VERB:SVA|||goes||went|||REQUIRED|||-NONE-|||0\n"
        "A 3 3|||M:DET|||the|||REQUIRED|||-NONE-|||1\nA 3 4|||R:ORTH|||School|||REQUIRED|||-NONE-|||0\n\n"
        "S All is well .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
        "S He ran fast fast .\nA 3 4|||U:ADV||||||REQUIRED|||-NONE-|||0\n\n";
    const std::vector<SentencePair> pairs = parse_sentence_pairs(m2, "a.m2");
    ASSERT_EQ(pairs.size(), 3u);
    EXPECT_EQ(pairs[0].target, "He goes to School .");
    EXPECT_THAT(pairs[0].error_types, ElementsAre("R:VERB:SVA", "R:ORTH"));
    EXPECT_EQ(pairs[1].source, pairs[1].target);
    EXPECT_TRUE(pairs[1].error_types.empty());
    EXPECT_EQ(pairs[2].target, "He ran fast .");
    EXPECT_EQ(pairs[2].id, "3");
}

TEST(SentencePairs, OfTwoColumnsAreNumberedByTheirLines) {
    const std::vector<SentencePair> pairs = parse_sentence_pairs("He go.\tHe goes.\n\nA\tA\r\n", "a.tsv");
    ASSERT_EQ(pairs.size(), 2u);
    EXPECT_EQ(pairs[0].target, "He goes.");
    EXPECT_EQ(pairs[1].id, "3");
    EXPECT_EQ(pairs[1].target, "A");
}

TEST(SentencePairs, WithAnEmptySideAreCountedOrAnError) {
    int64_t empty = 0;
    EXPECT_EQ(parse_sentence_pairs("a\tb\n \tb\nc\t\n", "a.tsv", &empty).size(), 1u);
    EXPECT_EQ(empty, 2);
    EXPECT_THAT(problem_of_pairs("a\tb\n \tb\n", "a.tsv"), HasSubstr("a.tsv:2: expected a source and a target"));
}

TEST(SentencePairs, ThatAreBadAreSkippedWhereTheyMayBe) {
    int64_t bad_lines = 0;
    const JsonLinesOptions options = {.skip_bad = true, .bad_lines = &bad_lines};
    const auto columns = parse_sentence_pairs("only one\na\tb\nc\t\xff\n \tb\nd\te\n", "a.tsv", nullptr, options);
    ASSERT_EQ(columns.size(), 2u);
    EXPECT_EQ(columns[1].id, "5");
    EXPECT_EQ(bad_lines, 3);
    const std::string m2 =
        "S a b\nA 1 3|||X|||z|||REQUIRED|||-NONE-|||0\n\nS a b\nA 1 2|||X|||z|||REQUIRED|||-NONE-|||0\n\n";
    const auto sentences = parse_sentence_pairs(m2, "a.m2", nullptr, options);
    ASSERT_EQ(sentences.size(), 1u);
    EXPECT_EQ(sentences[0].id, "2");
    EXPECT_EQ(sentences[0].target, "a z");
    const TemporaryFolder folder;
    const auto rows = read_sentence_pairs(folder.file("a.jsonl",
                                                      "{\"id\":1,\"source\":5,\"target\":\"b\"}\nnot json\n"
                                                      "{\"id\":2,\"source\":\"a\",\"target\":\"b\"}\n"),
                                          nullptr, options);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(bad_lines, 6);
    EXPECT_THROW(parse_sentence_pairs("only one\n", "a.tsv", nullptr, options), Error);
}

TEST(SentencePairs, ThatAreNoneAreRefusedWithTheirLine) {
    EXPECT_THAT(problem_of_pairs("a\tb\nonly one\n", "a.tsv"), HasSubstr("a.tsv:2"));
    EXPECT_THAT(problem_of_pairs("a\tb\tc\n", "a.tsv"), HasSubstr("got more"));
    EXPECT_THAT(problem_of_pairs("\n", "a.tsv"), HasSubstr("a.tsv: expected pairs of sentences, got none"));
    // Two edits over each other, and one after the last token.
    EXPECT_THAT(
        problem_of_pairs("S a b c\nA 0 2|||X|||y|||REQUIRED|||-NONE-|||0\nA 1 3|||X|||z|||REQUIRED|||-NONE-|||0\n", "a.m2"),
        HasSubstr("a.m2:1: expected edits within the sentence"));
    EXPECT_THAT(problem_of_pairs("S a b\nA 1 3|||X|||z|||REQUIRED|||-NONE-|||0\n", "a.m2"), HasSubstr("a.m2:1"));
    const TemporaryFolder folder;
    const auto file = folder.file("pairs.jsonl",
                                  "{\"id\":\"a\",\"source\":\"x\",\"target\":\"y\"}\n"
                                  "{\"id\":\"a\",\"source\":\"x\",\"target\":\"y\"}\n");
    EXPECT_THROW(read_sentence_pairs(file), Error);
    const auto types = folder.file("types.jsonl", "{\"id\":\"a\",\"source\":\"x\",\"target\":\"y\",\"types\":\"z\"}\n");
    EXPECT_THROW(read_sentence_pairs(types), Error);
}

}  // namespace
}  // namespace craft
