#include "metrics/syllables.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/metrics/oracles.h"

namespace craft {
namespace {

// Groups of vowels without final e, what is added and what is taken away, by hand.
TEST(Syllables, ByHand) {
    const std::vector<std::pair<std::string, int>> words = {
        {"", 0},          {".", 0}, {"the", 1}, {"Gravesend", 2}, {"cat", 1}, {"table", 2},  // a, and -abl
        {"tree", 0},                                                                         // "tr"
        {"special", 2},                                                                      // e, ia; + ia, - cial
        {"nation", 2},                                                                       // a, io; + io, - ion
        {"beautiful", 4},                                                                    // eau, i, u; + three vowels
        {"mcdonald", 3},                                                                     // o, a; + mc
        {"lively", 2},                                                                       // i, e, y; - ely
        {"ely", 2},        // e, y: nothing stands before it
        {"coaler", 3},     // oa, e; + coal
        {"coal", 1},       // nothing comes after it
        {"couldnt", 2},    // ou; + dnt
        {"aquatat", 4},    // a, ua, a; + another letter, qua, any, vowel
        {"aquaéa", 4},     // a, ua, a; the letter between is one code point
        {"aquaaa", 3},     // a, uaaa; + three vowels, but no vowel that differs
        {"geel", 2},       // ee; + a vowel twice and l
        {"gaal", 2},       // aa; + a vowel twice and l
        {"alien", 2},      // a, ie
        {"marllien", 3},   // a, ie; + llien after another letter
        {"marlllien", 2},  // after an l
        {"llien", 1},      // nothing stands before it
    };
    for (const auto& [word, count] : words) EXPECT_EQ(count_syllables(word), count) << word;
}

TEST(Syllables, OfTheReference) {
    CRAFT_REFERENCE_FILE(file, "oracles/readability.jsonl");
    for (const Json& oracle : test::oracle_cases(file, "easse_syllables")) {
        const auto words = oracle.at("inputs").at("words").get<std::vector<std::string>>();
        ASSERT_GT(words.size(), 100u);
        for (size_t i = 0; i < words.size(); ++i)
            EXPECT_EQ(count_syllables(words[i]), oracle.at("expected").at("counts")[i].get<int64_t>()) << words[i];
    }
}

}  // namespace
}  // namespace craft
