#include "gec/rules/named_edits.h"

#include <gtest/gtest.h>

#include "core/rng.h"
#include "gec/edit_action.h"
#include "gec/sentence_words.h"

namespace craft {
namespace {

TEST(NamedEdits, NameWordsAsTheAgentDoes) {
    const auto edits = named_edits("He go to the the shop .", "He goes to the shop today .");
    ASSERT_EQ(edits.size(), 3U);
    EXPECT_EQ(edits[0].action, "transform");
    EXPECT_EQ(edits[0].input, Json({{"from", "go"}, {"to", "goes"}}));
    EXPECT_EQ(edits[0].sentence, "He goes to the the shop .");
    EXPECT_EQ(edits[1].action, "transform");  // "the" stands there twice, and is not to be counted
    EXPECT_EQ(edits[1].input, Json({{"from", "the the"}, {"to", "the"}}));
    EXPECT_EQ(edits[2].action, "insert");
    EXPECT_EQ(edits[2].input, Json({{"after", "shop"}, {"text", "today"}}));
    EXPECT_EQ(edits[2].sentence, "He goes to the shop today .");
}

TEST(NamedEdits, CountOnlyWhereNeighboursDoNotTell) {
    EXPECT_EQ(named_edits("He is a man of an island .", "He is a man of the island .").at(0).input,
              Json({{"from", "an"}, {"to", "the"}}));
    EXPECT_EQ(named_edits("It is a cat and a apple .", "It is a cat and an apple .").at(0).input,
              Json({{"from", "and a"}, {"to", "and an"}}));
    EXPECT_EQ(named_edits("I saw dog and I saw dog .", "I saw dog and I saw dogs .").at(0).input,
              Json({{"from", "dog ."}, {"to", "dogs ."}}));
    EXPECT_EQ(named_edits("a b a a b a", "a b a a c a").at(0).input["occurrence"], 2);
}

TEST(NamedEdits, InsertBeforeTheWordThatIsNamed) {
    const auto edit = [](const std::string& from, const std::string& to) {
        return named_edits(from, to, InsertionAnchor::word_after).at(0).input;
    };
    EXPECT_EQ(edit("I saw dog .", "I saw a dog ."), Json({{"before", "dog"}, {"text", "a"}}));
    EXPECT_EQ(edit("I saw dog and dog ran", "I saw a dog and dog ran"), Json({{"after", "saw"}, {"text", "a"}}))
        << "its word stands there twice";
    EXPECT_EQ(edit("I saw a dog", "I saw a dog today"), Json({{"after", "dog"}, {"text", "today"}}));
}

TEST(NamedEdits, OfMarksAndOfTheBeginning) {
    EXPECT_EQ(named_edits("However it is true.", "However, it is true.").back().sentence, "However, it is true.");
    EXPECT_EQ(named_edits("However it is true .", "However , it is true .").back().sentence, "However , it is true .");
    EXPECT_EQ(named_edits("Dog barks.", "The dog barks.").back().sentence, "The dog barks.");
    EXPECT_EQ(named_edits("What you are doing?", "What are you doing?").at(0).action, "rearrange");
    EXPECT_TRUE(named_edits("It is right.", "It is right.").empty());
    EXPECT_TRUE(named_edits("", "").empty());
}

// Words left out, doubled, changed and swapped at random: the edits lead to the words that are wanted, and the agent does
// each.
TEST(NamedEdits, LeadToTheirTarget) {
    const std::vector<std::string> kWords = {"the",  "a",  "dog", "dogs", ",",    "runs", "ran",
                                             "very", "to", "is",  "'s",   "good", "."};
    Rng rng(5, "named edits");
    for (int i = 0; i < 400; ++i) {
        std::vector<std::string> words;
        for (int64_t k = rng.between(1, 9); k > 0; --k) words.push_back(kWords[static_cast<size_t>(rng.between(0, 12))]);
        std::vector<std::string> changed = words;
        for (int64_t k = rng.between(1, 3); k > 0 && !changed.empty(); --k) {
            const auto at = static_cast<size_t>(rng.between(0, std::ssize(changed) - 1));
            const int64_t kind = rng.between(0, 3);
            if (kind == 0 && changed.size() > 1) changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(at));
            if (kind == 1) changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(at), "new");
            if (kind == 2) changed[at] = "other";
            if (kind == 3 && at + 1 < changed.size()) std::swap(changed[at], changed[at + 1]);
        }
        const auto joined = [](const std::vector<std::string>& all) {
            std::string text;
            for (const std::string& word : all) text += (text.empty() ? "" : " ") + word;
            return text;
        };
        const std::string source = joined(words), target = joined(changed);
        std::string standing = source;
        for (const NamedEdit& edit : named_edits(source, target)) {
            const EditResult result = apply_edit(edit.action, edit.input, standing);
            EXPECT_EQ(result.refused, "");
            EXPECT_EQ(result.sentence, edit.sentence);
            standing = edit.sentence;
        }
        EXPECT_EQ(sentence_words(standing), sentence_words(target)) << source << " -> " << target;
    }
}

}  // namespace
}  // namespace craft
