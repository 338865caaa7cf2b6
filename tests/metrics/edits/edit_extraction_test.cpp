#include "metrics/edits/edit_extraction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/metrics/edits/errant_pairs.h"
#include "tests/source.h"

namespace craft {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(EditExtraction, MakesErrantsEditsOfStoredSentences) {
    const auto pairs = test::read_errant_pairs(test_source("/tests/metrics/edits/stored/edits.jsonl"));
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
                HasSubstr("i.txt:1: expected 2 lines, as in s.txt, got 1"));
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

// Any file that is written is read back as the same edits; words that would not be are refused with their place.
TEST(EditExtraction, WhatIsWrittenIsReadBack) {
    const std::vector<std::string> words = {"|", "||", "a||b", "x|", "|x",  "-NONE-", "noop",
                                            "a", "S",  "A",    "-",  "b|c", "|||"};
    int refused = 0, written = 0;
    const auto try_pair = [&](const std::string& source, const std::string& target) {
        ExtractedEdits made;
        try {
            made = extract_edits({"s.txt", {source}}, {{"h.txt", {target}}}, {});
        } catch (const Error& error) {
            ++refused;
            EXPECT_THAT(error.what(), HasSubstr("h.txt:1: hypothesis 1: correction: expected")) << target;
            return;
        }
        ++written;
        const std::string bytes = to_m2(made.file);
        const M2File file = parse_m2(bytes, "f.m2");
        ASSERT_EQ(file.sentences.size(), 1u);
        const auto &ours = made.file.sentences[0].edits, &theirs = file.sentences[0].edits;
        ASSERT_EQ(ours.size(), theirs.size()) << bytes;
        for (size_t i = 0; i < ours.size(); ++i) {
            EXPECT_EQ(std::pair(ours[i].start, ours[i].end), std::pair(theirs[i].start, theirs[i].end)) << bytes;
            EXPECT_EQ(std::string(ours[i].type), std::string(theirs[i].type)) << bytes;
            if (ours[i].noop()) continue;
            EXPECT_THAT(theirs[i].alternatives(), ElementsAre(std::string(ours[i].correction))) << bytes;
        }
    };
    for (const std::string& first : words) {
        try_pair("y z", first + " z");
        try_pair(first + " z", "z");
        for (const std::string& second : words) try_pair("y z", first + " " + second + " z");
    }
    EXPECT_GT(refused, 50);
    EXPECT_GT(written, 50);
}

TEST(EditExtraction, ASourceWithoutSentencesIsAnError) {
    EXPECT_THAT(message_of([] {
                    extract_edits({"s.txt", {}}, {{"h.txt", {}}}, {});
                }),
                HasSubstr("s.txt: expected at least one sentence, got none"));
    EXPECT_THAT(message_of([] {
                    extract_edits({"s.txt", {"", " "}}, {{"h.txt", {"", "x"}}}, {});
                }),
                HasSubstr("s.txt: expected at least one sentence, got empty lines alone"));
}

// Rules look at each stretch of a run, and of what is left of it: the third power of its length.
TEST(EditExtraction, LongRunsOfChangesAreAnError) {
    std::vector<std::string> source(100, "a"), target(100, "b");
    for (size_t i = 0; i < source.size(); ++i) target[i] += std::to_string(i);
    source.resize(80);
    const AnnotatedTokens from = plain_tokens(source), to = plain_tokens(target);
    const auto steps = align_tokens(from, to);
    EXPECT_GT(merge_steps(steps, from, to, EditMerging::rules).size(), 0u);
    EXPECT_THAT(message_of([&] { merge_steps(steps, from, to, EditMerging::rules, 1000); }),
                HasSubstr("edits: expected fewer adjacent changes, got 100 changed tokens in a row"));
}

TEST(EditExtraction, ManyWordsInAnotherOrderAreAnError) {
    std::vector<std::string> source, target;
    for (int i = 0; i < 100; ++i) source.push_back("w" + std::to_string(i));
    for (int i = 0; i < 100; ++i) target.push_back("w" + std::to_string(i * 37 % 100));
    const AnnotatedTokens from = plain_tokens(source), to = plain_tokens(target);
    EXPECT_GT(align_tokens(from, to).size(), 0u);
    EXPECT_THAT(message_of([&] { align_tokens(from, to, 1000); }),
                HasSubstr("alignment: expected sentences with fewer words in another order, got 100 and 100 tokens"));
}

}  // namespace
}  // namespace craft
