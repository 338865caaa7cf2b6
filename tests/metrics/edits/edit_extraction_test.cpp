#include "metrics/edits/edit_extraction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"
#include "tests/metrics/edits/errant_pairs.h"

namespace craft {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(EditExtraction, MakesErrantsEditsOfStoredSentences) {
    const auto pairs = test::read_errant_pairs(CRAFT_TEST_SOURCE "/tests/metrics/edits/stored/edits.jsonl");
    ASSERT_GT(pairs.size(), 60u);
    for (const auto& pair : pairs) {
        const auto found = edits_of(pair.source, pair.target, pair.language());
        std::string sentence;
        for (const AnnotatedToken& token : pair.source) sentence += token.text + " ";
        EXPECT_EQ(test::edits_text(found), test::edits_text(pair.edits)) << sentence;
    }
}

std::string plain(const std::string& source, const std::vector<std::string>& hypotheses) {
    std::vector<SentenceFile> files;
    for (const std::string& hypothesis : hypotheses) files.push_back({"h.txt", {hypothesis}});
    return to_m2(extract_edits({"s.txt", {source}}, files, {}).file);
}

TEST(EditExtraction, WithoutAModelTypesSayTheOperation) {
    EXPECT_EQ(plain("She likes  cat now .", {"She liked the cat .", "She likes cat now ."}),
              "S She likes cat now .\nA 1 2|||R:OTHER|||liked|||REQUIRED|||-NONE-|||0\nA 2 "
              "2|||M:OTHER|||the|||REQUIRED|||-NONE-|||0\n"
              "A 3 4|||U:OTHER||||||REQUIRED|||-NONE-|||0\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n");
    EXPECT_EQ(plain("a b", {""}), "S a b\nA 0 2|||U:OTHER||||||REQUIRED|||-NONE-|||0\n\n");
}

TEST(EditExtraction, EmptySourcesAreCounted) {
    const ExtractedEdits found = extract_edits({"s.txt", {"", "a", " \t"}}, {{"h.txt", {"x", "a", ""}}}, {});
    EXPECT_EQ(found.empty_sources, 2);
    EXPECT_EQ(found.file.sentences.size(), 1u);
}

TEST(EditExtraction, LinesMustBeAsMany) {
    EXPECT_THAT(message_of([] {
                    extract_edits({"s.txt", {"a", "b"}}, {{"h.txt", {"a", "b"}}, {"i.txt", {"a"}}}, {});
                }),
                HasSubstr("i.txt: expected 2 lines, as in s.txt, got 1"));
}

TEST(EditExtraction, WhatCannotBeWrittenIsAnError) {
    EXPECT_THAT(message_of([] { plain("a b", {"a ||| b"}); }), AllOf(HasSubstr("h.txt:1"), HasSubstr("|||")));
    std::string source, hypothesis;
    for (int i = 0; i < 6000; ++i) {
        source += "a" + std::to_string(i) + " ";
        hypothesis += "b" + std::to_string(i) + " ";
    }
    EXPECT_THAT(message_of([&] { plain(source, {hypothesis}); }),
                AllOf(HasSubstr("h.txt:1"), HasSubstr("6000 and 6000 tokens")));
}

TEST(EditExtraction, AnnotationsMustFitTheTokens) {
    EditLanguage language;
    language.annotate = [](const std::vector<std::string>&) { return AnnotatedTokens(1); };
    language.known_word = [](const std::string&) { return true; };
    EXPECT_THAT(message_of([&] {
                    extract_edits({"s.txt", {"a b"}}, {{"h.txt", {"a"}}}, language);
                }),
                HasSubstr("s.txt:1: annotation: expected 2 tokens, got 1"));
}

}  // namespace
}  // namespace craft
