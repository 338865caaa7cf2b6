// What the rules propose for the errors in share/gec/dev.jsonl, which no model of language has weighed: a change of a rule
// or of a list of words that proposes fewer of the right corrections, or is sure of a wrong one, is seen here.
#include <gtest/gtest.h>

#include "data/sentence_pair.h"
#include "tests/gec/rules/rules_language.h"
#include "tests/source.h"

namespace craft {
namespace {

TEST(ShippedErrors, AreMendedAsWellAsEver) {
    CRAFT_NEEDS_RULES_LANGUAGE();
    int64_t wrong = 0, mended = 0, sure_of_correct = 0;
    for (const SentencePair& pair : read_sentence_pairs(test_source() + "/share/gec/dev.jsonl")) {
        for (const CorrectionProposal& one : test::proposals_for(pair.target))
            if (one.is_sure) ++sure_of_correct;
        if (pair.source == pair.target) continue;
        ++wrong;
        const CorrectionProposals proposed = test::proposals_for(pair.source);
        // Of sentences with one error, whatever its size in tokens.
        if (std::any_of(proposed.begin(), proposed.end(), [&](const CorrectionProposal& one) {
                return with_replacement(pair.source, one.change) == pair.target;
            }))
            ++mended;
    }
    EXPECT_EQ(wrong, 250);
    EXPECT_GE(mended, 110);
    EXPECT_LE(sure_of_correct, 0);
}

}  // namespace
}  // namespace craft
