#include "gec/retrieval/rule_entries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A model of English that knows these words alone, each its own head; a full stop is cut off.
AnnotatedTokens small_english(const std::string& sentence) {
    struct Known {
        const char *text, *lemma, *pos, *tag;
    };
    static const std::vector<Known> kWords = {{"She", "she", "PRON", "PRP"},
                                              {"depend", "depend", "VERB", "VBP"},
                                              {"depends", "depend", "VERB", "VBZ"},
                                              {"of", "of", "ADP", "IN"},
                                              {"on", "on", "ADP", "IN"},
                                              {"apple", "apple", "NOUN", "NN"},
                                              {"the", "the", "DET", "DT"},
                                              {"very", "very", "ADV", "RB"},
                                              {"much", "much", "ADV", "RB"},
                                              {"it", "it", "PRON", "PRP"},
                                              {"like", "like", "VERB", "VBP"},
                                              {"I", "I", "PRON", "PRP"},
                                              {"recieve", "recieve", "VERB", "VBP"},
                                              {"receive", "receive", "VERB", "VBP"},
                                              {".", ".", "PUNCT", "."}};
    std::vector<std::string> texts;
    for (size_t at = 0; at < sentence.size();) {
        size_t end = std::min(sentence.find_first_of(" .", at), sentence.size());
        if (end == at) ++end;
        if (sentence[at] != ' ') texts.push_back(sentence.substr(at, end - at));
        at = end;
    }
    AnnotatedTokens tokens = plain_tokens(texts);
    for (size_t i = 0; i < tokens.size(); ++i)
        for (const Known& known : kWords)
            if (tokens[i].text == known.text) {
                tokens[i].lemma = known.lemma;
                tokens[i].pos = known.pos;
                tokens[i].tag = known.tag;
                tokens[i].dep = "dep";
                tokens[i].head = static_cast<int64_t>(i);
            }
    return tokens;
}

class RuleEntriesTest : public ::testing::Test {
protected:
    std::vector<GrammarEntry> made(const std::string& source, const std::string& target) const {
        return rule_entries({"1", source, target, {}}, language_, knowledge_);
    }
    const GrammarKnowledge knowledge_ = GrammarKnowledge::load(share_folder() / "prompts" / "gec_knowledge.json");
    const EntryLanguage language_{small_english, [](const std::string& word) { return word != "recieve"; }};
};

TEST_F(RuleEntriesTest, EachEditIsAnEntryWithItsConceptWordsAndPattern) {
    const auto entries = made("She  depend of apple.", "She depends on the apple.");
    ASSERT_EQ(entries.size(), 3u);
    EXPECT_EQ(entries[0].type, "R:VERB:SVA");
    EXPECT_EQ(entries[0].knowledge, "subject-verb agreement");
    EXPECT_EQ(entries[0].rule, knowledge_.of_type("R:VERB:SVA").rule);
    EXPECT_EQ(entries[0].modification, EditOperation::transform);
    EXPECT_EQ(word_pair_text(entries[0]), "depend → depends");
    EXPECT_EQ(entries[0].pattern, "PRON [VBP → VBZ] of") << "inflected alone: tags";
    EXPECT_THAT(entries[0].keys, ElementsAre("she depend of", "she depend", "depend of"));
    EXPECT_EQ(entries[1].type, "R:PREP");
    EXPECT_EQ(entries[1].pattern, "depend [of → on] NOUN");
    EXPECT_EQ(entries[2].type, "M:DET");
    EXPECT_EQ(entries[2].modification, EditOperation::insert);
    EXPECT_EQ(word_pair_text(entries[2]), "nothing → the");
    EXPECT_EQ(entries[2].pattern, "of [→ the] NOUN");
    EXPECT_THAT(entries[2].keys, ElementsAre("of apple"));
}

TEST_F(RuleEntriesTest, OrderSpellingAndDeletions) {
    const auto order = made("I like very much it.", "I like it very much.");
    ASSERT_EQ(order.size(), 1u);
    EXPECT_EQ(order[0].type, "R:WO");
    EXPECT_EQ(order[0].modification, EditOperation::rearrange);
    EXPECT_EQ(word_pair_text(order[0]), "very much it → it very much");
    const auto spelling = made("I recieve it.", "I receive it.");
    ASSERT_EQ(spelling.size(), 1u);
    EXPECT_EQ(spelling[0].type, "R:SPELL");
    EXPECT_THAT(spelling[0].keys, testing::Contains("recieve")) << "wrong wherever it stands";
    const auto deletion = made("I like of it.", "I like it.");
    ASSERT_EQ(deletion.size(), 1u);
    EXPECT_EQ(deletion[0].modification, EditOperation::remove);
    EXPECT_EQ(deletion[0].pattern, "like [of →] PRON");
}

TEST_F(RuleEntriesTest, ACorrectSentenceHasNone) {
    EXPECT_THAT(made("I like it.", " I  like it. "), IsEmpty());
}

TEST_F(RuleEntriesTest, WithoutEnglishTypesSayTheOperation) {
    const auto entries = rule_entries({"1", "I like of it", "I like it", {}}, {}, knowledge_);
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_EQ(entries[0].type, "U:OTHER");
    EXPECT_EQ(entries[0].knowledge, "unnecessary words");
    EXPECT_EQ(entries[0].pattern, "[of →]");
}

}  // namespace
}  // namespace craft
