// Limits that are said and do not hold: never the ones that do.
#include "data/constraints/decoys.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "data/constraints/keywords.h"
#include "data/constraints/values.h"
#include "tests/data/constraints/read_instruction.h"
#include "text/words.h"

namespace craft {
namespace {

const std::vector<std::string> kGarden = {
    "The garden behind the station belongs to nobody.", "Lanterns hang from the orange trees.",
    "In winter the captain repairs them slowly, one after the other.", "Thunder frightens the blackbirds.",
    "Every morning a teacher waters what is left."};

Constraint gold_of(Shape shape) {
    const std::vector<int64_t> ids = {1, 3, 4};
    Constraint c;
    c.shape = shape;
    c.ids.assign(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(ids_of(shape)));
    if (has_count(shape)) c.n = sub_type(shape) == SubType::word_count ? 60 : 4;
    if (shape == Shape::words_range) c.m = 45;
    if (has_keyword(shape)) c.keyword = "garden";
    return c;
}

TEST(Decoys, AChangedLimitDiffersFromWhatHolds) {
    for (const Shape shape : all_shapes())
        for (const Split split : {Split::all, Split::train}) {
            const Constraint gold = gold_of(shape), other{Shape::keyword_remove, {}, 0, 0, "captain"};
            int found = 0;
            for (uint64_t seed = 0; seed < 200; ++seed) {
                Rng rng(seed, "decoys");
                const auto changed = changed_limit(gold, {gold, other}, kGarden, split, rng);
                if (!changed) continue;
                ++found;
                EXPECT_EQ(changed->shape, shape);
                EXPECT_NE(changed->calls(), gold.calls()) << shape_name(shape);
                EXPECT_TRUE(split == Split::all || split_of(*changed) == split);
                for (const int64_t id : changed->ids) EXPECT_TRUE(id >= 1 && id <= 5);
                EXPECT_EQ(changed->ids.size(), gold.ids.size());
                EXPECT_TRUE(sub_type(shape) != SubType::keyword_frequency || changed->keyword == "garden");
                if (sub_type(shape) == SubType::keyword_keep) {
                    EXPECT_FALSE(clashes(changed->keyword, {"garden", "captain"})) << changed->keyword;
                    EXPECT_GT(
                        count_keyword(kGarden[0] + kGarden[1] + kGarden[2] + kGarden[3] + kGarden[4], changed->keyword), 0);
                }
                // "At most N - 1" and "at least N + 1" of both can be told apart.
                EXPECT_TRUE(gold.n < 20 || std::abs(changed->n - gold.n) >= 3);
                EXPECT_TRUE(shape != Shape::words_range || changed->m + 1 < changed->n);
            }
            EXPECT_GE(found, 150) << shape_name(shape);
        }
    Rng rng(1, "decoys");
    EXPECT_FALSE(changed_limit(gold_of(Shape::keep_three), {}, {"One.", "Two.", "Three."}, Split::all, rng))
        << "no other three sentences";
}

TEST(Decoys, AStrayLimitIsOfAKindThatTheInstructionDoesNotHave) {
    std::set<SubType> seen;
    for (uint64_t seed = 0; seed < 500; ++seed) {
        Rng rng(seed, "decoys");
        const std::vector<Constraint> constraints = {gold_of(Shape::words_less), gold_of(Shape::keyword_keep)};
        const auto stray = stray_limit(constraints, kGarden, Split::train, rng);
        ASSERT_TRUE(stray);
        EXPECT_NE(sub_type(stray->shape), SubType::word_count);
        EXPECT_NE(sub_type(stray->shape), SubType::keyword_keep);
        EXPECT_EQ(split_of(*stray), Split::train);
        EXPECT_EQ(stray->ids.size(), ids_of(stray->shape));
        EXPECT_EQ(!stray->keyword.empty(), has_keyword(stray->shape));
        EXPECT_FALSE(has_keyword(stray->shape) && clashes(stray->keyword, {"garden"})) << stray->keyword;
        seen.insert(sub_type(stray->shape));
    }
    EXPECT_EQ(seen.size(), 6u);
    Rng rng(1, "decoys");
    EXPECT_FALSE(stray_limit({}, {}, Split::all, rng)) << "without a text there is nothing to measure";
}

}  // namespace
}  // namespace craft
