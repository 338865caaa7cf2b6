#include "gec/retrieval/edit_pattern.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

AnnotatedTokens tokens(const std::vector<std::array<const char*, 4>>& words) {
    AnnotatedTokens made;
    for (const auto& word : words) {
        AnnotatedTokens one = plain_tokens({word[0]});
        one[0].lemma = word[1];
        one[0].pos = word[2];
        one[0].tag = word[3];
        made.push_back(one[0]);
    }
    return made;
}

TEST(EditPattern, NeighboursAreLemmasOrPartsOfSpeech) {
    const AnnotatedTokens source = tokens({{"Dogs", "dog", "NOUN", "NNS"},
                                           {"depended", "depend", "VERB", "VBD"},
                                           {"Of", "of", "ADP", "IN"},
                                           {"the", "the", "DET", "DT"},
                                           {"men", "man", "NOUN", "NNS"}});
    AnnotatedTokens target = source;
    target[2] = tokens({{"on", "on", "ADP", "IN"}})[0];
    target[4] = tokens({{"man", "man", "NOUN", "NN"}})[0];
    EXPECT_EQ(edit_pattern({2, 3, 2, 3, "R:PREP"}, source, target), "depend [of → on] the");
    EXPECT_EQ(edit_pattern({4, 5, 4, 5, "R:NOUN:NUM"}, source, target), "the [NNS → NN]") << "nothing stands behind";
    EXPECT_EQ(edit_pattern({3, 4, 3, 3, "U:DET"}, source, target), "of [the →] NOUN");
    EXPECT_EQ(edit_pattern({1, 1, 1, 2, "M:VERB"}, source, target), "NOUN [→ depended] VERB");
    EXPECT_EQ(edit_pattern({2, 4, 2, 3, "R:OTHER"}, source, target), "depend [of the → on] NOUN");
}

TEST(EditPattern, PlainTokensHaveNoNeighbours) {
    EXPECT_EQ(edit_pattern({1, 2, 1, 2, "R:OTHER"}, plain_tokens({"He", "GO"}), plain_tokens({"He", "goes"})),
              "[go → goes]");
}

}  // namespace
}  // namespace craft
