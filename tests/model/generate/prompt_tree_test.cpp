#include "model/generate/prompt_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/rng.h"

namespace craft::test {
namespace {

using Tokens = std::vector<int64_t>;

// `shared` of the same tokens and `own` of others, which begin differently for each `kind`.
Tokens prompt(int64_t shared, int64_t own, int64_t kind) {
    Tokens tokens(static_cast<size_t>(shared), 7);
    for (int64_t i = 0; i < own; ++i) tokens.push_back(10 + (kind + i) % 40);
    return tokens;
}

std::vector<PrefixSegment> tree_of(const std::vector<Tokens>& prompts) {
    std::vector<const Tokens*> all;
    for (const Tokens& each : prompts) all.push_back(&each);
    return prompt_tree(all);
}

TEST(PromptTree, NeighboursShareWholePages) {
    const auto tree = tree_of({prompt(70, 5, 0), prompt(70, 9, 1), prompt(20, 80, 3), prompt(3, 2, 4)});
    ASSERT_EQ(tree.size(), 5);  // 64 of 70 for two of them; 16 are too few; the last is too short
    EXPECT_FALSE(tree[0].is_rest);
    EXPECT_EQ(tree[0].to, 64);
    for (const size_t rest : {1, 2}) {
        EXPECT_TRUE(tree[rest].is_rest);
        EXPECT_EQ(tree[rest].parent, 0);
        EXPECT_EQ(tree[rest].from, 64);
    }
    EXPECT_EQ(tree[2].to, 79);
    EXPECT_EQ(tree[3].parent, -1);
    EXPECT_EQ(tree[3].from, 0);
    EXPECT_TRUE(tree_of({}).empty());
}

TEST(PromptTree, EachGoesOnBehindWhatIsShared) {
    const Tokens same = prompt(96, 0, 0);
    const auto tree = tree_of({same, same, same});
    ASSERT_EQ(tree.size(), 4);
    EXPECT_EQ(tree[0].to, 80);  // of 96 one token is left for each, in pages of 16
    EXPECT_EQ(tree[3].to, 96);
}

TEST(PromptTree, LevelsStandAboveEachOther) {
    // All share 64; two of them 192, and two others 128 of another kind after the 64.
    std::vector<Tokens> prompts = {prompt(200, 3, 0), prompt(200, 3, 1)};
    Tokens other = prompt(64, 70, 5);
    for (const int64_t last : {1, 2}) {
        prompts.push_back(other);
        prompts.back().push_back(last);
    }
    const auto tree = tree_of(prompts);
    ASSERT_EQ(tree.size(), 7);
    EXPECT_EQ(tree[0].to, 64);
    EXPECT_EQ(tree[1].parent, 0);
    EXPECT_EQ(tree[1].to, 192);
    EXPECT_EQ(tree[2].parent, 1);
    EXPECT_EQ(tree[4].parent, 0);
    EXPECT_EQ(tree[4].from, 64);
    EXPECT_EQ(tree[4].to, 128);
    EXPECT_EQ(tree[6].parent, 4);
}

// Random prompts: their stretches put together are the prompts.
TEST(PromptTree, StretchesMakeUpThePrompts) {
    Rng rng(1, "trees");
    for (int turn = 0; turn < 200; ++turn) {
        std::vector<Tokens> prompts;
        for (int64_t i = rng.between(1, 12); i > 0; --i) {
            Tokens tokens;
            if (!prompts.empty() && rng.between(0, 3) > 0) {
                const Tokens& from = prompts[static_cast<size_t>(rng.between(0, std::ssize(prompts) - 1))];
                tokens.assign(from.begin(), from.begin() + rng.between(0, std::ssize(from)));
            }
            for (int64_t n = rng.between(1, 150); n > 0; --n) tokens.push_back(rng.between(0, 1));
            prompts.push_back(tokens);
        }
        std::sort(prompts.begin(), prompts.end());
        const auto tree = tree_of(prompts);
        std::map<int64_t, Tokens> rests;
        for (const PrefixSegment& s : tree) {
            const Tokens& own = prompts[static_cast<size_t>(s.prompt)];
            ASSERT_LT(s.from, s.to);
            ASSERT_TRUE(s.is_rest || s.to % 16 == 0);
            ASSERT_EQ(s.from, s.parent < 0 ? 0 : tree[static_cast<size_t>(s.parent)].to);
            if (!s.is_rest) continue;
            Tokens tokens;
            for (int64_t at = s.parent; at >= 0; at = tree[static_cast<size_t>(at)].parent) {
                const PrefixSegment& up = tree[static_cast<size_t>(at)];
                const Tokens& of = prompts[static_cast<size_t>(up.prompt)];
                tokens.insert(tokens.begin(), of.begin() + up.from, of.begin() + up.to);
            }
            tokens.insert(tokens.end(), own.begin() + s.from, own.end());
            ASSERT_TRUE(rests.emplace(s.prompt, tokens).second);
        }
        ASSERT_EQ(rests.size(), prompts.size());
        for (const auto& [index, tokens] : rests) ASSERT_EQ(tokens, prompts[static_cast<size_t>(index)]);
    }
}

}  // namespace
}  // namespace craft::test
