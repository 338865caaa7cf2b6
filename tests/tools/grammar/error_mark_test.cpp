#include "tools/grammar/error_mark.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using testing::ElementsAre;

// "Né he go": code points 0-2, 3-5, 6-8.
EnglishDocument three_words() {
    EnglishDocument document(3);
    document[0].text = "N\xC3\xA9";
    document[1].text = "he";
    document[1].code_point = 3;
    document[2].text = "go";
    document[2].code_point = 6;
    document[0].space_after = document[1].space_after = true;
    return document;
}

TEST(ErrorMark, HasItsPlaceInCodePoints) {
    const ErrorMark mark{MarkKind::substituted, 2, 1, "'go' does not agree with 'he'", {"goes", "went"}};
    EXPECT_EQ(to_json(mark, three_words()), Json::parse(R"({"kind":"substituted","start":6,"end":8,"words":"go",
        "why":"'go' does not agree with 'he'","suggestions":["goes","went"],"evidence":"rule"})"));
    EXPECT_EQ(to_text(mark, three_words()),
              "substituted \"go\" (word 3): 'go' does not agree with 'he'; suggestions: goes, went");
    const ErrorMark both{MarkKind::redundant, 0, 2, "twice", {}};
    EXPECT_EQ(words_of(both, three_words()), "N\xC3\xA9 he");
    EXPECT_EQ(end_of(both, three_words()), 5u);
}

TEST(ErrorMark, OfMissingWordsIsAGap) {
    const ErrorMark gap{MarkKind::missing, 1, 0, "a verb", {"is"}}, end{MarkKind::missing, 3, 0, "a noun", {"home"}};
    EXPECT_EQ(start_of(gap, three_words()), 3u);
    EXPECT_EQ(end_of(gap, three_words()), 3u);
    EXPECT_EQ(start_of(end, three_words()), 8u);
    EXPECT_EQ(to_text(gap, three_words()), "missing before \"he\" (word 2): a verb; suggestions: is");
    EXPECT_EQ(to_text(end, three_words()), "missing at the end: a noun; suggestions: home");
    EXPECT_EQ(start_of(gap, {}), 0u);
}

TEST(ErrorMark, NamesContractionsWhole) {
    EnglishDocument tokens(4);
    tokens[0].text = "they";
    tokens[1].text = "\xE2\x80\x99s";
    tokens[2].text = "do";
    tokens[3].text = "nt";
    tokens[1].space_after = tokens[3].space_after = true;
    const auto text = [&](MarkKind kind, size_t token, std::vector<std::string> suggestions) {
        return to_text({kind, token, 1, "why", std::move(suggestions), MarkEvidence::rule}, tokens);
    };
    EXPECT_EQ(text(MarkKind::substituted, 3, {"n't"}), "substituted \"dont\" (word 3): why; suggestions: don't");
    EXPECT_EQ(text(MarkKind::substituted, 2, {"does"}), "substituted \"dont\" (word 3): why; suggestions: doesnt");
    EXPECT_EQ(text(MarkKind::substituted, 1, {"are", "'re"}),
              "substituted \"they\xE2\x80\x99s\" (word 1): why; suggestions: they are, they're");
    EXPECT_EQ(text(MarkKind::redundant, 3, {}), "substituted \"dont\" (word 3): why; suggestions: do");
    EXPECT_EQ(to_json({MarkKind::substituted, 3, 1, "why", {}, MarkEvidence::rule}, tokens)["words"], "nt");
    tokens[2].space_after = true;
    EXPECT_EQ(text(MarkKind::redundant, 3, {}), "redundant \"nt\" (word 4): why") << "a word of its own";
}

TEST(ErrorMark, CanBeCarriedOut) {
    EXPECT_THAT(repaired_words({MarkKind::substituted, 2, 1, "", {"goes"}}, three_words()),
                ElementsAre("N\xC3\xA9", "he", "goes"));
    EXPECT_THAT(repaired_words({MarkKind::missing, 3, 0, "", {"home"}}, three_words()),
                ElementsAre("N\xC3\xA9", "he", "go", "home"));
    EXPECT_THAT(repaired_words({MarkKind::redundant, 0, 2, "", {}}, three_words()), ElementsAre("go"));
}

TEST(ErrorMark, TheFirstOneOfAPlaceStays) {
    const std::vector<ErrorMark> kept = without_overlaps({{MarkKind::substituted, 1, 2, "first", {}},
                                                          {MarkKind::substituted, 2, 1, "overlaps", {}},
                                                          {MarkKind::missing, 2, 0, "within", {}},
                                                          {MarkKind::missing, 1, 0, "before it", {}},
                                                          {MarkKind::redundant, 0, 1, "beside", {}}});
    std::vector<std::string> why;
    for (const ErrorMark& mark : kept) why.push_back(mark.why);
    EXPECT_THAT(why, ElementsAre("beside", "first", "before it"));
}

}  // namespace
}  // namespace craft
