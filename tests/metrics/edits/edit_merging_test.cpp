#include "metrics/edits/edit_merging.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"
#include "text/words.h"

namespace craft {
namespace {

using testing::HasSubstr;

// "0-2>0-1 " for each edit.
std::string merged(const AnnotatedTokens& source, const AnnotatedTokens& target, EditMerging merging) {
    std::string text;
    for (const AlignedTokens& e : merge_steps(align_tokens(source, target), source, target, merging)) {
        text += std::to_string(e.source_start) + "-" + std::to_string(e.source_end) + ">" + std::to_string(e.target_start) +
                "-" + std::to_string(e.target_end) + " ";
    }
    return text;
}

std::string merged(const std::string& source, const std::string& target, EditMerging merging) {
    return merged(plain_tokens(whitespace_words(source)), plain_tokens(whitespace_words(target)), merging);
}

// Aligned as substitution, deletion, match, insertion, insertion.
TEST(EditMerging, WithoutRulesKindsDecide) {
    const std::string source = "likes xxxx c", target = "liked c q qq";
    EXPECT_EQ(merged(source, target, EditMerging::all_split), "0-1>0-1 1-2>1-1 3-3>2-3 3-3>3-4 ");
    EXPECT_EQ(merged(source, target, EditMerging::all_merge), "0-2>0-1 3-3>2-4 ");
    EXPECT_EQ(merged(source, target, EditMerging::all_equal), "0-1>0-1 1-2>1-1 3-3>2-4 ");
}

TEST(EditMerging, RulesThatAskForTextAlone) {
    EXPECT_EQ(merged("we went to gether", "we went together", EditMerging::rules), "2-4>2-3 ");  // blanks
    EXPECT_EQ(merged("the sub - way", "the subway", EditMerging::rules), "1-4>1-2 ");            // hyphens
    EXPECT_EQ(merged("Cat sat", "The cat sat", EditMerging::rules), "0-1>0-2 ");                 // a new beginning
    EXPECT_EQ(merged("tired , we", "tired . We", EditMerging::rules), "1-3>1-3 ");               // a new sentence
    EXPECT_EQ(merged("aaab cccd", "aaae cccf", EditMerging::rules), "0-1>0-1 1-2>1-2 ");         // two substitutions
    EXPECT_EQ(merged("b a x", "a b x", EditMerging::rules), "0-2>0-2 ");                         // another order
}

TEST(EditMerging, PartsOfSpeechJoinWhatBelongsTogether) {
    AnnotatedTokens source = plain_tokens({"eating"}), target = plain_tokens({"to", "eat"});
    EXPECT_EQ(merged(source, target, EditMerging::rules), "0-0>0-1 0-1>1-2 ");
    source[0].pos = target[1].pos = "VERB";
    target[0].pos = "PART";
    EXPECT_EQ(merged(source, target, EditMerging::rules), "0-1>0-2 ");
    source[0].pos = "GERUND";
    EXPECT_THAT(message_of([&] { merged(source, target, EditMerging::rules); }), HasSubstr("expected a part of speech"));
}

}  // namespace
}  // namespace craft
