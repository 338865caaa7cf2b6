// Rows of training files made into examples, compared with TRL's trainers (tests/parity/make_conversations.py).
#include "tests/model/chat/conversation_cases.h"
#include "train/read_examples.h"

namespace craft {
namespace {

using test::ConversationCase;

// What the reference's "sequences" are: all tokens of a branch, and one 0 or 1 a token.
Json sequence_of(const TokenTree& tree, const MaskedTokens& branch) {
    std::vector<int64_t> ids = tree.prefix;
    ids.insert(ids.end(), branch.tokens.begin(), branch.tokens.end());
    std::string counted(tree.prefix.size(), '0');
    for (const uint8_t bit : branch.counted) counted += bit != 0 ? '1' : '0';
    return {{"ids", ids}, {"counted", counted}};
}

// The examples of a file of one row.
Examples examples_of(const ConversationCase& asked) {
    const TemporaryFolder folder;
    const std::string file = folder.file("rows.jsonl", dump_line(asked.row) + "\n");
    ExampleBuilder builder(asked.tokenizer, asked.chat, {.keep_empty_turns = true});  // as TRL does
    if (asked.form == "pairs")
        read_pair_examples(file, {}, /*chosen_only=*/false, builder);
    else
        read_sft_examples(file, {}, builder);
    return builder.take();
}

Json sequences_of(const ConversationCase& asked) {
    const Examples examples = examples_of(asked);
    if (examples.trees.size() != 1) return {{"trees", examples.trees.size()}, {"dropped", examples.dropped}};
    const TokenTree& tree = examples.trees[0];
    Json made = Json::array();
    for (const MaskedTokens& branch : tree.branches) made.push_back(sequence_of(tree, branch));
    return {{"sequences", made}};
}

TEST(Conversations, AreExamplesAsOfTrlsSftTrainer) {
    const auto counts = test::expect_conversations_as_referenced({"sft"}, [](const ConversationCase& asked) {
        Json made = sequences_of(asked);
        EXPECT_LE(made.value("sequences", Json()).size(), 1U);
        return made;
    });
    EXPECT_EQ(counts.equal, 339);
    EXPECT_EQ(counts.refused, 24);
}

TEST(Conversations, ArePairsAsOfTrlsCpoTrainer) {
    const auto counts = test::expect_conversations_as_referenced({"pairs"}, sequences_of);
    EXPECT_EQ(counts.equal, 131);
    EXPECT_EQ(counts.refused, 2);
}

}  // namespace
}  // namespace craft
